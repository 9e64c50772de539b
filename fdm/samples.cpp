#include "samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay::fdm::detail {

template <class T>
bool Samples<T>::finite(std::size_t output) const {
  for (std::size_t point = 0; point < points(); ++point)
    if (!std::isfinite(at(point, output)))
      return false;
  return true;
}

template <class T>
double Samples<T>::magnitude(std::size_t output) const {
  double largest = 0;
  for (std::size_t point = 0; point < points(); ++point)
    largest = std::max(largest, static_cast<double>(std::fabs(at(point, output))));
  return largest;
}

// Independent errors of variance s^2 have fourth differences of variance (1 + 16 + 36 + 16 + 1) s^2, and what is smooth
// has none (More and Wild 2011, "Estimating computational noise").
template <class T>
double Samples<T>::noise(std::size_t output) const {
  constexpr long double variance_factor = 70;
  long double sum_of_squares = 0;
  for (std::size_t i = 4; i < points(); ++i) {
    const auto value = [&](std::size_t back) { return static_cast<long double>(at(i - back, output)); };
    const long double difference = value(4) - 4 * value(3) + 6 * value(2) - 4 * value(1) + value(0);
    sum_of_squares += difference * difference;
  }
  return static_cast<double>(std::sqrt(sum_of_squares / (variance_factor * static_cast<long double>(points() - 4))));
}

template <class T>
long double Samples<T>::combine(std::span<const long double> coefs, int derivative, std::size_t output) const {
  // Coefficients of derivatives sum to zero, so a common value may be taken off: what does not change then
  // differentiates to exactly 0.
  const long double common = derivative > 0 ? at(0, output) : T(0);
  long double sum = 0;
  for (std::size_t point = 0; point < coefs.size(); ++point)
    sum += coefs[point] * (static_cast<long double>(at(point, output)) - common);
  return sum / std::pow(static_cast<long double>(step), static_cast<long double>(derivative));
}

template <class T>
Samples<T> Site<T>::sample(std::span<const double> grid, T step) const {
  Samples<T> samples{outputs, step, std::vector<T>(grid.size() * outputs)};
  for (std::size_t point = 0; point < grid.size(); ++point)
    curve(place.x + static_cast<T>(grid[point]) * step, std::span(samples.values).subspan(point * outputs, outputs));
  return samples;
}

double radius(std::span<const double> grid) {
  return std::transform_reduce(
      grid.begin(), grid.end(), 0.0, [](double a, double b) { return std::max(a, b); },
      [](double point) { return std::fabs(point); });
}

double largest_step(std::span<const double> grid, Reach reach, double max_range) {
  const auto [least, most] = std::minmax_element(grid.begin(), grid.end());
  double step = std::numeric_limits<double>::infinity();
  if (*most > 0)
    step = std::min(step, std::min(reach.above, max_range) / *most);
  if (*least < 0)
    step = std::min(step, std::min(reach.below, max_range) / -*least);
  return step;
}

template <class T>
T resolved_step(T x, double grid_radius, double wanted, double most) {
  const T farthest = std::fabs(x) + static_cast<T>(grid_radius * wanted);
  const T resolution = std::nextafter(farthest, std::numeric_limits<T>::infinity()) - farthest;
  if (!std::isfinite(resolution))
    return 0;
  const T units = std::max(T(1), std::round(static_cast<T>(wanted) / resolution));
  const T step = units * resolution;
  if (static_cast<double>(step) <= most)
    return step;
  return std::floor(static_cast<T>(most) / resolution) * resolution;
}

template struct Samples<float>;
template struct Samples<double>;
template struct Samples<long double>;
template struct Site<float>;
template struct Site<double>;
template struct Site<long double>;
template float resolved_step(float, double, double, double);
template double resolved_step(double, double, double, double);
template long double resolved_step(long double, double, double, double);

} // namespace assay::fdm::detail
