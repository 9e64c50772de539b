#pragma once
// The integral of f from a to b by Gauss-Legendre quadrature on equal parts. By the fundamental theorem its derivatives
// by b and a are f(b) and -f(a), whatever the error of the quadrature.

#include <array>
#include <assay/rules.hpp>

namespace assay::rules {

struct IntegralRule {
  static auto forward(const auto &config, auto f, auto a, auto b, auto parts);
  static auto augmented_primal(const auto &config, auto f, auto a, auto b, auto parts);
  static void reverse(const auto &config, auto dy, const auto &ends, auto f, auto a, auto b, auto parts);
  /// Where the function itself carries a derivative, the engine differentiates the quadrature.
  static bool applies(const auto &config) { return config.argument(0) == Activity::constant; }
};

/// `f(x)` is a function object; the rule of three points is exact for polynomials of degree 5 on each part.
template <class F>
double integral(const F &f, double a, double b, int parts = 16) {
  ASSAY_RULE(IntegralRule, integral<F>);
  constexpr double node = 0.77459666924148337704; // sqrt(3/5)
  double sum = 0;
  const double half = (b - a) / (2 * parts);
  for (int part = 0; part < parts; ++part) {
    const double middle = a + (2 * part + 1) * half;
    sum += half * (5 * f(middle - node * half) + 8 * f(middle) + 5 * f(middle + node * half)) / 9;
  }
  return sum;
}

auto IntegralRule::forward(const auto & /*config*/, auto f, auto a, auto b, auto parts) {
  return Duplicated{integral(f.value, a.value, b.value, parts.value),
                    f.value(b.value) * b.shadow() - f.value(a.value) * a.shadow()};
}

auto IntegralRule::augmented_primal(const auto & /*config*/, auto f, auto a, auto b, auto parts) {
  return AugmentedReturn{integral(f.value, a.value, b.value, parts.value), None{},
                         std::array<double, 2>{f.value(a.value), f.value(b.value)}};
}

void IntegralRule::reverse(const auto &config, auto dy, const auto &ends, auto /*f*/, auto a, auto b, auto /*parts*/) {
  for (const int lane : config.lanes()) {
    a.shadow(lane) -= ends[0] * dy(lane);
    b.shadow(lane) += ends[1] * dy(lane);
  }
}

} // namespace assay::rules
