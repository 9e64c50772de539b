#pragma once
// The Euclidean norm: dy = sum of x_i dx_i / y, and zero where y is, which is one of the subgradients there.

#include <assay/rules.hpp>
#include <cmath>

namespace assay::rules {

struct NormRule {
  static auto forward(const auto &config, auto x);
  static auto augmented_primal(const auto &config, auto x);
  static void reverse(const auto &config, auto dy, const auto &direction, auto x);
};

/// `x` has data() and size().
template <class Vector>
std::remove_cvref_t<decltype(*std::declval<const Vector &>().data())> norm(const Vector &x) {
  ASSAY_RULE(NormRule, norm<Vector>);
  using Number = std::remove_cvref_t<decltype(*x.data())>;
  Number sum = 0;
  for (decltype(x.size()) i = 0; i < x.size(); ++i)
    sum += x.data()[i] * x.data()[i];
  return std::sqrt(sum);
}

auto NormRule::forward(const auto &config, auto x) {
  const auto y = norm(x.value);
  return Duplicated{std::move(y), config.each_lane([&](int lane) {
                      auto tangent = 0 * y;
                      for (decltype(x.value.size()) i = 0; x.is_active() && y != 0 && i < x.value.size(); ++i)
                        tangent += x.value.data()[i] / y * x.shadow(lane).data()[i];
                      return tangent;
                    })};
}

auto NormRule::augmented_primal(const auto & /*config*/, auto x) {
  const auto y = norm(x.value);
  std::vector<std::remove_cv_t<decltype(y)>> direction;
  for (decltype(x.value.size()) i = 0; x.is_active() && y != 0 && i < x.value.size(); ++i)
    direction.push_back(x.value.data()[i] / y);
  return AugmentedReturn{y, None{}, std::move(direction)};
}

void NormRule::reverse(const auto &config, auto dy, const auto &direction, auto x) {
  for (const int lane : config.lanes())
    for (std::size_t i = 0; i < direction.size(); ++i)
      x.shadow(lane).data()[i] += direction[i] * dy(lane);
}

} // namespace assay::rules
