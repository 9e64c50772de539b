#include <assay/testing/wide_arithmetic.hpp>

#include "core/widen/difference.hpp"
#include "core/widen/run.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

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

PreciseDerivative::Number number_of(const widen::Estimate &estimate) {
  const bool known = estimate.trouble == widen::Trouble::none;
  return {estimate.value, estimate.error, 2 * estimate.step, known};
}

} // namespace

PreciseDerivative wide_derivative(WideCall call, const Signature &signature, const Arguments &inputs,
                                  const Arguments &direction, WideBudget &budget) {
  PreciseDerivative derivative;
  const auto react = [&](widen::Wide step) {
    widen::Run run(std::min(budget.operations, widen::Run::usual_limit));
    std::vector<widen::Wide> moved;
    call(
        inputs, [&](const WidePlaces &places) { move(run, places.arguments, direction, step); },
        [&](const WidePlaces &places) { moved = movements(run, places, signature); });
    derivative.roundoff = std::max(derivative.roundoff, std::ldexp(1, -static_cast<int>(run.fewest_bits)));
    budget.operations -= std::min(budget.operations, run.operations());
    return widen::Reaction{std::move(moved), run.losses(), run.crossings(), run.kinks(), run.edges()};
  };
  const widen::Difference difference =
      widen::differentiate(react, count_outputs(signature), size_along(inputs, direction));
  derivative.not_followed = difference.losses;
  derivative.crossings = difference.crossings;
  derivative.edges = difference.edges;
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

} // namespace assay::testutils
