// Fourth differences of nine points, between which lie a few units in the last place of a float: there smooth functions
// have none (More and Wild 2011, "Estimating computational noise"). The spacing is no multiple of such a unit, lest all
// points are rounded by the same.

#include "testutils/float_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::testutils {

namespace {

constexpr std::size_t points = 9;
constexpr double middle = 4;
constexpr double spacing = 0x1.9e3779b97f4a8p-22; // Of the number's size.
// In units of the rounding of double, of the largest value. Rounding to float gives 2^29 such units.
constexpr double most_of_double = 0x1p12;

bool is_noisy(const std::array<double, points> &values) {
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

bool any_float_moves(const Signature &signature, const Arguments &direction) {
  for (std::size_t index = 0; index < direction.size(); ++index)
    for (std::size_t element = 0; element < direction[index].size(); ++element)
      if (direction[index][element] != 0 &&
          signature.parameters[index].element_type(element) == ElementType::single_precision)
        return true;
  return false;
}

Arguments moved(const Arguments &inputs, const Arguments &direction, double step) {
  Arguments there = inputs;
  for (std::size_t index = 0; index < direction.size(); ++index)
    for (std::size_t element = 0; element < direction[index].size(); ++element)
      there[index][element] += step * direction[index][element];
  return there;
}

} // namespace

std::vector<bool> outputs_through_float(Subject &subject, const Point &point, const Arguments &direction) {
  if (any_float_moves(subject.signature(), direction))
    return std::vector<bool>(point.outputs.size(), true);
  std::vector<std::array<double, points>> values(point.outputs.size());
  const double step = spacing * longest_unit(point.inputs, direction);
  for (std::size_t index = 0; index < points; ++index)
    try {
      const Arguments there = moved(point.inputs, direction, (static_cast<double>(index) - middle) * step);
      const Values flat = flat_outputs(subject.evaluate(there), point.outputs);
      for (std::size_t output = 0; output < flat.size(); ++output)
        values[output][index] = flat[output];
    } catch (const SubjectError &) { // The edge of the domain: nothing is known.
      return std::vector<bool>(point.outputs.size(), true);
    }
  std::vector<bool> through(values.size());
  std::transform(values.begin(), values.end(), through.begin(), is_noisy);
  return through;
}

} // namespace assay::testutils
