// Random points: a stream of its own for each parameter, numbers that are not near the edges of the domain.
//
//   no limits        uniform in [-2, 2]
//   both limits      uniform between them, 5 % of the width away from each, or uniform in the logarithm
//   one limit        the limit +- a number between 1/16 and 16, uniform in its logarithm
//   without zero     as above with the magnitude in [1/16, 16] and a random sign, within the limits
//   integers         a limit, each in one of eight draws, else uniform between them, both included
//
// Where there are fewer than two limits, numbers are multiplied by the domain's scale. Structures are in
// structures.cpp.
//
// Edge points: each number is drawn as above or is one of those at which rules have branches: 0, -0, 1, -1, what stands
// before it, and what is next to a limit.

#include "testutils/domains.hpp"
#include "testutils/numbers.hpp"
#include "testutils/structures.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace assay::testutils {

static double magnitude(gen::Stream &stream) {
  return std::exp2(8 * stream.uniform() - 4);
}

static double random_real(const Domain &domain, gen::Stream &stream) {
  const bool from_below = std::isfinite(domain.low);
  const bool from_above = std::isfinite(domain.high);
  if (domain.logarithmic)
    return value_at(domain, 0.02 + 0.96 * stream.uniform());
  if (from_below && from_above)
    return value_at(domain, 0.05 + 0.9 * stream.uniform());
  if (from_below)
    return domain.low + domain.scale * magnitude(stream);
  if (from_above)
    return domain.high - domain.scale * magnitude(stream);
  if (domain.excludes_zero)
    return domain.scale * (stream.integer(0, 1) == 0 ? magnitude(stream) : -magnitude(stream));
  return domain.scale * (4 * stream.uniform() - 2);
}

static double random_value(const Domain &domain, gen::Stream &stream) {
  return in_steps(domain, random_real(domain, stream));
}

static double random_integer(const Domain &domain, gen::Stream &stream) {
  if (!std::isfinite(domain.low) || !std::isfinite(domain.high))
    return std::round(random_real(domain, stream));
  const std::int64_t choice = stream.integer(0, 7);
  if (choice <= 1)
    return choice == 0 ? domain.low : domain.high;
  return static_cast<double>(
      stream.integer(static_cast<std::int64_t>(domain.low), static_cast<std::int64_t>(domain.high)));
}

static Values random_parameter(const Parameter &parameter, gen::Stream &stream) {
  if (!parameter.fixed.empty())
    return parameter.fixed.size() == 1 ? Values(parameter.size(), parameter.fixed.front()) : parameter.fixed;
  const Domain &domain = parameter.domain;
  Values values(parameter.size());
  const auto element = [&](std::size_t index) {
    double value = 0;
    do
      value = rounded_to(parameter.element_type(index), random_value(domain, stream));
    while (!contains(domain, value));
    return value;
  };
  if (parameter.element == ElementType::integer) {
    for (double &value : values)
      value = random_integer(domain, stream);
  } else if (domain.structure != gen::Structure::none) {
    values = structured(domain, parameter.extents, [&] { return element(0); }, stream);
    for (std::size_t index = 0; index < values.size(); ++index)
      values[index] = rounded_to(parameter.element_type(index), values[index]);
  } else {
    for (std::size_t index = 0; index < values.size(); ++index)
      values[index] = element(index);
  }
  return values;
}

static std::string name_of(const Signature &signature, const CheckOptions &options) {
  return options.name.empty() ? signature.function : options.name;
}

