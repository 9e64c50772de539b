// Reverse mode beside the oracle.

#include "testutils/oracle_comparison.hpp"
#include "testutils/tolerance.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::testutils {

namespace {

constexpr std::size_t sampled_elements = 24;
constexpr std::size_t sampled_directions = 2;

// <|w|, |y|>: what the function gives, in the units of the derivative times those of the inputs.
double size_by(const Point &point, const Values &weights) {
  const Values outputs = flat_outputs(point.primal, point.outputs);
  double size = 0;
  for (std::size_t output = 0; output < outputs.size(); ++output)
    size += std::abs(weights[output] * outputs[output]);
  return size;
}

double incoming_at(const Point &point, const DerivativeRequest &request, const Place &place) {
  const Values &shadow = request.shadows[place.lane][*place.parameter];
  return point.written[*place.parameter] || shadow.empty() ? 0 : shadow[place.element];
}

double adjoint_at(const DerivativeOutcome &outcome, const Place &place) {
  const Values &values = outcome.shadows[place.lane][*place.parameter];
  return place.element < values.size() ? values[place.element] : std::numeric_limits<double>::quiet_NaN();
}

// Reverse mode at one point and lane: what the gradient should be, by element or along a direction.
struct Gradient {
  Oracle &oracle;
  const DerivativeRequest &request;
  const DerivativeOutcome &outcome;
  unsigned lane;
  const Tolerance &tolerance;
  Values weights;
  double largest = 0;         // Of the numbers that are expected.
  double size_of_outputs = 0; // <|w|, |y|>

  Expectation expected_at(Place place) const {
    place.lane = lane;
    const std::vector<Guess> &column = oracle.column(*place.parameter, place.element);
    Expectation expectation{place, weighted(weights, column), 0};
    for (std::size_t output = 0; output < column.size(); ++output)
      expectation.magnitude += std::abs(weights[output] * column[output].value);
    const double x = oracle.at().inputs[*place.parameter][place.element];
    expectation.scale = std::max(largest, natural_scale(size_of_outputs, x));
    return expectation;
  }

  void find_largest(const std::vector<Place> &places) {
    size_of_outputs = size_by(oracle.at(), weights);
    std::vector<Expectation> all;
    for (const Place &place : places)
      all.push_back(expected_at(place));
    largest = scale_of(all);
  }

  Compared compare_element(const Place &place) const {
    const Expectation expectation = expected_at(place);
    return compare(oracle.signature(), tolerance, expectation, adjoint_at(outcome, expectation.place),
                   incoming_at(oracle.at(), request, expectation.place), request.combination.width);
  }

  // <J^T w, v> of the derivative against <w, J v>; stands at `place` for want of a better one.
  Compared compare_direction(const std::vector<Place> &places, const Values &signs) const {
    Arguments direction = no_direction(oracle.at());
    double adjoint = 0;
    double magnitude = 0;
    for (std::size_t index = 0; index < places.size(); ++index) {
      Place place = places[index];
      place.lane = lane;
      direction[*place.parameter][place.element] = signs[index];
      const double one = adjoint_at(outcome, place) - incoming_at(oracle.at(), request, place);
      adjoint += signs[index] * one;
      magnitude += std::abs(one);
    }
    Place first = coarsest_of(places);
    first.lane = lane;
    return compare(oracle.signature(), loosest(tolerance, oracle.signature()),
                   {first, weighted(weights, oracle.along(direction)), magnitude}, adjoint, 0,
                   request.combination.width);
  }

  Probe probe_at(const Place &place, double radius) const {
    Arguments direction = no_direction(oracle.at());
    direction[*place.parameter][place.element] = 1;
    const auto smoothness = [this_oracle = &oracle, direction, copy = weights, radius](Agreement) {
      return this_oracle->smoothness(direction, copy, radius);
    };
    const auto again = [this_oracle = &oracle, place, copy = weights](const Look &look) -> std::optional<Guess> {
      const std::vector<Guess> column = this_oracle->column_again(*place.parameter, place.element, look);
      return column.empty() ? std::nullopt : std::optional(weighted(copy, column));
    };
    const auto as_expected = [this_oracle = &oracle, direction, copy = weights](double expected) {
      return follows(*this_oracle, direction, copy, expected);
    };
    return {smoothness, again, as_expected};
  }

private:
  /// One whose precision is that of the sum.
  Place coarsest_of(const std::vector<Place> &places) const {
    const auto is_single = [&](const Place &place) {
      return parameter_at(oracle.signature(), place).element_type(place.element) == ElementType::single_precision;
    };
    const auto single = std::find_if(places.begin(), places.end(), is_single);
    return single == places.end() ? places.front() : *single;
  }

  static Guess weighted(const Values &weights, const std::vector<Guess> &column) {
    Guess sum;
    for (std::size_t output = 0; output < column.size(); ++output)
      sum.add(weights[output], column[output]);
    return sum;
  }
};

// Halves the places until one is left that carries the difference.
Place bisect(const Gradient &gradient, std::vector<Place> places, Values signs) {
  while (places.size() > 1) {
    const auto half = static_cast<std::ptrdiff_t>(places.size() / 2);
    const std::vector<Place> front(places.begin(), places.begin() + half);
    const Values front_signs(signs.begin(), signs.begin() + half);
    if (gradient.compare_direction(front, front_signs).agreement == Agreement::differs) {
      places = front;
      signs = front_signs;
    } else {
      places.erase(places.begin(), places.begin() + half);
      signs.erase(signs.begin(), signs.begin() + half);
    }
  }
  return places.front();
}

void compare_large_gradient(Gradient &gradient, const std::vector<Place> &inputs, const CheckOptions &options,
                            OracleComparisons &comparisons) {
  gen::Stream stream(
      {.seed = options.seed, .suite = options.suite, .name = options.name, .purpose = "sampled elements"});
  const auto element = [&](const Place &place) {
    comparisons.rows.push_back(gradient.compare_element(place));
    comparisons.probes.push_back(gradient.probe_at(place, comparisons.rows.back().radius));
  };
  std::vector<Place> sample;
  for (std::size_t count = 0; count < sampled_elements; ++count)
    sample.push_back(inputs[static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(inputs.size()) - 1))]);
  gradient.find_largest(sample);
  for (const Place &place : sample)
    element(place);
  for (std::size_t count = 0; count < sampled_directions; ++count) {
    Values signs(inputs.size());
    for (double &sign : signs)
      sign = stream.integer(0, 1) == 0 ? -1 : 1;
    if (gradient.compare_direction(inputs, signs).agreement == Agreement::differs)
      element(bisect(gradient, inputs, signs));
  }
  comparisons.unlisted += inputs.size() - comparisons.rows.size(); // The directions cover all of them.
}

} // namespace

void compare_adjoints(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome, unsigned lane,
                      const CheckOptions &options, OracleComparisons &comparisons) {
  Gradient gradient{oracle, request, outcome, lane, options.tolerance, output_weights(oracle.at(), request, lane)};
  const std::vector<Place> inputs = active_inputs(oracle.signature(), request.combination);
  if (inputs.size() > largest_dense_input)
    return compare_large_gradient(gradient, inputs, options, comparisons);
  gradient.find_largest(inputs);
  for (const Place &place : inputs) {
    comparisons.rows.push_back(gradient.compare_element(place));
    comparisons.probes.push_back(gradient.probe_at(place, comparisons.rows.back().radius));
  }
}

} // namespace assay::testutils
