// Points of many magnitudes; each is of one of these kinds, in turns:
//
//   all magnitudes    each number times its own power of two
//   nearly equal      each number is the one before it, but for a small part
//   extreme           all numbers times the same power of two, from -240 to 240
//   large             all numbers times the same power of two, far above 1
//   ordered           the numbers of each argument in ascending or in descending order
//   near zero         the same, far below 1
//   equal             all numbers are the first one
//   few values        each number of an argument is the first, the second or the third one
//
// and of fair magnitudes:
//
//   fairly large      all numbers times the same power of two, somewhat above 1
//   fairly small      the same, somewhat below 1
//   fair              each number times its own power of two, not far from 1
//
// and at the ends of these, where a part that is wrong beyond some size is wrong whatever that size is:
//
//   quite large       all numbers times the same power of two, from 2^10 to 2^13
//   quite small       the same, from 2^-13 to 2^-10
//   uneven            each number times 1, or a power of two of one of these
//
// and, for registered rules, so far from 1 that squares overflow or underflow:
//
//   vast              all numbers times the same power of two, above 2^520 (of float, 2^65)
//   minute            the same, below 2^-520 (2^-65)
//
// A part of a derivative that is wrong for large or for small numbers alone hides there beside parts that are far
// larger, unless the numbers are just so large. Generated code is right at such numbers; a rule may be made for usual
// ones.
//
// Exponents reach from -40 to 40 but in extreme points: products of a few numbers neither overflow nor underflow.
// Numbers stay in their domains; structures, multiples and fixed values stay as they are.

#include "testutils/magnitudes.hpp"

#include "testutils/numbers.hpp"
#include "testutils/shrink.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace assay::testutils {

namespace {

constexpr std::int64_t largest_exponent = 40;
// The derivative of a quotient, where the function itself is finite, divides by a square: it is to be finite, too.
constexpr std::int64_t least_extreme = -240, most_extreme = 240;

constexpr std::int64_t least_fair = 6, most_fair = 13, least_quite = 10;
constexpr std::int64_t least_vast = 520, most_vast = 1000;
/// Exponents of a type beside those of double.
double range_of(ElementType type) {
  if (type == ElementType::half_precision)
    return 1.0 / 64;
  return is_coarse(type) ? 1.0 / 8 : 1;
}

enum class Kind : std::uint8_t {
  all_magnitudes,
  nearly_equal,
  extreme,
  large,
  ordered,
  near_zero,
  equal,
  few_values,
  fairly_large,
  fairly_small,
  fair,
  quite_large,
  quite_small,
  uneven,
  vast,
  minute
};
constexpr unsigned kinds = 8, fair_kinds = 3, uneven_kinds = 3, far_kinds = 2;

/// Of a sample; attempts stand in the low bits.
unsigned number_of(unsigned sample) {
  return sample >> 16U;
}

Kind kind_of(const CheckOptions &options, unsigned sample) {
  return static_cast<Kind>((options.seed % kinds + sample + number_of(sample)) % kinds);
}

double power_of_two(gen::Stream &stream, std::int64_t least, std::int64_t most) {
  return std::ldexp(1.0, static_cast<int>(stream.integer(least, most)));
}

double factor_of(std::int64_t exponent) {
  return std::ldexp(1.0, static_cast<int>(exponent));
}

class Change {
public:
  Change(Kind kind, gen::Stream &stream) : kind_(kind), stream_(stream) {
    if (is_far())
      exponent_ = (kind == Kind::vast ? 1 : -1) * stream.integer(least_vast, most_vast);
    if (kind == Kind::extreme)
      factor_ = power_of_two(stream, least_extreme, most_extreme);
    else if (kind == Kind::large)
      factor_ = power_of_two(stream, largest_exponent / 4, largest_exponent);
    else if (kind == Kind::near_zero)
      factor_ = power_of_two(stream, -largest_exponent, -largest_exponent / 2);
    else if (kind == Kind::fairly_large)
      factor_ = power_of_two(stream, least_fair, most_fair);
    else if (kind == Kind::fairly_small)
      factor_ = power_of_two(stream, -most_fair, -least_fair);
    else if (kind == Kind::quite_large)
      factor_ = power_of_two(stream, least_quite, most_fair);
    else if (kind == Kind::quite_small)
      factor_ = power_of_two(stream, -most_fair, -least_quite);
  }