static Values special_values(const Domain &domain, double neighbour) {
  // A derivative that grows like 1 / distance squared beside a limit still has twelve right digits there.
  constexpr double next_to = 0x1p-6;
  const double width = std::isfinite(domain.high - domain.low) ? domain.high - domain.low : domain.scale;
  const auto limit = [&](double end, double inside) { return std::isfinite(end) ? Values{inside} : Values{}; };
  // Most rules that are not numbers somewhere are so at zero or where two numbers are equal: four values in a row, as
  // six points take them, have both.
  Values all{0, neighbour, domain.scale};
  std::ranges::copy(limit(domain.low, domain.low + next_to * width), std::back_inserter(all));
  // Of a domain without these, a whole number: a tie of conversions to integers.
  const bool has_usual = contains(domain, 0) || contains(domain, domain.scale) || contains(domain, -domain.scale);
  if (has_usual || !std::isfinite(domain.low + domain.high))
    all.insert(all.end(), {-0.0, neighbour, -domain.scale});
  else
    all.push_back(std::round((domain.low + domain.high) / 2));
  std::ranges::copy(limit(domain.high, domain.high - next_to * width), std::back_inserter(all));
  const auto is_multiple = [&](double value) { return domain.step == 0 || std::fmod(value, domain.step) == 0; };
  std::erase_if(all, [&](double value) { return !contains(domain, value) || !is_multiple(value); });
  return all;
}

namespace {

/// Which special value an element has at an edge point, if any. Two points of three take all in turn, so that a few
/// points have each number at each of its values; the third draws them, for several that meet, or
/// zeros among usual numbers.
class SpecialChoice {
public:
  SpecialChoice(const CheckOptions &options, const std::string &name, unsigned sample)
      : index_(sample >> attempt_bits), is_first_attempt_((sample & ((1U << attempt_bits) - 1)) == 0),
        draws_(index_ % 3 == 2 || !is_first_attempt_),
        turn_({.seed = options.seed, .suite = options.suite, .name = name, .purpose = "edge turn"}),
        stream_({.seed = options.seed, .suite = options.suite, .name = name, .purpose = "edge", .index = sample}) {}

  gen::Stream &stream() { return stream_; }

  /// Nothing: the element stays random.
  std::optional<double> of(const Values &special) {
    if (special.empty())
      return std::nullopt;
    const auto count = static_cast<std::int64_t>(special.size());
    const std::int64_t begin = turn_.integer(0, count - 1);
    if (!draws_)
      return special[static_cast<std::size_t>((begin + 2 * (index_ / 3) + index_ % 3) % count)];
    if (index_ % 12 == 5 && is_first_attempt_) // all of them zero
      return special.front();
    if (index_ % 6 == 2)
      return stream_.integer(0, 1) == 0 ? std::nullopt : std::optional(special.front());
    if (stream_.integer(0, 2) == 0)
      return std::nullopt;
    return special[static_cast<std::size_t>(stream_.integer(0, count - 1))];
  }

private:
  static constexpr unsigned attempt_bits = 16; ///< Of a sample's number: Points::at_special.
  std::int64_t index_;
  bool is_first_attempt_, draws_;
  gen::Stream turn_, stream_;
};

} // namespace

Arguments edge_inputs(const Signature &signature, const CheckOptions &options, unsigned sample) {
  Arguments inputs = random_inputs(signature, options, sample);
  SpecialChoice choice(options, name_of(signature, options), sample);
  double neighbour = 1;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    if (!parameter.fixed.empty() || parameter.element == ElementType::integer)
      continue;
    if (parameter.domain.structure != gen::Structure::none) {
      if (choice.stream().integer(0, 1) == 0)
        inputs[index] = special_structure(parameter.domain, parameter.extents, inputs[index]);
      continue;
    }
    for (std::size_t element = 0; element < inputs[index].size(); ++element) {
      double &value = inputs[index][element];
      if (const auto special = choice.of(special_values(parameter.domain, neighbour)))
        value = rounded_to(parameter.element_type(element), *special);
      neighbour = value;
    }
  }
  return inputs;
}

Arguments random_inputs(const Signature &signature, const CheckOptions &options, unsigned sample) {
  Arguments inputs;
  gen::Stream stream({.seed = options.seed,
                      .suite = options.suite,
                      .name = name_of(signature, options),
                      .purpose = "input",
                      .index = sample});
  for (const Parameter &parameter : signature.parameters)
    inputs.push_back(random_parameter(parameter, stream));
  return inputs;
}

} // namespace assay::testutils
