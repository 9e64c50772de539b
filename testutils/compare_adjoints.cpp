// Reverse mode beside the oracle.

#include "testutils/oracle_comparison.hpp"

#include "testutils/numbers.hpp"
#include "testutils/tolerance.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace assay::testutils {

namespace {

/// Beside the first, the last, the largest and the smallest one.
constexpr std::size_t random_elements = 4;
constexpr std::size_t directions_through_all = 2;
/// Of differences in float, whose own error grows with what the function sums up; a part has no fewer elements than are
/// compared one by one.
constexpr std::size_t most_parts = 16;
/// Of one element against another, along a direction through all.
constexpr double longest_step = 64;

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

/// Of those that are neither zero nor infinite; 0 where there are none.
double median_of(Values sizes) {
  std::erase_if(sizes, [](double size) { return !(size > 0) || !std::isfinite(size); });
  if (sizes.empty())
    return 0;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

/// Along a direction.
struct Distance {
  double apart;
  double error;  ///< Of the oracle.
  bool is_known; ///< To the oracle.

  /// Of the other half of a direction.
  Distance without(const Distance &half) const {
    return {apart - half.apart, error + half.error, is_known && half.is_known};
  }
};

// Reverse mode at one point and lane: what the gradient should be, by element or along a direction.
struct Gradient {
  Oracle &oracle;
  const DerivativeRequest &request;
  const DerivativeOutcome &outcome;
  unsigned lane;
  const Tolerance &tolerance;
  Values weights;
  double largest = 0;                               // Of the numbers that are expected.
  double size_of_outputs = 0;                       // <|w|, |y|>
  std::vector<std::pair<Place, double>> known = {}; // Elements that are wrong, and by how much.

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

  /// How far <J^T w, v> of the derivative is from <w, J v>, without the elements that are known to be wrong.
  Distance distance_along(const std::vector<Place> &places, const Values &steps) const {
    Arguments direction = no_direction(oracle.at());
    double adjoint = 0;
    for (std::size_t index = 0; index < places.size(); ++index) {
      direction[*places[index].parameter][places[index].element] = steps[index];
      adjoint += steps[index] * (adjoint_alone(places[index]) - known_distance(places[index]));
    }
    const std::vector<Guess> &column = oracle.along(direction);
    const Guess expected = weighted(weights, column);
    const double error = oracle.is_coarse_in_float() ? expected.error : independent_error(weights, column);
    return {adjoint - expected.value, error, std::isfinite(expected.value) && std::isfinite(expected.error)};
  }

  /// The distance beside what one element may be off by, the rounding of all and the oracle's error: beyond 1 an
  /// element is worth a look. What the tolerances of all add up to would hide a fault of one of them.
  double excess(const std::vector<Place> &places, const Values &steps, const Distance &distance) const {
    double squares = 0, largest_part = 0, allowed = 0;
    for (std::size_t index = 0; index < places.size(); ++index) {
      const double part = steps[index] * adjoint_alone(places[index]);
      squares += part * part;
      largest_part = std::max(largest_part, std::abs(part));
      allowed = std::max(allowed, std::abs(steps[index]) * rounding_above_shadow(in_lane(places[index])));
    }
    const Tolerance loose = loosest(tolerance, oracle.signature());
    const ElementType type = coarsest_of(places);
    allowed += relative_tolerance(loose, type) * largest_part + scaled_absolute_tolerance(loose, type, largest_part) +
               rounding_of_sum(type) * std::sqrt(squares) + error_margin * distance.error;
    const double excess = distance.apart == 0 ? 0 : std::abs(distance.apart) / allowed;
    return std::isnan(excess) && distance.is_known ? std::numeric_limits<double>::infinity() : excess;
  }

  /// What the derivative gives in its first lane, whose directions serve all lanes.
  double adjoint_of_first_lane(Place place) const {
    place.lane = 0;
    return adjoint_at(outcome, place) - incoming_at(oracle.at(), request, place);
  }

  static Guess weighted(const Values &weights, const std::vector<Guess> &column) {
    Guess sum;
    for (std::size_t output = 0; output < column.size(); ++output)
      sum.add(weights[output], column[output]);
    return sum;
  }

private:
  Place in_lane(Place place) const {
    place.lane = lane;
    return place;
  }

  /// Without what the shadow held.
  double adjoint_alone(const Place &place) const {
    return adjoint_at(outcome, in_lane(place)) - incoming_at(oracle.at(), request, in_lane(place));
  }

  double known_distance(const Place &place) const {
    const auto found = std::find_if(known.begin(), known.end(), [&](const std::pair<Place, double> &one) {
      return one.first.parameter == place.parameter && one.first.element == place.element;
    });
    return found == known.end() ? 0 : found->second;
  }

  ElementType type_at(const Place &place) const {
    return parameter_at(oracle.signature(), place).element_type(place.element);
  }

  /// The precision of the sum.
  ElementType coarsest_of(const std::vector<Place> &places) const {
    const auto is_finer = [&](const Place &left, const Place &right) {
      return epsilon_of(type_at(left)) < epsilon_of(type_at(right));
    };
    return type_at(*std::max_element(places.begin(), places.end(), is_finer));
  }

  /// Of a sum that the number is taken from again.
  double rounding_above_shadow(const Place &place) const {
    return epsilon_of(type_at(place)) * std::abs(incoming_at(oracle.at(), request, place));
  }

  /// The roundings of many outputs do not all have one sign; their sum would hide an element that is wrong.
  static double independent_error(const Values &weights, const std::vector<Guess> &column) {
    double squares = 0;
    for (std::size_t output = 0; output < column.size(); ++output)
      if (weights[output] != 0)
        squares += std::pow(weights[output] * column[output].error, 2);
    return std::sqrt(squares);
  }
};

Probe probe_adjoint(Oracle &oracle, const Place &place, const Values &weights, double radius) {
  Arguments direction = no_direction(oracle.at());
  direction[*place.parameter][place.element] = 1;
  const auto smoothness = [&oracle, direction, weights, radius](Agreement) {
    return oracle.smoothness(direction, weights, radius);
  };
  const auto again = [&oracle, place, weights](const Look &look) -> std::optional<Guess> {
    const std::vector<Guess> column = oracle.column_again(*place.parameter, place.element, look);
    return column.empty() ? std::nullopt : std::optional(Gradient::weighted(weights, column));
  };
  const auto as_expected = [&oracle, direction, weights](double expected) {
    return follows(oracle, direction, weights, expected);
  };
  const auto quotient = [&oracle, direction, weights](double step) {
    return oracle.quotient_along(direction, weights, step);
  };
  return {smoothness, again, quotient, as_expected};
}

/// Rows with their probes, which share the weights.
class Rows {
public:
  Rows(const Gradient &gradient, OracleComparisons &comparisons)
      : gradient(gradient), comparisons(comparisons), weights(std::make_shared<const Values>(gradient.weights)) {}

  void add(const Place &place) const {
    comparisons.rows.push_back(gradient.compare_element(place));
    comparisons.probes.emplace_back(
        [&oracle = gradient.oracle, place, shared = weights, radius = comparisons.rows.back().radius] {
          return probe_adjoint(oracle, place, *shared, radius);
        });
  }

private:
  const Gradient &gradient;
  OracleComparisons &comparisons;
  std::shared_ptr<const Values> weights;
};

/// Halves the places until one is left that carries most of the distance; none, where many carry it.
std::optional<Place> bisect(const Gradient &gradient, std::vector<Place> places, Values steps, Distance whole) {
  while (places.size() > 1) {
    const auto half = static_cast<std::ptrdiff_t>(places.size() / 2);
    const std::vector<Place> front(places.begin(), places.begin() + half), back(places.begin() + half, places.end());
    const Values front_steps(steps.begin(), steps.begin() + half), back_steps(steps.begin() + half, steps.end());
    const Distance in_front = gradient.distance_along(front, front_steps);
    Distance behind = whole.without(in_front);
    if (gradient.oracle.is_coarse_in_float() || !std::isfinite(behind.apart)) // Errors of differences would add up.
      behind = gradient.distance_along(back, back_steps);
    const double excess_in_front = gradient.excess(front, front_steps, in_front);
    const double excess_behind = gradient.excess(back, back_steps, behind);
    if (!(std::max(excess_in_front, excess_behind) > 1))
      return std::nullopt;
    const bool is_in_front = !(excess_in_front < excess_behind);
    places = is_in_front ? front : back;
    steps = is_in_front ? front_steps : back_steps;
    whole = is_in_front ? in_front : behind;
  }
  return places.front();
}

/// The directions through many elements: each element has about the same part in the sum, so that a small one that is
/// wrong does not hide beside large ones.
class BalancedDirections {
public:
  BalancedDirections(const Gradient &gradient, const std::vector<Place> &inputs, gen::Stream &stream)
      : gradient(gradient), inputs(inputs), stream(stream) {
    for (const Place &place : inputs)
      sizes.push_back(std::abs(gradient.adjoint_of_first_lane(place)));
    typical = median_of(sizes);
  }

  std::vector<Place> sample() {
    const auto [smallest, largest] = extremes();
    std::vector<std::size_t> chosen{0, inputs.size() - 1, largest, smallest};
    for (std::size_t count = 0; count < random_elements; ++count)
      chosen.push_back(static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(inputs.size()) - 1)));
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    std::vector<Place> places;
    for (const std::size_t index : chosen)
      places.push_back(inputs[index]);
    return places;
  }

