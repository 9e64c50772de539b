#pragma once
// The value at q of a curve through a table (x_i, y_i) with ascending x: straight lines, or cubic Hermite pieces whose
// slope at a node is that of the parabola through it and its neighbours (Fritsch and Butland 1984, the three-point
// formula). Both are linear in y: with weights w_i(q), dy = sum of w_i dy_i + (sum of w_i' y_i) dq. Outside of the
// table the first and the last piece go on; at a node the derivative is that of the piece to the right.

#include <algorithm>
#include <array>
#include <assay/rules.hpp>
#include <stdexcept>

namespace assay::rules {

enum class Curve : std::uint8_t { linear, cubic };

namespace detail {

/// The numbers of a table that a value depends on: four at most, from `first` on.
struct CurveWeights {
  std::size_t first = 0, count = 0;
  std::array<double, 4> weight{}, slope{};

  double value(const auto &y) const { return sum(weight, y); }
  double derivative(const auto &y) const { return sum(slope, y); }

  void add(std::size_t place, double w, double s) {
    weight[place - first] += w;
    slope[place - first] += s;
  }
  /// Adds `w` times (and with slope `s`) the slope of the parabola through three nodes, at node `at`.
  void add_slope_at(const auto &x, std::size_t at, double w, double s) {
    const std::size_t begin = std::min(at == 0 ? 0 : at - 1, std::size_t(x.size()) - 3);
    for (std::size_t i = begin; i != begin + 3; ++i) {
      const std::size_t j = i == begin ? begin + 1 : begin, k = 3 * begin + 3 - i - j;
      const double factor =
          (2 * x.data()[at] - x.data()[j] - x.data()[k]) / ((x.data()[i] - x.data()[j]) * (x.data()[i] - x.data()[k]));
      add(i, w * factor, s * factor);
    }
  }

private:
  double sum(const std::array<double, 4> &factors, const auto &y) const {
    double result = 0;
    for (std::size_t i = 0; i != count; ++i)
      result += factors[i] * y.data()[first + i];
    return result;
  }
};

template <Curve C>
CurveWeights weights_at(const auto &x, double q) {
  const auto size = static_cast<std::size_t>(x.size());
  const std::size_t least = C == Curve::linear ? 2 : 3;
  if (size < least)
    throw std::invalid_argument("assay: a table to interpolate in has fewer than " + std::to_string(least) + " nodes");
  const auto above = static_cast<std::size_t>(std::upper_bound(x.data(), x.data() + size, q) - x.data());
  const std::size_t left = std::clamp<std::size_t>(above, 1, size - 1) - 1;
  const double h = x.data()[left + 1] - x.data()[left], t = (q - x.data()[left]) / h;
  CurveWeights w;
  if (C == Curve::linear) {
    w.first = left;
    w.count = 2;
    w.add(left, 1 - t, -1 / h);
    w.add(left + 1, t, 1 / h);
    return w;
  }
  w.first = left == 0 ? 0 : std::min(left - 1, size - 3);
  w.count = std::min(left + 3, size) - w.first;
  w.add(left, (1 + 2 * t) * (1 - t) * (1 - t), 6 * t * (t - 1) / h);
  w.add(left + 1, t * t * (3 - 2 * t), 6 * t * (1 - t) / h);
  w.add_slope_at(x, left, h * t * (1 - t) * (1 - t), (1 - t) * (1 - 3 * t));
  w.add_slope_at(x, left + 1, h * t * t * (t - 1), t * (3 * t - 2));
  return w;
}

} // namespace detail

template <Curve C>
struct InterpolationRule {
  static auto forward(const auto &config, auto x, auto y, auto q) {
    const auto w = detail::weights_at<C>(x.value, q.value);
    return Duplicated{w.value(y.value), config.each_lane([&](int lane) {
                        return w.derivative(y.value) * q.shadow(lane) + (y.is_active() ? w.value(y.shadow(lane)) : 0);
                      })};
  }
  static auto augmented_primal(const auto & /*config*/, auto x, auto y, auto q) {
    const auto w = detail::weights_at<C>(x.value, q.value);
    return AugmentedReturn{w.value(y.value), None{}, std::pair{w, w.derivative(y.value)}};
  }
  static void reverse(const auto &config, auto dy, const auto &kept, auto /*x*/, auto y, auto q) {
    const auto &[w, slope] = kept;
    for (const int lane : config.lanes()) {
      q.shadow(lane) += slope * dy(lane);
      for (std::size_t i = 0; y.is_active() && i != w.count; ++i)
        y.shadow(lane).data()[w.first + i] += w.weight[i] * dy(lane);
    }
  }
  /// Where the nodes carry a derivative, the engine differentiates the code.
  static bool applies(const auto &config) { return config.argument(0) == Activity::constant; }
};

/// `x` and `y` have data() and size(): `interpolate<Curve::cubic>(x, y, q)`.
template <Curve C = Curve::linear, class V>
double interpolate(const V &x, const V &y, double q) {
  ASSAY_RULE(InterpolationRule<C>, (interpolate<C, V>));
  return detail::weights_at<C>(x, q).value(y);
}

} // namespace assay::rules
