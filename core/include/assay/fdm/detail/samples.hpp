// The values of a curve at the points of a stencil, and differences of them.
#pragma once

#include <assay/fdm/method.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace assay::fdm::detail {

/// Values of all outputs at x + g_i h, point by point.
template <class T>
struct Samples {
  std::size_t outputs;
  T step;
  std::vector<T> values;

  std::size_t points() const { return values.size() / outputs; }
  const T &at(std::size_t point, std::size_t output) const { return values[point * outputs + output]; }

  bool finite(std::size_t output) const {
    for (std::size_t point = 0; point < points(); ++point)
      if (!is_finite(at(point, output)))
        return false;
    return true;
  }

  /// max |f| over the stencil.
  double largest(std::size_t output) const {
    double result = 0;
    for (std::size_t point = 0; point < points(); ++point)
      result = std::max(result, static_cast<double>(magnitude(at(point, output))));
    return result;
  }

  /// Root mean square of the round-off, from fourth differences; for equally spaced points close to each other.
  /// Independent errors of variance s^2 have fourth differences of variance (1 + 16 + 36 + 16 + 1) s^2, and what is
  /// smooth has none (More and Wild 2011, "Estimating computational noise").
  double noise(std::size_t output) const {
    constexpr long double variance_factor = 70;
    long double sum_of_squares = 0;
    for (std::size_t i = 4; i < points(); ++i) {
      const auto value = [&](std::size_t back) { return static_cast<Wide<T>>(at(i - back, output)); };
      const Wide<T> fourth = value(4) - 4 * value(3) + 6 * value(2) - 4 * value(1) + value(0);
      const auto difference = static_cast<long double>(fourth);
      sum_of_squares += difference * difference;
    }
    return static_cast<double>(std::sqrt(sum_of_squares / (variance_factor * static_cast<long double>(points() - 4))));
  }

  /// sum_i c_i f(x + g_i h) / h^q, summed in the wide type.
  Wide<T> combine(std::span<const Wide<T>> coefs, int derivative, std::size_t output) const {
    // Coefficients of derivatives sum to zero, so a common value may be taken off: what does not change then
    // differentiates to exactly 0.
    const Wide<T> common = derivative > 0 ? static_cast<Wide<T>>(at(0, output)) : Wide<T>(0);
    Wide<T> sum = 0;
    for (std::size_t point = 0; point < coefs.size(); ++point)
      sum += coefs[point] * (static_cast<Wide<T>>(at(point, output)) - common);
    return sum / power(static_cast<Wide<T>>(step), derivative);
  }
};

/// A curve at a point, with the room that it has there.
template <class T>
struct Site {
  Curve<T> curve;
  Place<T> place;
  std::size_t outputs;

  Samples<T> sample(std::span<const double> grid, const T &step) const {
    Samples<T> samples{outputs, step, std::vector<T>(grid.size() * outputs)};
    for (std::size_t point = 0; point < grid.size(); ++point)
      curve(T(place.x + static_cast<T>(grid[point]) * step),
            std::span(samples.values).subspan(point * outputs, outputs));
    return samples;
  }
};

/// Largest |g| of the grid.
double radius(std::span<const double> grid);

/// The largest step that keeps the grid within the reach; infinity when nothing limits it.
double largest_step(std::span<const double> grid, Reach reach, double max_range);

/// The multiple of the argument's resolution nearest to `wanted` and not above `most`, so that the points x + g h of an
/// integer grid are exact; 0 when there is none.
template <class T>
T resolved_step(const T &x, double grid_radius, double wanted, double most) {
  const T farthest = magnitude(x) + static_cast<T>(grid_radius * wanted);
  if (!is_finite(farthest))
    return 0;
  const T resolution = RealTraits<T>::spacing_at(farthest);
  if (!is_finite(resolution))
    return 0;
  const T units = std::max(T(1), rounded(T(static_cast<T>(wanted) / resolution)));
  const T step = units * resolution;
  if (static_cast<double>(step) <= most)
    return step;
  return rounded_down(T(static_cast<T>(most) / resolution)) * resolution;
}

} // namespace assay::fdm::detail
