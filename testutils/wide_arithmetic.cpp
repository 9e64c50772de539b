#include <assay/testing/wide_arithmetic.hpp>

#include "core/widen/difference.hpp"
#include "core/widen/run.hpp"
#include "core/widen/wide_values.hpp"
#include "testutils/requests.hpp"
#include "testutils/rounding_mode.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

namespace assay::testutils {

namespace {

/// How far the rounding of wide arithmetic itself may take a number, from two runs that round differently.
double noise_of(widen::Wide number, widen::Wide rounded_up) {
  constexpr double roundings = 16;
  return static_cast<double>(roundings * (widen::magnitude(number - rounded_up) + 0x1p-112 * widen::magnitude(number)));
}

void move(widen::Run &run, const std::vector<std::vector<NumberPlace>> &places, const Arguments &direction,
          widen::Wide step) {
  for (std::size_t index = 0; index < direction.size(); ++index)
    for (std::size_t element = 0; element < std::min(direction[index].size(), places[index].size()); ++element)
      if (const NumberPlace &place = places[index][element]; place.address)
        run.move(place.address, place.size, step * direction[index][element]);
}

/// The movements of so many numbers; what has no place does not move.
void append_movements(widen::Run &run, const std::vector<NumberPlace> &places, std::size_t count,
                      std::vector<widen::Wide> &all) {
  for (std::size_t index = 0; index < count; ++index) {
    const NumberPlace place = index < places.size() ? places[index] : NumberPlace();
    all.push_back(place.address ? run.movement(place.address, place.size) : widen::Wide(0));
  }
}

std::size_t result_size(const Signature &signature) {
  return signature.result_differentiable() ? signature.result->size() : 0;
}

std::size_t count_outputs(const Signature &signature) {
  std::size_t count = result_size(signature);
  for (const Parameter &parameter : signature.parameters)
    count += parameter.size();
  return count;
}

/// Of the result, then of all arguments.
std::vector<widen::Wide> movements(widen::Run &run, const WidePlaces &places, const Signature &signature) {
  std::vector<widen::Wide> all;
  append_movements(run, places.result, result_size(signature), all);
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    append_movements(run, places.arguments[index], signature.parameters[index].size(), all);
  return all;
}

double value_at(const NumberPlace &place) {
  const auto read = [&]<class T>(T number) {
    std::memcpy(&number, place.address, std::min(sizeof number, place.size));
    return static_cast<double>(number);
  };
  if (!place.address)
    return 0;
  return place.size == sizeof(float) ? read(0.0F) : place.size == sizeof(double) ? read(0.0) : read(0.0L);
}

/// Flat numbers, as wide arithmetic has them.
void correct(widen::Run &run, const std::vector<NumberPlace> &places, Values &numbers) {
  for (std::size_t index = 0; index < std::min(numbers.size(), places.size()); ++index)
    if (const NumberPlace &place = places[index]; place.address)
      numbers[index] =
          static_cast<double>(assay_wide_corrected(numbers[index], run.movement(place.address, place.size)));
}

/// In the order of `movements`.
std::vector<widen::Wide> corrected_numbers(const WidePlaces &places, const Signature &signature,
                                           const std::vector<widen::Wide> &corrections) {
  std::vector<widen::Wide> numbers;
  const auto append = [&](const std::vector<NumberPlace> &values, std::size_t count) {
    for (std::size_t index = 0; index < count; ++index)
      numbers.push_back(
          assay_wide_corrected(index < values.size() ? value_at(values[index]) : 0, corrections[numbers.size()]));
  };
  append(places.result, result_size(signature));
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    append(places.arguments[index], signature.parameters[index].size());
  return numbers;
}

/// Runs of the function with its inputs moved along a direction.
struct MovedRuns {
  WideCall call;
  const Signature &signature;
  const Arguments &inputs, &direction;
  WideBudget &budget;
  double roundoff = 0x1p-53;
  std::vector<widen::Wide> numbers = {}; ///< The outputs of the last run, where movements are corrections.

