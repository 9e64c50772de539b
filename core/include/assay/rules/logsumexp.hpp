#pragma once
// log(sum of exp(x_i)), without overflow. With p = exp(x - y), which is softmax(x): dy = sum of p_i dx_i.

#include <algorithm>
#include <assay/rules.hpp>
#include <cmath>

namespace assay::rules {

/// The type of the numbers of a vector.
template <class Vector>
using number_in = std::remove_cvref_t<decltype(*std::declval<const Vector &>().data())>;

struct LogSumExpRule {
  static auto forward(const auto &config, auto x);
  static auto augmented_primal(const auto &config, auto x);
  static void reverse(const auto &config, auto dy, const auto &weights, auto x);
};

/// `x` has data() and size(): a vector, array, span, or column of Eigen. Minus infinity where it is empty.
template <class Vector>
number_in<Vector> logsumexp(const Vector &x) {
  ASSAY_RULE(LogSumExpRule, logsumexp<Vector>);
  using Number = number_in<Vector>;
  const auto *const begin = x.data();
  const auto *const end = begin + x.size();
  const Number largest = begin == end ? Number(0) : *std::max_element(begin, end);
  Number sum = 0;
  for (const auto *each = begin; each != end; ++each)
    sum += std::exp(*each - largest);
  return largest + std::log(sum);
}

namespace detail {
/// Writes exp(x_i) / sum of exp(x_j), with all digits also where x is large.
void write_softmax(const auto &x, auto *weights) {
  const auto count = x.size();
  auto sum = 0 * *x.data();
  const auto largest = *std::max_element(x.data(), x.data() + count);
  for (decltype(x.size()) i = 0; i < count; ++i)
    sum += weights[i] = std::exp(x.data()[i] - largest);
  for (decltype(x.size()) i = 0; i < count; ++i)
    weights[i] /= sum;
}
template <class Vector>
std::vector<number_in<Vector>> softmax_of(const Vector &x) {
  std::vector<number_in<Vector>> weights(static_cast<std::size_t>(x.size()));
  if (!weights.empty())
    write_softmax(x, weights.data());
  return weights;
}
} // namespace detail

auto LogSumExpRule::forward(const auto &config, auto x) {
  const auto weights = detail::softmax_of(x.value);
  const auto y = logsumexp(x.value);
  return Duplicated{std::move(y), config.each_lane([&](int lane) {
                      auto tangent = 0 * y;
                      for (std::size_t i = 0; x.is_active() && i < weights.size(); ++i)
                        tangent += weights[i] * x.shadow(lane).data()[i];
                      return tangent;
                    })};
}

auto LogSumExpRule::augmented_primal(const auto & /*config*/, auto x) {
  return AugmentedReturn{logsumexp(x.value), None{}, detail::softmax_of(x.value)};
}

void LogSumExpRule::reverse(const auto &config, auto dy, const auto &weights, auto x) {
  for (const int lane : config.lanes())
    for (std::size_t i = 0; x.is_active() && i < weights.size(); ++i)
      x.shadow(lane).data()[i] += weights[i] * dy(lane);
}

} // namespace assay::rules
