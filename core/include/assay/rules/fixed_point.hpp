#pragma once
// The fixed point x = f(x, p) of a contraction, by iteration. By the implicit function theorem dx = f_x dx + f_p dp
// and, backwards, w = dy + f_x^T w, dp += f_p^T w; both are contractions, too, and are iterated (Christianson 1994,
// "Reverse accumulation and attractive fixed points"). Where the iteration starts, and how long it takes, does not
// matter.

#include <algorithm>
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <cmath>

namespace assay::rules {

namespace detail {
/// x = next(x) until it changes by no more than rounding does.
template <class V>
V iterated(const auto &next, V x) {
  constexpr int most_steps = 1000;
  for (int step = 0; step < most_steps; ++step) {
    const V y = next(x);
    double change = 0, largest = 0;
    for (decltype(x.size()) i = 0; i < x.size(); ++i) {
      change = std::max(change, double(std::abs(y.data()[i] - x.data()[i])));
      largest = std::max(largest, double(std::abs(y.data()[i])));
    }
    x = y;
    if (change <= 1e-15 * largest)
      break;
  }
  return x;
}
} // namespace detail

struct FixedPointRule {
  static auto forward(const auto &config, auto f, auto start, auto p) {
    auto x = value(f.value, start.value, p.value);
    auto tangents = config.each_lane([&](int lane) {
      if (!p.is_active())
        return make_zero(x);
      return detail::iterated(
          [&](const auto &dx) {
            return autodiff<Forward>(f.value, Duplicated{x, dx}, Duplicated{p.value, p.shadow(lane)}).derivative;
          },
          make_zero(x));
    });
    return Duplicated<decltype(x), decltype(tangents)>{x, std::move(tangents)};
  }
  static auto augmented_primal(const auto & /*config*/, auto f, auto start, auto p) {
    auto x = value(f.value, start.value, p.value);
    return AugmentedReturn{x, None{}, std::pair{x, p.overwritten() ? p.value : make_zero(p.value)}};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto f, auto /*start*/, auto p) {
    const auto &x = kept.first;
    const auto &parameters = p.overwritten() ? kept.second : p.value;
    for (const int lane : config.lanes()) {
      if (!p.is_active())
        continue;
      const auto w = detail::iterated(
          [&](const auto &seed) {
            auto sum = dy(lane);
            autodiff<Reverse>(f.value, assay::Seed{seed}, Duplicated{x, sum}, Const{parameters});
            return sum;
          },
          make_zero(x));
      auto sum = make_zero(parameters);
      autodiff<Reverse>(f.value, assay::Seed{w}, Const{x}, Duplicated{parameters, sum});
      for (decltype(sum.size()) i = 0; i < sum.size(); ++i)
        p.shadow(lane).data()[i] += sum.data()[i];
    }
  }
  /// The function's own members are constants: its parameters are in `p`.
  static bool applies(const auto &config) { return config.argument(0) == Activity::constant; }

  static auto value(const auto &f, const auto &start, const auto &p) {
    return detail::iterated([&](const auto &x) { return f(x, p); }, start);
  }
};

/// `f(x, p)` is a function object that returns the next x; x and p have data() and size().
template <class F, class X, class P>
X fixed_point(const F &f, const X &start, const P &p) {
  ASSAY_RULE(FixedPointRule, (fixed_point<F, X, P>));
  return FixedPointRule::value(f, start, p);
}

} // namespace assay::rules
