// C++: references, classes, templates, lambdas, standard containers and algorithms.
#include "support/vector_program.hpp"
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace {

__attribute__((noinline)) void scale(double &value, const double &factor) {
  value *= factor * factor;
}

double references(const double *x, int n) {
  double a = x[0], b = x[1];
  double &alias = a;
  scale(alias, b);
  scale(b, a);
  return a * b;
}

class Polynomial {
public:
  Polynomial(const double *coefficients, int count) : coefficients_(coefficients), count_(count) {}
  double operator()(double x) const {
    double r = 0;
    for (int i = count_ - 1; i >= 0; --i)
      r = r * x + coefficients_[i];
    return r;
  }
  Polynomial &shift(double by) {
    offset_ += by;
    return *this;
  }
  double at_offset() const { return (*this)(offset_); }

private:
  const double *coefficients_;
  int count_;
  double offset_ = 0.5;
};

double class_with_state(const double *x, int n) {
  return Polynomial(x, n).shift(x[0]).shift(0.1).at_offset();
}

template <class T>
struct Dual {
  T value, tangent;
  friend Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.value * b.tangent + a.tangent * b.value}; }
  friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.tangent + b.tangent}; }
};

/// Derivatives of derivatives by dual numbers: the class of user that differentiates a differentiator.
double second_derivative(const double *x, int n) {
  Dual<Dual<double>> y{{x[0], 1}, {1, 0}}, r = y;
  for (int i = 1; i < n; ++i)
    r = r * y + Dual<Dual<double>>{{x[i], 0}, {0, 0}};
  return r.tangent.tangent;
}

template <int N>
double unrolled(const double *x) {
  return x[N - 1] * unrolled<N - 1>(x) + std::sin(x[N - 1]);
}
template <>
double unrolled<0>(const double *) {
  return 1;
}
double template_recursion(const double *x, int n) {
  return unrolled<4>(x);
}

double lambda_by_value(const double *x, int n) {
  const double a = x[0];
  auto f = [a, b = x[1] * a](double y) { return a * y * y + b; };
  return f(f(x[2])) + f(1);
}

double lambda_by_reference(const double *x, int n) {
  double total = 1;
  auto add = [&](double y) { total += total * y; };
  for (int i = 0; i < n; ++i)
    add(x[i]);
  return total;
}

template <class Function>
__attribute__((noinline)) double twice(Function function, double x) {
  return function(function(x));
}
double function_objects(const double *x, int n) {
  return twice([&](double y) { return y * y + x[1]; }, x[0]) + twice(Polynomial(x, n), x[1]);
}

double standard_array(const double *x, int n) {
  std::array<double, 3> a{x[0], x[1], x[2]}, b;
  for (std::size_t i = 0; i < a.size(); ++i)
    b[i] = a[i] * a[(i + 1) % a.size()];
  std::swap(a, b);
  return std::accumulate(a.begin(), a.end(), 1.0, std::multiplies<>()) + b.front() * b.back();
}

double standard_vector(const double *x, int n) {
  std::vector<double> v(x, x + n), squares(n);
  std::transform(v.begin(), v.end(), squares.begin(), [](double y) { return y * y; });
  return std::inner_product(v.begin(), v.end(), squares.begin(), 0.5);
}

double pushed_back(const double *x, int n) {
  std::vector<double> v;
  for (int i = 0; i < n; ++i) {
    v.push_back(x[i] * (v.empty() ? 1 : v.back()));
    v.push_back(std::sin(x[i]));
  }
  double r = 0;
  for (double y : v)
    r += y * y;
  return r;
}

double vector_of_vectors(const double *x, int n) {
  std::vector<std::vector<double>> m(n, std::vector<double>(n, 1.0));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      m[i][j] = x[i] * x[j] + m[j][i];
  double r = 0;
  for (const auto &row : m)
    r += std::accumulate(row.begin(), row.end(), 0.0) * row.front();
  return r;
}

double accumulated(const double *x, int n) {
  return std::accumulate(x, x + n, 1.0, [](double a, double b) { return a * b + a; });
}

struct Owner {
  std::unique_ptr<double[]> data;
  int n;
  explicit Owner(int size) : data(new double[size]), n(size) {}
  double sum() const { return std::accumulate(data.get(), data.get() + n, 0.0); }
};
double unique_ownership(const double *x, int n) {
  Owner a(n);
  for (int i = 0; i < n; ++i)
    a.data[i] = x[i] * x[n - 1 - i];
  Owner b = std::move(a);
  return b.sum() * b.data[0];
}

