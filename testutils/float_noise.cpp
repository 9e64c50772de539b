// Rounding shows in fourth differences of neighbouring points, which smooth functions do not have (More and Wild 2011,
// "Estimating computational noise"), and in neighbours that give the same number although the function does change. How
// far apart the points must be for that depends on how much the input weighs, so several spacings are tried; none is a
// multiple of a float's unit in the last place, lest all points are rounded by the same.

#include "testutils/float_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace assay::testutils {

namespace {

constexpr std::size_t points = 7;
constexpr double middle = 3;
// Of the number's size. The last one only tells whether the output changes at all.
constexpr std::array<double, 4> spacings = {0x1.9e3779b97f4a8p-22, 0x1.9e3779b97f4a8p-18, 0x1.9e3779b97f4a8p-14,
                                            0x1.9e3779b97f4a8p-8};
// In units of the rounding of double, of the largest value. Rounding to float gives 2^29 such units.
constexpr double most_of_double = 0x1p12;

using Row = std::array<double, points>;

bool is_noisy(const Row &values) {
  double largest = 0, difference = 0;
  for (const double value : values)
    largest = std::max(largest, std::abs(value));
  for (std::size_t index = 4; index < points; ++index) {
    const double fourth =
        values[index] - 4 * values[index - 1] + 6 * values[index - 2] - 4 * values[index - 3] + values[index - 4];
    difference = std::max(difference, std::abs(fourth));
  }
  return !(difference <= most_of_double * epsilon_of(ElementType::double_precision) * largest);
}

bool has_equal_neighbours(const Row &values) {
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

bool is_constant(const Row &values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

/// Of one output, at all spacings.
bool is_rounded(const std::array<Row, spacings.size()> &rows) {
  const bool changes = std::any_of(rows.begin(), rows.end(), [](const Row &row) { return !is_constant(row); });
  return changes && std::any_of(rows.begin(), rows.end() - 1,
                                [](const Row &row) { return is_noisy(row) || has_equal_neighbours(row); });
}

/// So long that each number moves far enough.
double longest_unit(const Arguments &inputs, const Arguments &direction) {
  double longest = 0;
  for (std::size_t index = 0; index < direction.size(); ++index)
    for (std::size_t element = 0; element < direction[index].size(); ++element)
      if (const double slope = std::abs(direction[index][element]); slope != 0) {
        const double size = inputs[index][element] == 0 ? 1 : std::abs(inputs[index][element]);
        longest = std::max(longest, size / slope);
      }
  return longest;
}

} // namespace

bool moves_a_float(const Signature &signature, const Arguments &direction) {
  for (std::size_t index = 0; index < direction.size(); ++index)
    for (std::size_t element = 0; element < direction[index].size(); ++element)
      if (direction[index][element] != 0 &&
          signature.parameters[index].element_type(element) == ElementType::single_precision)
        return true;
  return false;
}

namespace {

Arguments moved(const Arguments &inputs, const Arguments &direction, double step) {
  Arguments there = inputs;
  for (std::size_t index = 0; index < direction.size(); ++index)
    for (std::size_t element = 0; element < direction[index].size(); ++element)
      there[index][element] += step * direction[index][element];
  return there;
}

} // namespace

std::vector<bool> outputs_through_float(Subject &subject, const Point &point, const Arguments &direction) {
  if (moves_a_float(subject.signature(), direction))
    return std::vector<bool>(point.outputs.size(), true);
  std::vector<std::array<Row, spacings.size()>> rows(point.outputs.size());
  const double unit = longest_unit(point.inputs, direction);
  for (std::size_t scale = 0; scale < spacings.size(); ++scale)
    for (std::size_t index = 0; index < points; ++index)
      try {
        const double step = (static_cast<double>(index) - middle) * spacings[scale] * unit;
        const Values flat = flat_outputs(subject.evaluate(moved(point.inputs, direction, step)), point.outputs);
        for (std::size_t output = 0; output < flat.size(); ++output)
          rows[output][scale][index] = flat[output];
      } catch (const SubjectError &) { // The edge of the domain: nothing is known.
        return std::vector<bool>(point.outputs.size(), true);
      }
  std::vector<bool> through(rows.size());
  std::transform(rows.begin(), rows.end(), through.begin(), is_rounded);
  return through;
}

} // namespace assay::testutils