  /// `differs` is called with the places, steps and distance of each direction that does.
  template <class Differs>
  void compare(Differs &&differs) {
    for (std::size_t count = 0; count < directions_through_all; ++count)
      compare_one(inputs, sizes, typical, differs);
    if (gradient.oracle.is_coarse_in_float() && is_coarse(coarsest_element(gradient.oracle.signature())))
      compare_parts(differs);
    std::vector<Place> small;
    Values small_sizes;
    for (std::size_t index = 0; index < inputs.size(); ++index)
      if (!(sizes[index] * longest_step >= typical)) {
        small.push_back(inputs[index]);
        small_sizes.push_back(sizes[index]);
      }
    if (!small.empty() && small.size() < inputs.size())
      compare_one(small, small_sizes, median_of(small_sizes), differs);
  }

private:
  template <class Differs>
  void compare_parts(Differs &&differs) {
    const std::size_t length = std::max(largest_dense_input, (inputs.size() + most_parts - 1) / most_parts);
    for (std::size_t first = 0; first < inputs.size(); first += length) {
      const auto begin = static_cast<std::ptrdiff_t>(first);
      const auto end = static_cast<std::ptrdiff_t>(std::min(first + length, inputs.size()));
      compare_one({inputs.begin() + begin, inputs.begin() + end}, {sizes.begin() + begin, sizes.begin() + end}, typical,
                  differs);
    }
  }

