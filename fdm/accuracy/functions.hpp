#pragma once
// Functions of which every derivative has a closed form, as templates of the real type.

#include <cmath>
#include <string>
#include <vector>

namespace assay::fdm::accuracy {

template <class T>
T factorial(int n) {
  T result = 1;
  for (int k = 2; k <= n; ++k)
    result *= k;
  return result;
}

template <class T>
T sign_of_power(int n) {
  return n % 2 == 0 ? T(1) : T(-1);
}

struct Exponential {
  static constexpr const char *name = "exp(x)";
  static constexpr double points[] = {-1.5, 0.3, 2};
  template <class T>
  static T value(const T &x) {
    using std::exp;
    return T(exp(x));
  }
  template <class T>
  static T derivative(const T &x, int /*order*/) {
    return value(x);
  }
};

struct Sine {
  static constexpr const char *name = "sin(x)";
  static constexpr double points[] = {-2.5, 0.4, 1};
  template <class T>
  static T value(const T &x) {
    using std::sin;
    return T(sin(x));
  }
  template <class T>
  static T derivative(const T &x, int order) {
    using std::cos;
    const T plain = order % 2 == 0 ? value(x) : T(cos(x));
    return order % 4 >= 2 ? T(-plain) : plain;
  }
};

struct Logarithm {
  static constexpr const char *name = "log(x)";
  static constexpr double points[] = {0.25, 1.5, 40};
  template <class T>
  static T value(const T &x) {
    using std::log;
    return T(log(x));
  }
  template <class T>
  static T derivative(const T &x, int order) {
    using std::pow;
    return order == 0 ? value(x) : T(sign_of_power<T>(order - 1) * factorial<T>(order - 1) / pow(x, order));
  }
};

struct Reciprocal {
  static constexpr const char *name = "1 / (1 + x)";
  static constexpr double points[] = {-0.5, 0.5, 5};
  template <class T>
  static T value(const T &x) {
    return T(1 / (1 + x));
  }
  template <class T>
  static T derivative(const T &x, int order) {
    using std::pow;
    return T(sign_of_power<T>(order) * factorial<T>(order) / pow(T(1 + x), order + 1));
  }
};

struct SquareRoot {
  static constexpr const char *name = "sqrt(x)";
  static constexpr double points[] = {0.1, 2, 30};
  template <class T>
  static T value(const T &x) {
    using std::sqrt;
    return T(sqrt(x));
  }
  template <class T>
  static T derivative(const T &x, int order) {
    T result = value(x);
    for (int k = 0; k < order; ++k)
      result *= (T(1) / 2 - k) / x;
    return result;
  }
};

/// Its derivatives are Hermite polynomials times itself: H_0 = 1, H_1 = 2 x, H_(k+1) = 2 x H_k - 2 k H_(k-1).
struct Gaussian {
  static constexpr const char *name = "exp(-x^2)";
  static constexpr double points[] = {-1.2, 0.3, 0.9};
  template <class T>
  static T value(const T &x) {
    using std::exp;
    return T(exp(T(-x * x)));
  }
  template <class T>
  static T derivative(const T &x, int order) {
    T before = 0, hermite = 1;
    for (int k = 0; k < order; ++k) {
      const T next = 2 * x * hermite - 2 * k * before;
      before = hermite;
      hermite = next;
    }
    return T(sign_of_power<T>(order) * hermite * value(x));
  }
};

struct Power {
  static constexpr const char *name = "x^9";
  static constexpr double points[] = {-1.1, 0.7, 2};
  template <class T>
  static T value(const T &x) {
    const T third = x * x * x;
    return T(third * third * third);
  }
  template <class T>
  static T derivative(const T &x, int order) {
    T result = 1;
    for (int k = 0; k < order; ++k)
      result *= 9 - k;
    for (int k = order; k < 9; ++k)
      result *= x;
    return result;
  }
};

} // namespace assay::fdm::accuracy
