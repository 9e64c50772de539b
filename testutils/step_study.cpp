// Steps are powers of two, so that a quotient holds the difference it was made of to the last bit.

#include "testutils/along_direction.hpp"
#include "testutils/triangulation.hpp"

#include <cmath>

namespace assay::testutils {

std::vector<StepRow> step_rows(Subject &subject, const Point &point, const Arguments &direction,
                               const Values &weights) {
  constexpr int first = 1, last = 43, stride = 2;
  const AlongDirection along(subject, point, direction, weights);
  const double start = along.start();
  std::vector<StepRow> rows;
  for (int exponent = first; exponent <= last; exponent += stride) {
    const double step = std::ldexp(1, -exponent);
    const std::optional<double> ahead = along.at(step), behind = along.at(-step);
    if (ahead && behind && std::isfinite(*ahead) && std::isfinite(*behind))
      rows.push_back({step, (*ahead - start) / step, (*ahead - *behind) / (2 * step)});
  }
  return rows;
}

} // namespace assay::testutils
