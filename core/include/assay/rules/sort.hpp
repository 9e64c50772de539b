#pragma once
// A sorted copy. Derivatives move as the numbers did: with y_i = x_p(i), dy_i = dx_p(i). Equal numbers keep their
// order.

#include <algorithm>
#include <assay/rules.hpp>
#include <numeric>

namespace assay::rules {

struct SortRule {
  static auto forward(const auto &config, auto x);
  static auto augmented_primal(const auto &config, auto x);
  static void reverse(const auto &config, const auto &dy, const auto &from, auto x);
};

/// `x` has data() and size() and can be copied.
template <class Vector>
Vector sorted(const Vector &x) {
  ASSAY_RULE(SortRule, sorted<Vector>);
  Vector y = x;
  std::sort(y.data(), y.data() + y.size());
  return y;
}

namespace detail {
/// Where each number of the sorted copy comes from.
std::vector<std::size_t> sorting_order(const auto &x) {
  std::vector<std::size_t> from(static_cast<std::size_t>(x.size()));
  std::iota(from.begin(), from.end(), std::size_t{0});
  std::sort(from.begin(), from.end(), [&](std::size_t i, std::size_t j) {
    return x.data()[i] < x.data()[j] || (x.data()[i] == x.data()[j] && i < j);
  });
  return from;
}
} // namespace detail

auto SortRule::forward(const auto &config, auto x) {
  const auto from = detail::sorting_order(x.value);
  auto y = sorted(x.value);
  auto tangents = config.each_lane([&](int lane) {
    auto tangent = make_zero(y);
    for (std::size_t i = 0; x.is_active() && i < from.size(); ++i)
      tangent.data()[i] = x.shadow(lane).data()[from[i]];
    return tangent;
  });
  return Duplicated<decltype(y), decltype(tangents)>{y, std::move(tangents)};
}

auto SortRule::augmented_primal(const auto & /*config*/, auto x) {
  return AugmentedReturn{sorted(x.value), None{}, detail::sorting_order(x.value)};
}

void SortRule::reverse(const auto &config, const auto &dy, const auto &from, auto x) {
  for (const int lane : config.lanes())
    for (std::size_t i = 0; x.is_active() && i < from.size(); ++i)
      x.shadow(lane).data()[from[i]] += dy(lane).data()[i];
}

} // namespace assay::rules
