// Forward mode beside the oracle.

#include "testutils/oracle_comparison.hpp"
#include "testutils/tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

bool is_active(const Combination &combination, const Place &place) {
  return (place.parameter ? combination.arguments[*place.parameter] : combination.result) != Activity::constant;
}

std::vector<Expectation> expected_tangents(Oracle &oracle, const DerivativeRequest &request, unsigned lane) {
  const Point &point = oracle.at();
  const std::vector<Place> inputs = active_inputs(oracle.signature(), request.combination);
  std::vector<Expectation> expectations;
  for (const Place &place : point.outputs)
    expectations.push_back({{place.parameter, place.element, lane}, {}, 0});
  if (inputs.size() > largest_dense_input) {
    const std::vector<Guess> along = oracle.along(request.shadows[lane]);
    for (std::size_t output = 0; output < along.size(); ++output) {
      expectations[output].guess = along[output];
      expectations[output].magnitude = std::abs(along[output].value);
    }
    return expectations;
  }
  for (const Place &input : inputs) {
    const double tangent = request.shadows[lane][*input.parameter][input.element];
    const std::vector<Guess> &column = oracle.column(*input.parameter, input.element);
    for (std::size_t output = 0; output < column.size(); ++output) {
      expectations[output].guess.add(tangent, column[output]);
      expectations[output].magnitude += std::abs(tangent * column[output].value);
    }
  }
  return expectations;
}

// A kink that is small beside what else moves along the tangent shows where its own coordinate moves alone.
fdm::Smoothness along_coordinates(Oracle &oracle, const DerivativeRequest &request, unsigned lane,
                                  const Values &weights) {
  for (const Place &input : active_inputs(oracle.signature(), request.combination)) {
    Arguments direction = no_direction(oracle.at());
    direction[*input.parameter][input.element] = request.shadows[lane][*input.parameter][input.element];
    double radius = 0;
    for (const Guess &guess : oracle.along(direction))
      radius = std::max(radius, guess.radius);
    const fdm::Smoothness smoothness = oracle.smoothness(direction, weights, radius);
    if (is_rough(smoothness))
      return smoothness;
  }
  return fdm::Smoothness::smooth;
}

Probe probe_tangent(Oracle &oracle, const DerivativeRequest &request, unsigned lane, std::size_t output, double ad,
                    double tolerated) {
  const auto smoothness = [&oracle, &request, lane, output, ad, tolerated](Agreement agreement) {
    // Where the derivative along the tangent is not the sum of those along the coordinates, there is no derivative.
    const Guess along = oracle.along(request.shadows[lane])[output];
    if (agreement == Agreement::differs && std::abs(ad - along.value) <= tolerated + along.error)
      return fdm::Smoothness::kink;
    Values weights(oracle.at().outputs.size());
    weights[output] = 1;
    const fdm::Smoothness together = oracle.smoothness(request.shadows[lane], weights, along.radius);
    return is_rough(together) || std::isfinite(ad) ? together : along_coordinates(oracle, request, lane, weights);
  };
  const auto again = [&oracle, &request, lane, output](const Look &look) -> std::optional<Guess> {
    const std::vector<Guess> along = oracle.along_again(request.shadows[lane], look);
    return along.empty() ? std::nullopt : std::optional(along[output]);
  };
  Values weights(oracle.at().outputs.size());
  weights[output] = 1;
  const auto quotient = [&oracle, &request, lane, weights](double step) {
    return oracle.quotient_along(request.shadows[lane], weights, step);
  };
  const auto as_expected = [&oracle, &request, lane, weights](double expected) {
    return follows(oracle, request.shadows[lane], weights, expected);
  };
  return {smoothness, again, quotient, as_expected};
}

// The inputs move by no more than this part of their size.
void set_scales(std::vector<Expectation> &expectations, const Point &point, const Arguments &tangent) {
  const double largest = scale_of(expectations), size = size_along(point.inputs, tangent);
  const Values outputs = flat_outputs(point.primal, point.outputs);
  for (std::size_t output = 0; output < expectations.size(); ++output)
    expectations[output].scale = std::max(largest, natural_scale(std::abs(outputs[output]), size));
}

} // namespace

void compare_tangents(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome, unsigned lane,
                      const Tolerance &tolerance, OracleComparisons &comparisons) {
  const std::vector<Place> &outputs = oracle.at().outputs;
  std::vector<Expectation> expectations = expected_tangents(oracle, request, lane);
  set_scales(expectations, oracle.at(), request.shadows[lane]);
  const Values tangents = flat_tangents(outcome, lane, outputs);
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    if (!is_active(request.combination, outputs[output]))
      continue;
    comparisons.rows.push_back(
        compare(oracle.signature(), tolerance, expectations[output], tangents[output], 0, request.combination.width));
    const Comparison &row = comparisons.rows.back().comparison;
    comparisons.probes.emplace_back([&oracle, &request, lane, output, ad = row.ad, tolerated = row.tolerance] {
      return probe_tangent(oracle, request, lane, output, ad, tolerated);
    });
  }
}

} // namespace assay::testutils
