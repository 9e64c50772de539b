#pragma once
// A root x of f(x, p) = 0 by Newton's method, differentiated by the implicit function theorem: dx/dp = -f_p / f_x. How
// many steps were taken, and from where, does not matter.

#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <cmath>

namespace assay::rules {

struct RootRule {
  static auto forward(const auto &config, auto f, auto start, auto p);
  static auto augmented_primal(const auto &config, auto f, auto start, auto p);
  static void reverse(const auto &config, auto dx, double slope, auto f, auto start, auto p);
  /// The function's own members are constants: its parameters are in `p`.
  static bool applies(const auto &config) { return config.argument(0) == Activity::constant; }
};

/// `f(x, p)` is a function object; Newton's method starts at `start`.
template <class F>
double root(const F &f, double start, double p) {
  ASSAY_RULE(RootRule, root<F>);
  double x = start;
  for (int step = 0; step < 100; ++step) {
    const double slope = autodiff<Forward>(f, Duplicated{x, 1.0}, Const{p}).derivative;
    const double change = f(x, p) / slope;
    x -= change;
    if (std::abs(change) <= 1e-15 * std::abs(x))
      break;
  }
  return x;
}

namespace detail {
double slope_of_root(const auto &f, double x, double p) {
  const double by_x = autodiff<Forward>(f, Duplicated{x, 1.0}, Const{p}).derivative;
  const double by_p = autodiff<Forward>(f, Const{x}, Duplicated{p, 1.0}).derivative;
  return -by_p / by_x;
}
} // namespace detail

auto RootRule::forward(const auto & /*config*/, auto f, auto start, auto p) {
  const double x = root(f.value, start.value, p.value);
  return Duplicated{std::move(x), detail::slope_of_root(f.value, x, p.value) * p.shadow()};
}

auto RootRule::augmented_primal(const auto & /*config*/, auto f, auto start, auto p) {
  const double x = root(f.value, start.value, p.value);
  return AugmentedReturn{x, None{}, detail::slope_of_root(f.value, x, p.value)};
}

void RootRule::reverse(const auto &config, auto dx, double slope, auto /*f*/, auto /*start*/, auto p) {
  for (const int lane : config.lanes())
    p.shadow(lane) += slope * dx(lane);
}

} // namespace assay::rules