double shared_ownership(const double *x, int n) {
  auto shared = std::make_shared<double>(x[0] * x[1]);
  auto copy = shared;
  *copy *= x[0];
  return *shared * *copy;
}

std::pair<double, double> minimum_and_maximum(const std::vector<double> &v) {
  return {*std::min_element(v.begin(), v.end()), *std::max_element(v.begin(), v.end())};
}
double pairs_and_tuples(const double *x, int n) {
  auto [low, high] = minimum_and_maximum(std::vector<double>(x, x + n));
  std::tuple<double, int, double> t{low * high, 3, high};
  return std::get<0>(t) * std::get<1>(t) + std::get<2>(t) * std::get<2>(t);
}

std::optional<double> root(double x) {
  return x < 0 ? std::nullopt : std::optional(std::sqrt(x));
}
double optional_values(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += root(x[i]).value_or(x[i] * x[i]) * (i + 1);
  return r;
}

double sorted(const double *x, int n) {
  std::vector<double> v(x, x + n);
  std::sort(v.begin(), v.end());
  double r = 0;
  for (int i = 0; i < n; ++i)
    r = r * 0.5 + v[i] * v[i] * (i + 1);
  return r;
}

double objects_with_destructors(const double *x, int n) {
  double total = 0;
  struct Guard {
    double &target, value;
    ~Guard() { target += value * value; }
  };
  for (int i = 0; i < n; ++i) {
    Guard outer{total, x[i]};
    if (x[i] < 0)
      continue;
    Guard inner{total, x[i] * total};
  }
  return total;
}

struct Shape {
  double size;
  template <class Visitor>
  double visit(Visitor &&visitor) const {
    return visitor(size);
  }
};
double visitors(const double *x, int n) {
  std::vector<Shape> shapes;
  for (int i = 0; i < n; ++i)
    shapes.push_back({x[i]});
  double r = 1;
  for (const Shape &shape : shapes)
    r *= shape.visit([&](double s) { return s * s + r; });
  return r;
}

} // namespace

PLUGIN_TEST(CPlusPlus, ReferencesAreFollowed) {
  CHECK_FUNCTION(references, 0.6, -1.1);
}
PLUGIN_TEST(CPlusPlus, ObjectsKeepState) {
  CHECK_FUNCTION(class_with_state, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, DualNumbersAreDifferentiated) {
  CHECK_FUNCTION(second_derivative, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, TemplatesAreFollowed) {
  CHECK_FUNCTION(template_recursion, 0.6, -1.1, 0.4, 1.3);
}
PLUGIN_TEST(CPlusPlus, LambdasMayCaptureByValue) {
  CHECK_FUNCTION(lambda_by_value, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, LambdasMayCaptureByReference) {
  CHECK_FUNCTION(lambda_by_reference, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, FunctionObjectsMayBeArguments) {
  CHECK_FUNCTION(function_objects, 0.6, -1.1);
}
PLUGIN_TEST(CPlusPlus, StandardArraysAreFollowed) {
  CHECK_FUNCTION(standard_array, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, StandardVectorsAreFollowed) {
  CHECK_FUNCTION(standard_vector, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, VectorsMayGrow) {
  CHECK_FUNCTION(pushed_back, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, VectorsOfVectorsAreFollowed) {
  CHECK_FUNCTION(vector_of_vectors, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, AccumulateTakesALambda) {
  CHECK_FUNCTION(accumulated, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, OwnershipMayMove) {
  CHECK_FUNCTION(unique_ownership, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, OwnershipMayBeShared) {
  CHECK_FUNCTION(shared_ownership, 0.6, -1.1);
}
PLUGIN_TEST(CPlusPlus, PairsAndTuplesAreFollowed) {
  CHECK_FUNCTION(pairs_and_tuples, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, OptionalValuesAreFollowed) {
  CHECK_FUNCTION(optional_values, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, SortingPermutesTheDerivatives) {
  CHECK_FUNCTION(sorted, 0.6, -1.1, 0.4, 1.7, 0.9);
}
PLUGIN_TEST(CPlusPlus, DestructorsTakePart) {
  CHECK_FUNCTION(objects_with_destructors, 0.6, -1.1, 0.4);
}
PLUGIN_TEST(CPlusPlus, VisitorsAreFollowed) {
  CHECK_FUNCTION(visitors, 0.6, -1.1, 0.4);
}
