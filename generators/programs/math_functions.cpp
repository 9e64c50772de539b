#include "generators/programs/math_functions.hpp"

#include <algorithm>
#include <cmath>

namespace assay::gen::programs {

namespace {

using Arguments = std::span<const Interval>;

constexpr Interval anything{-1e6, 1e6};
constexpr Interval positive{0.05, 1e6};
constexpr Interval moderate{-3, 3};

Interval between_ones(Arguments) {
  return {-1, 1};
}

template <double (*function)(double)>
Interval rising(Arguments x) {
  return {function(x[0].low), function(x[0].high)};
}

Interval cosh_range(Arguments x) {
  return {1, std::max(std::cosh(x[0].low), std::cosh(x[0].high))};
}

Interval magnitude(Arguments x) {
  const double largest = std::max(std::fabs(x[0].low), std::fabs(x[0].high));
  const bool has_zero = x[0].low <= 0 && x[0].high >= 0;
  return {has_zero ? 0 : std::min(std::fabs(x[0].low), std::fabs(x[0].high)), largest};
}

Interval with_sign(Arguments x) {
  const double largest = magnitude(x).high;
  return {-largest, largest};
}

Interval power(Arguments x) {
  Interval range{1, 1};
  for (const double base : {x[0].low, x[0].high})
    for (const double exponent : {x[1].low, x[1].high})
      range = hull(range, {std::pow(base, exponent), std::pow(base, exponent)});
  return range;
}

constexpr std::array<MathFunction, 34> table{{
    {"sin", 1, {anything}, between_ones, "sin"},
    {"cos", 1, {anything}, between_ones, "cos"},
    {"tanh", 1, {anything}, between_ones, "tanh"},
    {"erf", 1, {anything}, between_ones, ""},
    {"exp", 1, {{{-6, 3}}}, rising<std::exp>, "exp"},
    {"log", 1, {positive}, rising<std::log>, "log"},
    {"sqrt", 1, {positive}, rising<std::sqrt>, "sqrt"},
    {"fabs", 1, {anything}, magnitude, "abs"},
    {"atan", 1, {anything}, rising<std::atan>, "atan"},
    {"pow", 2, {{{0.1, 6}, moderate}}, power, "pow"},
    {"fmax",
     2,
     {anything, anything},
     [](Arguments x) { return Interval{std::max(x[0].low, x[1].low), std::max(x[0].high, x[1].high)}; },
     "max"},
    {"fmin",
     2,
     {anything, anything},
     [](Arguments x) { return Interval{std::min(x[0].low, x[1].low), std::min(x[0].high, x[1].high)}; },
     "min"},
    {"atan2", 2, {anything, positive}, [](Arguments) { return Interval{-1.6, 1.6}; }, "atan2"},
    {"hypot",
     2,
     {positive, anything},
     [](Arguments x) { return Interval{x[0].low, std::hypot(x[0].high, magnitude(x.subspan(1)).high)}; },
     ""},
    {"fma", 3, {anything, anything, anything}, [](Arguments x) { return x[0] * x[1] + x[2]; }, "fma"},
    {"exp2", 1, {{{-6, 3}}}, rising<std::exp2>, "exp2"},
    {"expm1", 1, {{{-6, 3}}}, rising<std::expm1>, ""},
    {"log2", 1, {positive}, rising<std::log2>, "log2"},
    {"log10", 1, {positive}, rising<std::log10>, "log10"},
    {"log1p", 1, {{{-0.9, 1e6}}}, rising<std::log1p>, ""},
    {"cbrt", 1, {positive}, rising<std::cbrt>, ""},
    {"tan", 1, {{{-1.2, 1.2}}}, rising<std::tan>, "tan"},
    {"asin", 1, {{{-0.9, 0.9}}}, rising<std::asin>, "asin"},
    {"acos", 1, {{{-0.9, 0.9}}}, [](Arguments) { return Interval{0, 3.2}; }, "acos"},
    {"sinh", 1, {moderate}, rising<std::sinh>, "sinh"},
    {"cosh", 1, {moderate}, cosh_range, "cosh"},
    {"asinh", 1, {anything}, rising<std::asinh>, ""},
    {"acosh", 1, {{{1.2, 1e6}}}, rising<std::acosh>, ""},
    {"atanh", 1, {{{-0.9, 0.9}}}, rising<std::atanh>, ""},
    {"erfc", 1, {anything}, [](Arguments) { return Interval{0, 2}; }, ""},
    {"copysign", 2, {anything, anything}, with_sign, "copysign"},
    {"floor", 1, {anything}, rising<std::floor>, "floor"},
    {"trunc", 1, {anything}, rising<std::trunc>, "trunc"},
    {"fdim", 2, {anything, anything}, [](Arguments x) { return Interval{0, std::max(0.0, x[0].high - x[1].low)}; }, ""},
}};

} // namespace

std::span<const MathFunction> math_functions() {
  return table;
}

int math_id(std::string_view name) {
  const auto found = std::ranges::find(table, name, &MathFunction::name);
  return static_cast<int>(found - table.begin());
}

Interval operator+(Interval left, Interval right) {
  return {left.low + right.low, left.high + right.high};
}

Interval operator-(Interval left, Interval right) {
  return {left.low - right.high, left.high - right.low};
}

Interval operator*(Interval left, Interval right) {
  const auto [low, high] =
      std::minmax({left.low * right.low, left.low * right.high, left.high * right.low, left.high * right.high});
  return {low, high};
}

Interval hull(Interval left, Interval right) {
  return {std::min(left.low, right.low), std::max(left.high, right.high)};
}

} // namespace assay::gen::programs
