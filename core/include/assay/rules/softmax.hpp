#pragma once
// y_i = exp(x_i) / sum of exp(x_j), without overflow. dy_i = y_i (dx_i - sum of y_j dx_j); the Jacobian is symmetric,
// so adjoints go the same way.

#include <assay/rules/logsumexp.hpp>

namespace assay::rules {

struct SoftmaxRule {
  static auto forward(const auto &config, auto x);
  static auto augmented_primal(const auto &config, auto x);
  static void reverse(const auto &config, const auto &dy, const auto &y, auto x);
};

/// `x` has data() and size() and can be copied: a vector, an array, a column of Eigen.
template <class Vector>
Vector softmax(const Vector &x) {
  ASSAY_RULE(SoftmaxRule, softmax<Vector>);
  Vector y = x;
  if (y.size() != 0)
    detail::write_softmax(x, y.data());
  return y;
}

namespace detail {
/// Adds y_i (v_i - sum of y_j v_j) to `sum`.
void add_softmax_product(auto &sum, const auto &y, const auto &v) {
  auto mean = 0 * y.data()[0];
  for (decltype(y.size()) i = 0; i < y.size(); ++i)
    mean += y.data()[i] * v.data()[i];
  for (decltype(y.size()) i = 0; i < y.size(); ++i)
    sum.data()[i] += y.data()[i] * (v.data()[i] - mean);
}
} // namespace detail

auto SoftmaxRule::forward(const auto &config, auto x) {
  const auto y = softmax(x.value);
  auto tangents = config.each_lane([&](int lane) {
    auto tangent = make_zero(y);
    if (x.is_active() && y.size() != 0)
      detail::add_softmax_product(tangent, y, x.shadow(lane));
    return tangent;
  });
  return Duplicated<decltype(make_zero(y)), decltype(tangents)>{y, std::move(tangents)};
}

auto SoftmaxRule::augmented_primal(const auto & /*config*/, auto x) {
  auto y = softmax(x.value);
  return AugmentedReturn{y, None{}, y};
}

void SoftmaxRule::reverse(const auto &config, const auto &dy, const auto &y, auto x) {
  for (const int lane : config.lanes())
    if (x.is_active() && y.size() != 0)
      detail::add_softmax_product(x.shadow(lane), y, dy(lane));
}

} // namespace assay::rules
