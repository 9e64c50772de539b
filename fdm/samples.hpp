// The values of a curve at the points of a stencil, and what is read off them.
#pragma once

#include <assay/fdm/method.hpp>

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
  T at(std::size_t point, std::size_t output) const { return values[point * outputs + output]; }
  bool finite(std::size_t output) const;
  /// max |f| over the stencil.
  double magnitude(std::size_t output) const;
  /// Root mean square of the round-off, from fourth differences; for equally spaced points close to each other.
  double noise(std::size_t output) const;
  /// sum_i c_i f(x + g_i h) / h^q, summed in long double.
  long double combine(std::span<const long double> coefs, int derivative, std::size_t output) const;
};

/// A curve at a point, with the room that it has there.
template <class T>
struct Site {
  Curve<T> curve;
  Place<T> place;
  std::size_t outputs;

  Samples<T> sample(std::span<const double> grid, T step) const;
};

/// Largest |g| of the grid.
double radius(std::span<const double> grid);

/// The largest step that keeps the grid within the reach; infinity when nothing limits it.
double largest_step(std::span<const double> grid, Reach reach, double max_range);

/// The multiple of the argument's resolution nearest to `wanted` and not above `most`, so that the points x + g h of an
/// integer grid are exact; 0 when there is none.
template <class T>
T resolved_step(T x, double grid_radius, double wanted, double most);

extern template struct Samples<float>;
extern template struct Samples<double>;
extern template struct Samples<long double>;
extern template struct Site<float>;
extern template struct Site<double>;
extern template struct Site<long double>;
extern template float resolved_step(float, double, double, double);
extern template double resolved_step(double, double, double, double);
extern template long double resolved_step(long double, double, double, double);

} // namespace assay::fdm::detail
