// A guess is good or it is none: where the subject does not know, the value is NaN, which leaves every comparison
// undecided.

#include "testutils/oracle.hpp"

#include "testutils/numbers.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

namespace {

Guess guess_of(const PreciseDerivative::Number &number, double coarse_roundoff) {
  Guess guess;
  guess.step = number.step;
  guess.radius = number.step;
  guess.value = number.known ? number.value : std::numeric_limits<double>::quiet_NaN();
  guess.error = number.known ? number.error : std::numeric_limits<double>::infinity();
  guess.coarse = coarse_roundoff > 0;
  guess.trouble = number.known ? fdm::Trouble::none : fdm::Trouble::steps_disagree;
  return guess;
}

} // namespace

double size_along(const Arguments &inputs, const Arguments &direction) {
  double size = 0;
  for (std::size_t index = 0; index < direction.size(); ++index)
    for (std::size_t element = 0; element < direction[index].size(); ++element) {
      const double ratio = std::abs(inputs[index][element] / direction[index][element]);
      if (std::isfinite(ratio) && ratio != 0 && (size == 0 || ratio < size))
        size = ratio;
    }
  return size;
}

std::vector<Guess> PreciseOracle::new_along(const Arguments &direction) {
  std::vector<Guess> guesses(point.outputs.size(), guess_of({}, 0));
  if (!covers())
    return guesses;
  const std::optional<PreciseDerivative> derivative = ask(direction);
  asked = true;
  offered = derivative.has_value();
  if (!offered)
    return guesses;
  if (crossings.empty())
    crossings = derivative->crossings;
  only_decisions = only_decisions && (derivative->crossings.empty() || derivative->are_decisions);
  met_edges += derivative->edges;
  if (derivative->edges_together > most_together) {
    most_together = derivative->edges_together;
    met_together = derivative->met;
  }
  if (met_singularity.empty() && !derivative->singularities.empty())
    met_singularity = derivative->singularities.front();
  met_roundoff = std::max(met_roundoff, derivative->roundoff);
  not_followed = derivative->not_followed;
  if (!not_followed.empty())
    return guesses;
  const double roundoff = coarse_roundoff(*derivative, direction);
  // Of numbers of 16 bits the roundings would be as large as faults: the derivative in wide arithmetic tells them
  // apart.
  const bool counts_roundings = !is_of_16_bits(coarsest_element(subject.signature()));
  for (std::size_t output = 0; output < guesses.size(); ++output) {
    const Place &place = point.outputs[output];
    guesses[output] = guess_of(place.parameter ? derivative->contents[*place.parameter][place.element]
                                               : derivative->result[place.element],
                               roundoff);
    if (counts_roundings)
      guesses[output].error += collected_roundings(roundoff, guesses[output].value);
  }
  return guesses;
}

double PreciseOracle::coarse_roundoff(const PreciseDerivative &derivative, const Arguments &direction) const {
  const double seen = derivative.roundoff > 0x1p-50 ? derivative.roundoff : 0;
  return std::max(seen, moved_roundoff(subject.signature(), direction));
}

std::vector<Guess> PreciseOracle::new_column(std::size_t parameter, std::size_t element) {
  Arguments direction(point.inputs.size());
  direction[parameter].resize(point.inputs[parameter].size());
  direction[parameter][element] = 1;
  return new_along(direction);
}

double WideOracle::roundoff_of_function() {
  if (!was_asked()) {
    const Arguments nowhere(point.inputs.size());
    static_cast<void>(along(nowhere));
  }
  // A run that was given up says nothing of what would have followed. Adjoints of numbers of 16 bits are added up in
  // such numbers, in whatever the function computes.
  const ElementType coarsest = coarsest_element(subject.signature());
  return covers() && !is_of_16_bits(coarsest) ? roundoff() : std::max(roundoff(), epsilon_of(coarsest) / 2);
}

std::string PreciseOracle::excuse() const {
  if (!offered)
    return "there is no wide version of the function";
  if (!not_followed.empty())
    return fmt::format("wide arithmetic does not follow {}", fmt::join(not_followed, ", "));
  if (!crossings.empty())
    return fmt::format("the point lies on the edge of {}", crossings.front());
  return {};
}

} // namespace assay::testutils