  /// The smallest that is not zero, and the largest.
  std::pair<std::size_t, std::size_t> extremes() const {
    std::size_t smallest = 0, largest = 0;
    for (std::size_t index = 0; index < sizes.size(); ++index) {
      if (sizes[index] > sizes[largest])
        largest = index;
      if (sizes[index] > 0 && (!(sizes[smallest] > 0) || sizes[index] < sizes[smallest]))
        smallest = index;
    }
    return {smallest, largest};
  }

  /// A power of two: the same for all seeds, so that the oracle is asked once.
  static double step_for(double size, double typical) {
    const double ratio = typical / size;
    return size > 0 && std::isfinite(ratio) && ratio > 0
               ? std::clamp(std::exp2(std::round(std::log2(ratio))), 1 / longest_step, longest_step)
               : 1;
  }

  template <class Differs>
  void compare_one(const std::vector<Place> &places, const Values &sizes_there, double typical_there,
                   Differs &&differs) {
    Values steps;
    for (const double size : sizes_there)
      steps.push_back((stream.integer(0, 1) == 0 ? -1 : 1) * step_for(size, typical_there));
    const Distance distance = gradient.distance_along(places, steps);
    if (gradient.excess(places, steps, distance) > 1)
      differs(places, steps, distance);
  }

  const Gradient &gradient;
  const std::vector<Place> &inputs;
  gen::Stream &stream;
  Values sizes;
  double typical = 0;
};

