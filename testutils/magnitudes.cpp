// Points of many magnitudes: each has one of these kinds.
//
//   of one magnitude     all numbers times the same power of two
//   of all magnitudes    each number times its own
//   near zero            as the first, far below 1
//   nearly equal         each number is the one before it, but for a small part
//
// Exponents reach from -40 to 40: products of a few numbers neither overflow nor underflow. Numbers stay in their
// domains; structures, multiples and fixed values stay as they are.

#include "testutils/numbers.hpp"
#include "testutils/shrink.hpp"

#include <assay/generators/stream.hpp>

#include <cmath>

namespace assay::testutils {

namespace {

constexpr std::int64_t largest_exponent = 40;

enum class Kind : std::uint8_t { one_magnitude, all_magnitudes, near_zero, nearly_equal };

double power_of_two(gen::Stream &stream, std::int64_t least, std::int64_t most) {
  return std::ldexp(1.0, static_cast<int>(stream.integer(least, most)));
}

bool may_change(const Parameter &parameter) {
  return parameter.fixed.empty() && parameter.element != ElementType::integer &&
         parameter.domain.structure == gen::Structure::none && parameter.domain.step == 0;
}

class Change {
public:
  Change(Kind kind, gen::Stream &stream) : kind_(kind), stream_(stream) {
    const std::int64_t most = kind == Kind::near_zero ? -largest_exponent / 2 : largest_exponent;
    factor_ = power_of_two(stream, -largest_exponent, most);
  }

  double of(double value) {
    double changed = value * factor_;
    if (kind_ == Kind::all_magnitudes)
      changed = value * power_of_two(stream_, -largest_exponent, largest_exponent);
    if (kind_ == Kind::nearly_equal)
      changed = is_first_ ? value : before_ * (1 + (stream_.integer(0, 2) - 1) * power_of_two(stream_, -20, -6));
    is_first_ = false;
    before_ = changed;
    return changed;
  }

private:
  Kind kind_;
  gen::Stream &stream_;
  double factor_ = 1, before_ = 0;
  bool is_first_ = true;
};

} // namespace

Arguments magnitude_inputs(const Signature &signature, const CheckOptions &options, unsigned sample) {
  Arguments inputs = random_inputs(signature, options, sample);
  gen::Stream stream({.seed = options.seed,
                      .suite = options.suite,
                      .name = options.name.empty() ? signature.function : options.name,
                      .purpose = "magnitude",
                      .index = sample});
  Change change(static_cast<Kind>(stream.integer(0, 3)), stream);
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    if (!may_change(parameter))
      continue;
    for (std::size_t element = 0; element < inputs[index].size(); ++element) {
      const double changed = rounded_to(parameter.element_type(element), change.of(inputs[index][element]));
      if (contains(parameter.domain, changed))
        inputs[index][element] = changed;
    }
  }
  return inputs;
}

} // namespace assay::testutils
