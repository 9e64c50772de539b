// The slope is that of the least-squares line through log r over log t, over the steps t = 2^-4, 2^-5, ... at which the
// remainder r stands clear of round-off.

#include "testutils/along_direction.hpp"
#include "testutils/triangulation.hpp"

#include <cmath>

namespace assay::testutils {

namespace {

constexpr int first_step = 4, last_step = 24;
// Remainders below this many units of round-off of the function's values say nothing.
constexpr double noise_units = 256;
constexpr std::size_t fewest_steps = 3;

struct FittedLine {
  double x = 0, y = 0, xx = 0, xy = 0;
  std::size_t count = 0;

  void add(double at, double value) {
    x += at;
    y += value;
    xx += at * at;
    xy += at * value;
    ++count;
  }
  double slope() const {
    const auto n = static_cast<double>(count);
    return (n * xy - x * y) / (n * xx - x * x);
  }
};

} // namespace

std::optional<double> taylor_slope(Subject &subject, const Point &point, const Arguments &direction,
                                   const Values &weights, double value) {
  const AlongDirection along(subject, point, direction, weights);
  const double start = along.start();
  const double noise = noise_units * epsilon_of(coarsest_element(subject.signature()));
  FittedLine line;
  for (int exponent = first_step; exponent <= last_step; ++exponent) {
    const double step = std::ldexp(1, -exponent);
    const std::optional<double> moved = along.at(step);
    if (!moved)
      continue;
    const double there = *moved;
    const double remainder = std::abs(there - start - step * value);
    if (!std::isfinite(remainder))
      continue;
    if (remainder <= noise * (std::abs(start) + std::abs(there) + std::abs(step * value)))
      break;
    line.add(std::log2(step), std::log2(remainder));
  }
  return line.count < fewest_steps ? std::nullopt : std::optional(line.slope());
}

} // namespace assay::testutils
