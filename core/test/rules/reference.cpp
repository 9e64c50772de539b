// f'(x) by the central difference of step 1e-16: fifty digits leave about thirty.

#include "core/test/rules/reference.hpp"
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/cbrt.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/expm1.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

namespace assay::test {
namespace {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
using Arguments = std::vector<Real>;
using Value = std::function<Real(const Arguments &, int)>;

/// Value of the function, and size of the terms that cancel in its derivative.
struct Definition {
  Value value;
  Value cancellation;
};

Real nearest_even(const Real &x) {
  const Real down = floor(x), fraction = x - down;
  if (fraction != Real(0.5))
    return fraction < Real(0.5) ? down : down + 1;
  return fmod(down, Real(2)) == 0 ? down : down + 1;
}

Real pi() {
  return boost::math::constants::pi<Real>();
}
Real ln10() {
  return boost::math::constants::ln_ten<Real>();
}

Real bessel_j(int n, const Real &x) {
  return boost::math::cyl_bessel_j(n, x);
}
Real bessel_y(int n, const Real &x) {
  return boost::math::cyl_neumann(n, x);
}

/// Largest term of digamma: the logarithm, the reciprocal, or the reflection.
Real digamma_terms(const Real &x) {
  const Real far = log(2 + abs(x)) + 1 / abs(x) + 2;
  return x > 0 ? far : Real(far + abs(pi() / tan(pi() * x)));
}

template <class Function>
Value unary(Function function) {
  return [=](const Arguments &x, int) { return Real(function(x[0])); };
}
template <class Function>
Value binary(Function function) {
  return [=](const Arguments &x, int) { return Real(function(x[0], x[1])); };
}
template <class Function>
Value with_integer(Function function) {
  return [=](const Arguments &x, int n) { return Real(function(n, x[0])); };
}
template <class Function>
Value step(Function function) {
  return unary(function);
}

using R = const Real &;

std::map<std::string, Definition> elementary_definitions() {
  const Value one = unary([](R) { return Real(1); });
  return {
      {"sin", {unary([](R x) { return sin(x); }), {}}},
      {"cos", {unary([](R x) { return cos(x); }), {}}},
      {"tan", {unary([](R x) { return tan(x); }), {}}},
      {"asin", {unary([](R x) { return asin(x); }), {}}},
      {"acos", {unary([](R x) { return acos(x); }), {}}},
      {"atan", {unary([](R x) { return atan(x); }), {}}},
      {"atan2", {binary([](R y, R x) { return atan2(y, x); }), {}}},
      {"sinh", {unary([](R x) { return sinh(x); }), {}}},
      {"cosh", {unary([](R x) { return cosh(x); }), {}}},
      {"tanh", {unary([](R x) { return tanh(x); }), one}},
      {"asinh", {unary([](R x) { return x < 0 ? -log(-x + sqrt(x * x + 1)) : log(x + sqrt(x * x + 1)); }), {}}},
      {"acosh", {unary([](R x) { return log(x + sqrt(x * x - 1)); }), {}}},
      {"atanh", {unary([](R x) { return (boost::math::log1p(x) - boost::math::log1p(Real(-x))) / 2; }), {}}},
      {"exp", {unary([](R x) { return exp(x); }), {}}},
      {"exp2", {unary([](R x) { return pow(Real(2), x); }), {}}},
      {"exp10", {unary([](R x) { return exp(x * ln10()); }), {}}},
      {"expm1", {unary([](R x) { return exp(x) - 1; }), {}}},
      {"log", {unary([](R x) { return log(x); }), {}}},
      {"log2", {unary([](R x) { return log(x) / log(Real(2)); }), {}}},
      {"log10", {unary([](R x) { return log(x) / ln10(); }), {}}},
      {"log1p", {unary([](R x) { return log(1 + x); }), {}}},
      {"pow", {binary([](R x, R y) { return pow(x, y); }), {}}},
      {"sqrt", {unary([](R x) { return sqrt(x); }), {}}},
      {"cbrt", {unary([](R x) { return boost::math::cbrt(x); }), {}}},
      {"hypot", {binary([](R x, R y) { return sqrt(x * x + y * y); }), {}}},
      {"fma", {[](const Arguments &x, int) { return Real(x[0] * x[1] + x[2]); }, {}}},
      {"ldexp", {with_integer([](int n, R x) { return ldexp(x, n); }), {}}},
      {"powi", {with_integer([](int n, R x) { return pow(x, n); }), {}}},
  };
}

std::map<std::string, Definition> piecewise_definitions() {
  return {
      {"fabs", {unary([](R x) { return abs(x); }), {}}},
      {"fmin", {binary([](R x, R y) { return x < y ? x : y; }), {}}},
      {"fmax", {binary([](R x, R y) { return x > y ? x : y; }), {}}},
      {"fdim", {binary([](R x, R y) { return x > y ? Real(x - y) : Real(0); }), {}}},
      {"copysign", {binary([](R x, R y) { return y < 0 ? -abs(x) : abs(x); }), {}}},
      {"fmod", {binary([](R x, R y) { return x - y * trunc(x / y); }), {}}},
      {"remainder", {binary([](R x, R y) { return x - y * nearest_even(x / y); }), {}}},
      {"floor", {step([](R x) { return floor(x); }), {}}},
      {"ceil", {step([](R x) { return ceil(x); }), {}}},
      {"trunc", {step([](R x) { return trunc(x); }), {}}},
      {"round", {step([](R x) { return round(x); }), {}}},
      {"roundeven", {step([](R x) { return nearest_even(x); }), {}}},
      {"rint", {step([](R x) { return nearest_even(x); }), {}}},
      {"nearbyint", {step([](R x) { return nearest_even(x); }), {}}},
      {"logb", {step([](R x) { return floor(log(abs(x)) / log(Real(2))); }), {}}},
  };
}

std::map<std::string, Definition> special_definitions() {
  return {
      {"erf", {unary([](R x) { return boost::math::erf(x); }), {}}},
      {"erfc", {unary([](R x) { return boost::math::erfc(x); }), {}}},
      {"lgamma", {unary([](R x) { return boost::math::lgamma(x); }), unary(digamma_terms)}},
      {"tgamma", {unary([](R x) { return boost::math::tgamma(x); }), unary([](R x) {
                    return abs(boost::math::tgamma(x)) * digamma_terms(x);
                  })}},
      {"j0", {unary([](R x) { return bessel_j(0, x); }), unary([](R) { return Real(1); })}},
      {"j1", {unary([](R x) { return bessel_j(1, x); }), unary([](R x) {
                return 1 + abs(bessel_j(0, x)) + abs(bessel_j(1, x) / x);
              })}},
      {"jn", {with_integer(bessel_j), with_integer([](int n, R x) {
                return 1 + abs(bessel_j(n - 1, x)) + abs(bessel_j(n + 1, x));
              })}},
      {"y0", {unary([](R x) { return bessel_y(0, x); }), unary([](R) { return Real(1); })}},
      {"y1", {unary([](R x) { return bessel_y(1, x); }), unary([](R x) {
                return 1 + abs(bessel_y(0, x)) + abs(bessel_y(1, x) / x);
              })}},
      {"yn", {with_integer(bessel_y), with_integer([](int n, R x) {
                return 1 + abs(bessel_y(n - 1, x)) + abs(bessel_y(n + 1, x));
              })}},
  };
}

const Definition &definition(const std::string &name) {
  static const std::map<std::string, Definition> definitions = [] {
    auto all = elementary_definitions();
    all.merge(piecewise_definitions());
    all.merge(special_definitions());
    for (const char *like_ldexp : {"scalbn", "scalbln"})
      all[like_ldexp] = all["ldexp"];
    return all;
  }();
  return definitions.at(name);
}

/// The value with two arguments displaced (the same one, perhaps).
Real displaced(const Definition &function, Arguments x, int n, unsigned i, const Real &by, unsigned j,
               const Real &and_by) {
  x[i] += by;
  x[j] += and_by;
  return function.value(x, n);
}

/// |x_j * d2f / dx_i dx_j|, roughly.
Real sensitivity(const Definition &function, const Arguments &x, int n, unsigned i, unsigned j) {
  const Real h = abs(x[i]) * Real(1e-10), k = abs(x[j]) * Real(1e-10);
  const Real difference = displaced(function, x, n, i, h, j, k) - displaced(function, x, n, i, h, j, -k) -
                          displaced(function, x, n, i, -h, j, k) + displaced(function, x, n, i, -h, j, -k);
  return h == 0 || k == 0 ? Real(0) : Real(abs(x[j] * difference / (4 * h * k)));
}

} // namespace

ExpectedPartial expected_partial(const ReferenceFunction &function, std::span<const long double> point, int integer,
                                 unsigned index) {
  const Definition &defined = definition(function.name);
  const Arguments x(point.begin(), point.end());
  const Real h = (abs(x[index]) + Real(1e-3)) * Real(1e-16);
  const Real zero = 0;
  const Real difference =
      displaced(defined, x, integer, index, h, index, zero) - displaced(defined, x, integer, index, -h, index, zero);
  Real slack = defined.cancellation ? defined.cancellation(x, integer) : Real(0);
  for (unsigned j = 0; j < x.size(); ++j)
    slack += sensitivity(defined, x, integer, index, j);
  return {static_cast<long double>(Real(difference / (2 * h))), static_cast<long double>(slack)};
}

long double tolerance(const ReferenceFunction &function, const ExpectedPartial &expected, long double epsilon) {
  // Differences leave about 1e-30 of the value itself.
  return epsilon * static_cast<long double>(function.ulps) * (std::abs(expected.value) + expected.slack) + 1e-28L;
}

const std::vector<ReferenceFunction> &reference_functions() {
  static const std::vector<ReferenceFunction> functions = {
      {.name = "sin", .domain = {{-8, 8}}},
      {.name = "cos", .domain = {{-8, 8}}},
      {.name = "tan", .domain = {{-1.5, 1.5}}},
      {.name = "asin", .domain = {{-0.99, 0.99}}},
      {.name = "acos", .domain = {{-0.99, 0.99}}},
      {.name = "atan", .domain = {{-20, 20}}},
      {.name = "atan2", .domain = {{-5, 5}, {-5, 5}}},
      {.name = "sinh", .domain = {{-8, 8}}},
      {.name = "cosh", .domain = {{-8, 8}}},
      {.name = "tanh", .domain = {{-5, 5}}},
      {.name = "asinh", .domain = {{-50, 50}}},
      {.name = "acosh", .domain = {{1.01, 50}}},
      {.name = "atanh", .domain = {{-0.99, 0.99}}},
      {.name = "exp", .domain = {{-20, 20}}},
      {.name = "exp2", .domain = {{-20, 20}}},
      {.name = "exp10", .domain = {{-8, 8}}},
      {.name = "expm1", .domain = {{-20, 20}}},
      {.name = "log", .domain = {{0.01, 100}}},
      {.name = "log2", .domain = {{0.01, 100}}},
      {.name = "log10", .domain = {{0.01, 100}}},
      {.name = "log1p", .domain = {{-0.99, 50}}},
      {.name = "pow", .domain = {{0.05, 20}, {-5, 5}}},
      {.name = "powi", .domain = {{-4, 4}}, .integers = {-3, -1, 0, 1, 2, 7}, .ulps = 12},
      {.name = "sqrt", .domain = {{0.01, 100}}},
      {.name = "cbrt", .domain = {{-50, 50}}, .ulps = 6},
      {.name = "hypot", .domain = {{-5, 5}, {-5, 5}}},
      {.name = "fma", .domain = {{-3, 3}, {-3, 3}, {-3, 3}}},
      {.name = "fabs", .domain = {{-3, 3}}},
      {.name = "fmin", .domain = {{-3, 3}, {-3, 3}}},
      {.name = "fmax", .domain = {{-3, 3}, {-3, 3}}},
      {.name = "fdim", .domain = {{-3, 3}, {-3, 3}}},
      {.name = "copysign", .domain = {{-3, 3}, {-3, 3}}},
      {.name = "fmod", .domain = {{-30, 30}, {1, 4}}},
      {.name = "remainder", .domain = {{-30, 30}, {1, 4}}},
      {.name = "floor", .domain = {{-5, 5}}},
      {.name = "ceil", .domain = {{-5, 5}}},
      {.name = "trunc", .domain = {{-5, 5}}},
      {.name = "round", .domain = {{-5, 5}}},
      {.name = "roundeven", .domain = {{-5, 5}}},
      {.name = "rint", .domain = {{-5, 5}}},
      {.name = "nearbyint", .domain = {{-5, 5}}},
      {.name = "logb", .domain = {{0.1, 50}}},
      {.name = "ldexp", .domain = {{-3, 3}}, .integers = {-4, 0, 3}},
      {.name = "scalbn", .domain = {{-3, 3}}, .integers = {-4, 0, 3}},
      {.name = "scalbln", .domain = {{-3, 3}}, .integers = {-4, 0, 3}},
      {.name = "erf", .domain = {{-4, 4}}},
      {.name = "erfc", .domain = {{-4, 4}}},
      {.name = "lgamma", .domain = {{-4, 30}}},
      {.name = "tgamma", .domain = {{-4, 20}}, .ulps = 12},
      {.name = "j0", .domain = {{0.1, 20}}, .samples = 10},
      {.name = "j1", .domain = {{0.1, 20}}, .samples = 10},
      {.name = "jn", .domain = {{0.1, 20}}, .integers = {0, 1, 3}, .integer_comes_first = true, .samples = 5},
      {.name = "y0", .domain = {{0.1, 20}}, .samples = 10},
      {.name = "y1", .domain = {{0.1, 20}}, .samples = 10},
      {.name = "yn", .domain = {{0.1, 20}}, .integers = {0, 1, 3}, .integer_comes_first = true, .samples = 5},
  };
  return functions;
}

const ReferenceFunction &reference_function(const std::string &name) {
  for (const ReferenceFunction &function : reference_functions())
    if (function.name == name)
      return function;
  throw std::invalid_argument("no reference for " + name);
}

std::vector<long double> sample_point(const ReferenceFunction &function, unsigned index) {
  // Multiples of the powers of the plastic number's inverse fill a box evenly.
  static constexpr double strides[] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  std::vector<long double> point;
  for (std::size_t axis = 0; axis < function.domain.size(); ++axis) {
    const double fraction = std::fmod(0.37 + strides[axis] * (index + 1), 1.0);
    const Interval &interval = function.domain[axis];
    point.push_back(static_cast<float>(interval.low + fraction * (interval.high - interval.low)));
  }
  return point;
}

} // namespace assay::test
