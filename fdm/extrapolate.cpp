// Neville's table over shrinking steps; the entry that its neighbours in the table agree with best is the answer.
#include <assay/fdm/extrapolate.hpp>

#include "samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace assay::fdm::detail {

namespace {

bool symmetric(const std::vector<double> &grid) {
  return std::all_of(grid.begin(), grid.end(),
                     [&](double point) { return std::find(grid.begin(), grid.end(), -point) != grid.end(); });
}

/// Powers of the step in the error of a difference: first, first + stride, first + 2 stride, ..
struct ErrorSeries {
  int first, stride;
};

ErrorSeries series_of(const FiniteDifferenceMethod &method) {
  const int power = method.order() - method.derivative;
  if (!symmetric(method.grid))
    return {power, 1};
  return {power + power % 2, 2}; // Odd powers cancel.
}

/// One row of the table: the difference at a step, and what is extrapolated from it and the row above.
struct Row {
  long double step = 0;
  std::vector<long double> entries;
};

Row next_row(const Row &above, long double step, long double difference, ErrorSeries series) {
  Row row{step, {difference}};
  for (std::size_t column = 0; column < above.entries.size(); ++column) {
    const auto power = series.first + series.stride * static_cast<int>(column);
    // The steps are rounded, so their ratio is taken anew; it suits entries of neighbouring rows well enough.
    const long double ratio = std::pow(above.step / step, static_cast<long double>(power));
    row.entries.push_back(row.entries[column] + (row.entries[column] - above.entries[column]) / (ratio - 1));
  }
  return row;
}

} // namespace

template <class T>
Estimate<T> extrapolate_curve(const FiniteDifferenceMethod &method, Curve<T> curve, const Place<T> &place,
                              const ExtrapolationOptions &options) {
  const Site<T> site{curve, place, 1};
  const ErrorSeries series = series_of(method);
  const double room = largest_step(method.grid, place.reach, method.options.max_range);
  const auto epsilon = std::max(static_cast<double>(std::numeric_limits<T>::epsilon()), method.options.epsilon);
  Estimate<T> best;
  best.trouble = Trouble::no_room;
  Row above;
  double wanted = std::min(options.initial_step, room);
  for (int level = 0; level < options.most_levels; ++level, wanted *= options.contraction) {
    const T step = resolved_step(place.x, radius(method.grid), wanted, room);
    if (!(step > 0) || static_cast<long double>(step) == above.step)
      break;
    const auto samples = site.sample(method.grid, step);
    if (!samples.finite(0)) { // A shorter step may be; the table starts again there.
      above = Row{};
      if (best.trouble == Trouble::no_room)
        best.trouble = Trouble::non_finite;
      continue;
    }
    const Row row = next_row(above, step, samples.combine(method.coefs, method.derivative, 0), series);
    const long double roundoff = method.options.factor * epsilon * samples.magnitude(0) * method.roundoff_multiplier /
                                 std::pow(static_cast<long double>(step), method.derivative);
    for (std::size_t column = 1; column < row.entries.size(); ++column) {
      const long double value = row.entries[column];
      const long double gap =
          std::max(std::fabs(value - row.entries[column - 1]), std::fabs(value - above.entries[column - 1]));
      if (gap + roundoff < static_cast<long double>(best.error))
        best = {static_cast<T>(value), static_cast<T>(gap + roundoff), step,
                static_cast<T>(options.initial_step * radius(method.grid)), Trouble::none};
    }
    above = row;
  }
  return best;
}

template Estimate<float> extrapolate_curve(const FiniteDifferenceMethod &, Curve<float>, const Place<float> &,
                                           const ExtrapolationOptions &);
template Estimate<double> extrapolate_curve(const FiniteDifferenceMethod &, Curve<double>, const Place<double> &,
                                            const ExtrapolationOptions &);
template Estimate<long double> extrapolate_curve(const FiniteDifferenceMethod &, Curve<long double>,
                                                 const Place<long double> &, const ExtrapolationOptions &);

} // namespace assay::fdm::detail