  widen::Reaction at(widen::Wide step) {
    widen::Run run(std::min(budget.operations, widen::Run::usual_limit));
    std::vector<widen::Wide> moved;
    call(
        inputs, [&](const WidePlaces &places) { move(run, places.arguments, direction, step); },
        [&](const WidePlaces &places) {
          moved = movements(run, places, signature);
          numbers = corrected_numbers(places, signature, moved);
        });
    roundoff =
        std::max(roundoff, std::ldexp(1, -static_cast<int>(std::min(run.fewest_bits, run.fewest_computed_bits))));
    budget.operations -= std::min(budget.operations, run.operations());
    return widen::Reaction{std::move(moved), run.losses(),        run.crossings(), run.kinks(), run.edges(), {},
                           run.has_absorbed, run.singularities(), run.most_periods};
  }
};

PreciseDerivative::Number number_of(const widen::Estimate &estimate) {
  const bool known = estimate.trouble == widen::Trouble::none;
  return {estimate.value, estimate.error, 2 * estimate.step, known};
}

PreciseDerivative derivative_of(const widen::Difference &difference, const MovedRuns &runs) {
  const Signature &signature = runs.signature;
  PreciseDerivative derivative;
  derivative.roundoff = runs.roundoff;
  derivative.not_followed = difference.losses;
  derivative.crossings = difference.crossings;
  derivative.edges = difference.edges;
  derivative.are_decisions = difference.are_decisions;
  derivative.edges_together = difference.edges_together;
  derivative.met = difference.met;
  derivative.singularities = difference.singularities;
  auto next = difference.outputs.begin();
  for (std::size_t element = 0; element < result_size(signature); ++element)
    derivative.result.push_back(number_of(*next++));
  for (const Parameter &parameter : signature.parameters) {
    derivative.contents.emplace_back();
    for (std::size_t element = 0; element < parameter.size(); ++element, ++next)
      derivative.contents.back().push_back(parameter.element == ElementType::integer ? PreciseDerivative::Number{}
                                                                                     : number_of(*next));
  }
  return derivative;
}

} // namespace

PreciseDerivative wide_derivative(WideCall call, const Signature &signature, const Arguments &inputs,
                                  const Arguments &direction, WideBudget &budget) {
  MovedRuns runs{call, signature, inputs, direction, budget};
  const widen::Difference difference = widen::differentiate([&](widen::Wide step) { return runs.at(step); },
                                                            count_outputs(signature), size_along(inputs, direction));
  return derivative_of(difference, runs);
}

PreciseDerivative corrected_derivative(WideCall call, const Signature &signature, const Arguments &inputs,
                                       const Arguments &direction, WideBudget &budget) {
  MovedRuns runs{call, signature, inputs, direction, budget};
  const std::vector<widen::Wide> rounded_up = [&] {
    const RoundingMode up(FE_UPWARD);
    static_cast<void>(runs.at(0));
    return runs.numbers;
  }();
  const widen::Reaction still = runs.at(0);
  std::vector<double> noise;
  for (std::size_t output = 0; output < runs.numbers.size(); ++output)
    noise.push_back(noise_of(runs.numbers[output], rounded_up[output]));
  const auto react = [&](widen::Wide step) {
    widen::Reaction reaction = runs.at(step);
    reaction.noise = noise;
    std::transform(reaction.movements.begin(), reaction.movements.end(), still.movements.begin(),
                   reaction.movements.begin(), [](widen::Wide moved, widen::Wide before) { return moved - before; });
    return reaction;
  };
  const widen::Difference difference = widen::differentiate(
      react, count_outputs(signature), size_along(inputs, direction), widen::Rounding::of_wide_numbers);
  return derivative_of(difference, runs);
}

WideOutcome corrected_outcome(FunctionRef<void(UseDerivative)> call, WideBudget &budget) {
  widen::Run run(std::min(budget.operations, widen::Run::usual_limit));
  WideOutcome wide;
  call([&](const DerivativeOutcome &outcome, const DerivativePlaces &places) {
    wide.as_run = wide.outcome = outcome;
    for (std::size_t lane = 0; lane < wide.outcome.result_tangents.size(); ++lane)
      correct(run, places.result_tangents[lane], wide.outcome.result_tangents[lane]);
    for (std::size_t lane = 0; lane < wide.outcome.shadows.size(); ++lane)
      for (std::size_t index = 0; index < wide.outcome.shadows[lane].size(); ++index)
        correct(run, places.shadows[lane][index], wide.outcome.shadows[lane][index]);
  });
  wide.roundoff = std::ldexp(1, -static_cast<int>(run.fewest_bits));
  budget.operations -= std::min(budget.operations, run.operations());
  wide.not_followed = run.losses();
  wide.cancelled_at = run.cancellation().site;
  return wide;
}

static void add_lane(DerivativeOutcome &all, DerivativeOutcome lane) {
  std::move(lane.result_tangents.begin(), lane.result_tangents.end(), std::back_inserter(all.result_tangents));
  std::move(lane.shadows.begin(), lane.shadows.end(), std::back_inserter(all.shadows));
}

WideOutcome outcome_by_lanes(const DerivativeRequest &request, const Combination &plain,
                             FunctionRef<WideOutcome(const DerivativeRequest &)> differentiate_in_wide) {
  WideOutcome all = differentiate_in_wide(single_lane(request, 0, plain));
  for (unsigned lane = 1; lane < request.combination.width; ++lane) {
    WideOutcome other = differentiate_in_wide(single_lane(request, lane, plain));
    add_lane(all.outcome, std::move(other.outcome));
    add_lane(all.as_run, std::move(other.as_run));
    all.roundoff = std::max(all.roundoff, other.roundoff);
    std::move(other.not_followed.begin(), other.not_followed.end(), std::back_inserter(all.not_followed));
    if (all.cancelled_at.empty())
      all.cancelled_at = std::move(other.cancelled_at);
  }
  return all;
}

} // namespace assay::testutils

void assay_wide_aside(assay::testutils::Aside *function, void *data) {
  function(data, 0, 0, 0, 0);
}