void compare_large_gradient(Gradient &gradient, const std::vector<Place> &inputs, const CheckOptions &options,
                            OracleComparisons &comparisons) {
  gen::Stream stream(
      {.seed = options.seed, .suite = options.suite, .name = options.name, .purpose = "sampled elements"});
  const std::size_t rows_before = comparisons.rows.size();
  const Rows rows(gradient, comparisons);
  const auto row_at = [&](const Place &place) {
    return std::find_if(comparisons.rows.begin() + static_cast<std::ptrdiff_t>(rows_before), comparisons.rows.end(),
                        [&](const Compared &row) {
                          return row.comparison.place.parameter == place.parameter &&
                                 row.comparison.place.element == place.element;
                        });
  };
  BalancedDirections directions(gradient, inputs, stream);
  const std::vector<Place> sample = directions.sample();
  gradient.find_largest(sample);
  for (const Place &place : sample)
    rows.add(place);
  directions.compare([&](const std::vector<Place> &places, const Values &steps, const Distance &distance) {
    const std::optional<Place> place = bisect(gradient, places, steps, distance);
    if (!place)
      return;
    if (row_at(*place) == comparisons.rows.end())
      rows.add(*place);
    const Comparison &row = row_at(*place)->comparison;
    if (const double apart = row.ad - row.expected; std::isfinite(apart))
      gradient.known.emplace_back(*place, apart);
  });
  const std::size_t listed = comparisons.rows.size() - rows_before;
  comparisons.unlisted += inputs.size() - std::min(inputs.size(), listed); // The directions cover all of them.
}

} // namespace

bool is_small_beside_incoming(const Signature &signature, const DerivativeRequest &request,
                              const DerivativeOutcome &plain, const Tolerance &tolerance) {
  const std::vector<Place> inputs = active_inputs(signature, request.combination);
  if (inputs.size() <= largest_dense_input)
    return false;
  double largest_rounding = 0;
  Values sizes;
  for (Place place : inputs)
    for (place.lane = 0; place.lane < request.combination.width; ++place.lane) {
      const ElementType type = parameter_at(signature, place).element_type(place.element);
      const double number = std::abs(adjoint_at(plain, place));
      const Values &shadow = request.shadows[place.lane][*place.parameter];
      const double incoming = place.element < shadow.size() ? std::abs(shadow[place.element]) : 0;
      largest_rounding = std::max(largest_rounding, epsilon_of(type) * incoming);
      sizes.push_back(relative_tolerance(tolerance_at(tolerance, signature, place), type) * number);
    }
  return longest_step * largest_rounding > median_of(sizes);
}

void compare_adjoints(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome, unsigned lane,
                      const CheckOptions &options, OracleComparisons &comparisons) {
  Gradient gradient{oracle, request, outcome, lane, options.tolerance, output_weights(oracle.at(), request, lane)};
  const std::vector<Place> inputs = active_inputs(oracle.signature(), request.combination);
  if (inputs.size() > largest_dense_input)
    return compare_large_gradient(gradient, inputs, options, comparisons);
  gradient.find_largest(inputs);
  const Rows rows(gradient, comparisons);
  for (const Place &place : inputs)
    rows.add(place);
}

} // namespace assay::testutils
