// Neville's table over shrinking steps; the entry that its neighbours in the table agree with best is the answer.
#pragma once

#include <assay/fdm/detail/samples.hpp>
#include <assay/fdm/extrapolate.hpp>

#include <algorithm>
#include <vector>

namespace assay::fdm::detail {

inline bool symmetric(const std::vector<double> &grid) {
  return std::all_of(grid.begin(), grid.end(),
                     [&](double point) { return std::find(grid.begin(), grid.end(), -point) != grid.end(); });
}

/// Powers of the step in the error of a difference: first, first + stride, first + 2 stride, ..
struct ErrorSeries {
  int first, stride;
};

inline ErrorSeries series_of(const FiniteDifferenceMethod &method) {
  const int power = method.order() - method.derivative;
  if (!symmetric(method.grid))
    return {power, 1};
  return {power + power % 2, 2}; // Odd powers cancel.
}

/// One row of the table: the difference at a step, and its extrapolations with the row above.
template <class T>
struct NevilleRow {
  T step = 0;
  std::vector<Wide<T>> entries;
};

template <class T>
NevilleRow<T> next_row(const NevilleRow<T> &above, const T &step, const Wide<T> &difference, ErrorSeries series) {
  NevilleRow<T> row{step, {difference}};
  for (std::size_t column = 0; column < above.entries.size(); ++column) {
    const int exponent = series.first + series.stride * static_cast<int>(column);
    // The steps are rounded, so their ratio is taken anew; it suits entries of neighbouring rows well enough.
    const Wide<T> ratio = power(Wide<T>(static_cast<Wide<T>>(above.step) / static_cast<Wide<T>>(step)), exponent);
    row.entries.push_back(Wide<T>(row.entries[column] + (row.entries[column] - above.entries[column]) / (ratio - 1)));
  }
  return row;
}

template <class T>
Estimate<T> extrapolate_curve(const FiniteDifferenceMethod &method, Curve<T> curve, const Place<T> &place,
                              const ExtrapolationOptions &options) {
  const Site<T> site{curve, place, 1};
  const ErrorSeries series = series_of(method);
  const double room = largest_step(method.grid, place.reach, method.options.max_range);
  const auto epsilon = std::max(epsilon_of<T>(), method.options.epsilon);
  Estimate<T> best;
  best.trouble = Trouble::no_room;
  NevilleRow<T> above;
  const typename RealTraits<T>::Coefficients coefs(method);
  double wanted = std::min(options.initial_step, room);
  for (int level = 0; level < options.most_levels; ++level, wanted *= options.contraction) {
    const T step = resolved_step(place.x, radius(method.grid), wanted, room);
    if (!(step > 0) || step == above.step)
      break;
    const auto samples = site.sample(method.grid, step);
    if (!samples.finite(0)) { // A shorter step may be; the table starts again there.
      above = {};
      if (best.trouble == Trouble::no_room)
        best.trouble = Trouble::non_finite;
      continue;
    }
    const auto row = next_row<T>(above, step, samples.combine(coefs.center(), method.derivative, 0), series);
    const long double roundoff = method.options.factor * epsilon * samples.largest(0) * method.roundoff_multiplier /
                                 power(static_cast<long double>(step), method.derivative);
    for (std::size_t column = 1; column < row.entries.size(); ++column) {
      const Wide<T> &value = row.entries[column];
      const auto gap = static_cast<long double>(std::max(magnitude(Wide<T>(value - row.entries[column - 1])),
                                                         magnitude(Wide<T>(value - above.entries[column - 1]))));
      if (gap + roundoff < static_cast<long double>(best.error))
        best = {static_cast<T>(value), static_cast<T>(gap + roundoff), step,
                static_cast<T>(options.initial_step * radius(method.grid)), Trouble::none};
    }
    above = row;
  }
  return best;
}

} // namespace assay::fdm::detail
