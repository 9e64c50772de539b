// The properties of a real type for finite differences. float, double and long double are known; the header
// <assay/fdm/multiprecision.hpp> adds the types of Boost.Multiprecision.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <span>
#include <vector>

namespace assay::fdm {

class FiniteDifferenceMethod;

namespace detail {

/// A specialisation has `Wide`, the type in which differences are summed; `spacing_at(x)`, the distance from |x| to the
/// next number; and `Coefficients`, a method's coefficients in Wide.
template <class T>
struct RealTraits {};

/// Coefficients as the method keeps them, in long double.
class KeptCoefficients {
public:
  explicit KeptCoefficients(const FiniteDifferenceMethod &of) : method(&of) {}
  std::span<const long double> center() const;
  std::span<const long double> neighbour(std::size_t position) const;

private:
  const FiniteDifferenceMethod *method;
};

template <std::floating_point T>
struct RealTraits<T> {
  using Wide = long double;
  using Coefficients = KeptCoefficients;
  static T spacing_at(T x) { return std::nextafter(x, std::numeric_limits<T>::infinity()) - x; }
};

template <class T>
using Wide = typename RealTraits<T>::Wide;

// Functions of <cmath> by the names under which every real type has them.

template <class T>
bool is_finite(const T &x) {
  using std::isfinite;
  return static_cast<bool>(isfinite(x));
}

template <class T>
T magnitude(const T &x) {
  using std::fabs;
  return static_cast<T>(fabs(x));
}

template <class T>
T rounded(const T &x) {
  using std::round;
  return static_cast<T>(round(x));
}

template <class T>
T rounded_down(const T &x) {
  using std::floor;
  return static_cast<T>(floor(x));
}

/// base^exponent by repeated squaring; the exponent may be negative.
template <class T>
T power(T base, int exponent) {
  T result = 1;
  for (int left = exponent < 0 ? -exponent : exponent; left > 0; left /= 2) {
    if (left % 2 != 0)
      result *= base;
    base *= base;
  }
  return exponent < 0 ? static_cast<T>(1 / result) : result;
}

template <class T>
double epsilon_of() {
  return static_cast<double>(std::numeric_limits<T>::epsilon());
}

} // namespace detail

/// A type that finite differences can be taken in.
template <class T>
concept Real = requires { typename detail::RealTraits<T>::Wide; };

} // namespace assay::fdm
