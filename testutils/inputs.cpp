// Random points: a stream of its own for each parameter, numbers that are not near the edges of the domain.
//
//   no limits        uniform in [-2, 2]
//   both limits      uniform between them, 5 % of the width away from each
//   one limit        the limit +- a number between 1/16 and 16, uniform in its logarithm
//   without zero     as above with the magnitude in [1/16, 16] and a random sign, within the limits

#include "testutils/numbers.hpp"
#include "testutils/shrink.hpp"

#include <assay/generators/stream.hpp>

#include <cmath>

namespace assay::testutils {

static double magnitude(gen::Stream &stream) {
  return std::exp2(8 * stream.uniform() - 4);
}

static double random_value(const Domain &domain, gen::Stream &stream) {
  const bool from_below = std::isfinite(domain.low);
  const bool from_above = std::isfinite(domain.high);
  if (from_below && from_above)
    return domain.low + (domain.high - domain.low) * (0.05 + 0.9 * stream.uniform());
  if (from_below)
    return domain.low + magnitude(stream);
  if (from_above)
    return domain.high - magnitude(stream);
  if (domain.excludes_zero)
    return stream.integer(0, 1) == 0 ? magnitude(stream) : -magnitude(stream);
  return 4 * stream.uniform() - 2;
}

bool contains(const Domain &domain, double value) {
  const bool inside =
      (std::isinf(domain.low) || value > domain.low) && (std::isinf(domain.high) || value < domain.high);
  return inside && !(domain.excludes_zero && value == 0);
}

static Values random_parameter(const Parameter &parameter, gen::Stream &stream) {
  if (!parameter.fixed.empty())
    return parameter.fixed.size() == 1 ? Values(parameter.size(), parameter.fixed.front()) : parameter.fixed;
  Values values(parameter.size());
  for (std::size_t element = 0; element < values.size(); ++element)
    do
      values[element] = rounded_to(parameter.element_type(element), random_value(parameter.domain, stream));
    while (!contains(parameter.domain, values[element]) && parameter.element != ElementType::integer);
  return values;
}

Arguments random_inputs(const Signature &signature, const CheckOptions &options, unsigned sample) {
  Arguments inputs;
  const std::string name = options.name.empty() ? signature.function : options.name;
  gen::Stream stream({.seed = options.seed, .suite = options.suite, .name = name, .purpose = "input", .index = sample});
  for (const Parameter &parameter : signature.parameters)
    inputs.push_back(random_parameter(parameter, stream));
  return inputs;
}

} // namespace assay::testutils
