#pragma once
// The k largest numbers, in descending order. Derivatives move as the numbers did: with y_i = x_p(i), dy_i = dx_p(i).
// Of equal numbers the first ones are taken.

#include <algorithm>
#include <assay/rules.hpp>
#include <numeric>

namespace assay::rules {

namespace detail {
/// Where the k largest numbers stand.
std::vector<std::size_t> places_of_largest(const auto &x, std::size_t k) {
  std::vector<std::size_t> from(static_cast<std::size_t>(x.size()));
  std::iota(from.begin(), from.end(), std::size_t{0});
  k = std::min(k, from.size());
  std::partial_sort(
      from.begin(), from.begin() + static_cast<std::ptrdiff_t>(k), from.end(),
      [&](std::size_t i, std::size_t j) { return x.data()[i] > x.data()[j] || (x.data()[i] == x.data()[j] && i < j); });
  from.resize(k);
  return from;
}
auto taken(const auto &x, const std::vector<std::size_t> &from) {
  std::vector<std::remove_cvref_t<decltype(*x.data())>> y;
  for (const std::size_t place : from)
    y.push_back(x.data()[place]);
  return y;
}
} // namespace detail

struct TopRule {
  static auto forward(const auto &config, auto x, auto k) {
    const auto from = detail::places_of_largest(x.value, k.value);
    auto y = detail::taken(x.value, from);
    auto tangents =
        config.each_lane([&](int lane) { return x.is_active() ? detail::taken(x.shadow(lane), from) : make_zero(y); });
    return Duplicated<decltype(y), decltype(tangents)>{y, std::move(tangents)};
  }
  static auto augmented_primal(const auto & /*config*/, auto x, auto k) {
    auto from = detail::places_of_largest(x.value, k.value);
    auto y = detail::taken(x.value, from);
    return AugmentedReturn{std::move(y), None{}, std::move(from)};
  }
  static void reverse(const auto &config, const auto &dy, const auto &from, auto x, auto /*k*/) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; x.is_active() && i < from.size(); ++i)
        x.shadow(lane).data()[from[i]] += dy(lane)[i];
  }
};

/// `x` has data() and size(); all of it is taken where it has fewer than k numbers.
template <class V>
std::vector<std::remove_cvref_t<decltype(*std::declval<const V &>().data())>> top(const V &x, std::size_t k) {
  ASSAY_RULE(TopRule, top<V>);
  return detail::taken(x, detail::places_of_largest(x, k));
}

} // namespace assay::rules