  double of(double value, ElementType type) {
    const double changed = usual(value, type);
    // A half has numbers from 2^-14 to 2^16.
    constexpr int part_for_halves = 6;
    if (type != ElementType::half_precision || is_far() || changed == 0 || value == 0 || kind_ == Kind::equal ||
        kind_ == Kind::nearly_equal)
      return changed;
    return value * factor_of(std::ilogb(changed / value) / part_for_halves);
  }

private:
  double usual(double value, ElementType type) {
    double changed = value * factor_;
    if (is_far())
      changed = value * factor_of(static_cast<std::int64_t>(static_cast<double>(exponent_) * range_of(type)));
    if (kind_ == Kind::all_magnitudes)
      changed = value * power_of_two(stream_, -largest_exponent, largest_exponent);
    if (kind_ == Kind::fair)
      changed = value * power_of_two(stream_, -most_fair, most_fair);
    if (kind_ == Kind::uneven) {
      const std::int64_t sign = stream_.integer(0, 2) - 1;
      changed = value * factor_of(sign * stream_.integer(least_quite, most_fair));
    }
    if (kind_ == Kind::equal)
      changed = is_first_ ? value : before_;
    if (kind_ == Kind::nearly_equal)
      changed = is_first_ ? value : before_ * (1 + (stream_.integer(0, 2) - 1) * power_of_two(stream_, -20, -6));
    is_first_ = false;
    before_ = changed;
    return changed;
  }

  bool is_far() const { return kind_ == Kind::vast || kind_ == Kind::minute; }

  Kind kind_;
  gen::Stream &stream_;
  std::int64_t exponent_ = 0;
  double factor_ = 1, before_ = 0;
  bool is_first_ = true;
};

void repeat_first_ones(Values &values, gen::Stream &stream) {
  constexpr std::size_t few = 3;
  for (std::size_t element = few; element < values.size(); ++element)
    values[element] = values[static_cast<std::size_t>(stream.integer(0, few - 1))];
}

void order(Values &values, bool descending) {
  if (descending)
    std::sort(values.begin(), values.end(), std::greater());
  else
    std::sort(values.begin(), values.end());
}

/// In turns: every argument ascends, or descends, or every other one does.
bool descends(unsigned turn, std::size_t argument) {
  return (turn + (turn / 2) * argument) % 2 != 0;
}

Arguments inputs_of(Kind kind, const Signature &signature, const CheckOptions &options, unsigned sample) {
  Arguments inputs = random_inputs(signature, options, sample);
  gen::Stream stream({.seed = options.seed,
                      .suite = options.suite,
                      .name = options.name.empty() ? signature.function : options.name,
                      .purpose = "magnitude",
                      .index = sample});
  Change change(kind, stream);
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    if (!may_change(parameter))
      continue;
    if (kind == Kind::ordered) {
      order(inputs[index], descends(number_of(sample) / kinds, index));
      continue;
    }
    if (kind == Kind::few_values) {
      if (parameter.element_types.empty())
        repeat_first_ones(inputs[index], stream);
      continue;
    }
    for (std::size_t element = 0; element < inputs[index].size(); ++element) {
      const ElementType type = parameter.element_type(element);
      const double changed = rounded_to(type, change.of(inputs[index][element], type));
      if (contains(parameter.domain, changed) && std::isfinite(changed))
        inputs[index][element] = changed;
    }
  }
  return inputs;
}

} // namespace

Arguments magnitude_inputs(const Signature &signature, const CheckOptions &options, unsigned sample) {
  return inputs_of(kind_of(options, sample), signature, options, sample);
}

Arguments fair_magnitude_inputs(const Signature &signature, const CheckOptions &options, unsigned sample) {
  const unsigned number = (options.seed % fair_kinds + sample + number_of(sample)) % fair_kinds;
  return inputs_of(static_cast<Kind>(kinds + number), signature, options, sample);
}

Arguments uneven_magnitude_inputs(const Signature &signature, const CheckOptions &options, unsigned sample) {
  const unsigned number = (options.seed % uneven_kinds + sample + number_of(sample)) % uneven_kinds;
  return inputs_of(static_cast<Kind>(kinds + fair_kinds + number), signature, options, sample);
}

bool has_far_magnitudes(const Signature &signature, const Arguments &inputs) {
  constexpr std::int64_t least = least_vast - 40; // Of a number that was small, times such a power.
  for (std::size_t index = 0; index < inputs.size(); ++index)
    for (std::size_t element = 0; element < inputs[index].size(); ++element) {
      const ElementType type = signature.parameters[index].element_type(element);
      const double vast = factor_of(static_cast<std::int64_t>(static_cast<double>(least) * range_of(type)));
      const double size = std::abs(inputs[index][element]);
      if (type != ElementType::integer && size != 0 && (size > vast || size < 1 / vast))
        return true;
    }
  return false;
}

Arguments far_magnitude_inputs(const Signature &signature, const CheckOptions &options, unsigned sample) {
  const unsigned number = (sample + number_of(sample)) % far_kinds;
  return inputs_of(static_cast<Kind>(kinds + fair_kinds + uneven_kinds + number), signature, options, sample);
}

} // namespace assay::testutils
