// The derivative against an oracle. With the Jacobian J of the flat outputs y by the flat inputs x,
//
//   forward:  the tangent of output i is     sum_j J_ij x'_j      over the elements j of arguments that are not
//   constant reverse:  the derivative at input j is   sum_i y^_i J_ij      over the outputs i that have a seed or a
//   shadow
//
// Small inputs take J column by column, so that each element of the derivative is compared and can be named. For large
// ones forward takes one derivative along the tangent, and reverse compares some elements and some random directions,
// and bisects a direction that differs down to one element.

#include "testutils/finding.hpp"
#include "testutils/tolerance.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

constexpr std::size_t largest_dense_input = 192;
constexpr std::size_t sampled_elements = 24;
constexpr std::size_t sampled_directions = 2;
// Smoothness is asked about for this many differing elements.
constexpr std::size_t most_probes = 6;

bool is_active(const Combination &combination, const Place &place) {
  return (place.parameter ? combination.arguments[*place.parameter] : combination.result) != Activity::constant;
}

std::vector<Place> active_inputs(const Signature &signature, const Combination &combination) {
  std::vector<Place> places;
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    if (combination.arguments[index] != Activity::constant)
      for (std::size_t element = 0; element < signature.parameters[index].size(); ++element)
        places.push_back({index, element, 0});
  return places;
}

Arguments no_direction(const Point &point) {
  Arguments direction;
  for (const Values &values : point.inputs)
    direction.push_back(Values(values.size()));
  return direction;
}

// Compared numbers, each with how to ask whether the function is smooth there.
struct Comparisons {
  std::vector<Compared> rows;
  std::vector<std::function<fdm::Smoothness(double radius)>> probes;
  std::size_t count = 0;
};

// ---- forward ----

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

void compare_forward(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome, unsigned lane,
                     const Tolerance &tolerance, Comparisons &comparisons) {
  const std::vector<Place> &outputs = oracle.at().outputs;
  const std::vector<Expectation> expectations = expected_tangents(oracle, request, lane);
  const Values tangents = flat_tangents(outcome, lane, outputs);
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    if (!is_active(request.combination, outputs[output]))
      continue;
    comparisons.rows.push_back(
        compare(oracle.signature(), tolerance, expectations[output], tangents[output], 0, request.combination.width));
    const double ad = tangents[output], tolerated = comparisons.rows.back().comparison.tolerance;
    comparisons.probes.push_back([&oracle, &request, lane, output, ad, tolerated](double) {
      // Where the derivative along the tangent is not the sum of those along the coordinates, there is no derivative.
      const Guess along = oracle.along(request.shadows[lane])[output];
      if (std::abs(ad - along.value) <= tolerated + along.error)
        return fdm::Smoothness::kink;
      Values weights(oracle.at().outputs.size());
      weights[output] = 1;
      return oracle.smoothness(request.shadows[lane], weights, along.radius);
    });
  }
}

// ---- reverse ----

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

  Compared compare_element(Place place) const {
    place.lane = lane;
    Expectation expectation{place, weighted(oracle.column(*place.parameter, place.element)), 0};
    const std::vector<Guess> &column = oracle.column(*place.parameter, place.element);
    for (std::size_t output = 0; output < column.size(); ++output)
      expectation.magnitude += std::abs(weights[output] * column[output].value);
    return compare(oracle.signature(), tolerance, expectation, adjoint_at(outcome, place),
                   incoming_at(oracle.at(), request, place), request.combination.width);
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
    Place first = places.front();
    first.lane = lane;
    return compare(oracle.signature(), loosest(tolerance, oracle.signature()),
                   {first, weighted(oracle.along(direction)), magnitude}, adjoint, 0, request.combination.width);
  }

  std::function<fdm::Smoothness(double)> probe_at(const Place &place) const {
    Arguments direction = no_direction(oracle.at());
    direction[*place.parameter][place.element] = 1;
    return [this_oracle = &oracle, direction, copy = weights](double radius) {
      return this_oracle->smoothness(direction, copy, radius);
    };
  }

private:
  Guess weighted(const std::vector<Guess> &column) const {
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

void compare_large_gradient(const Gradient &gradient, const std::vector<Place> &inputs, const CheckOptions &options,
                            Comparisons &comparisons) {
  gen::Stream stream(
      {.seed = options.seed, .suite = options.suite, .name = options.name, .purpose = "sampled elements"});
  const auto element = [&](const Place &place) {
    comparisons.rows.push_back(gradient.compare_element(place));
    comparisons.probes.push_back(gradient.probe_at(place));
  };
  for (std::size_t count = 0; count < sampled_elements; ++count)
    element(inputs[static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(inputs.size()) - 1))]);
  for (std::size_t count = 0; count < sampled_directions; ++count) {
    Values signs(inputs.size());
    for (double &sign : signs)
      sign = stream.integer(0, 1) == 0 ? -1 : 1;
    if (gradient.compare_direction(inputs, signs).agreement == Agreement::differs)
      element(bisect(gradient, inputs, signs));
  }
  comparisons.count += inputs.size() - comparisons.rows.size(); // The directions cover all of them.
}

void compare_reverse(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome, unsigned lane,
                     const CheckOptions &options, Comparisons &comparisons) {
  const Gradient gradient{oracle, request,           outcome,
                          lane,   options.tolerance, output_weights(oracle.at(), request, lane)};
  const std::vector<Place> inputs = active_inputs(oracle.signature(), request.combination);
  if (inputs.size() > largest_dense_input)
    return compare_large_gradient(gradient, inputs, options, comparisons);
  for (const Place &place : inputs) {
    comparisons.rows.push_back(gradient.compare_element(place));
    comparisons.probes.push_back(gradient.probe_at(place));
  }
}

// ---- verdict ----

// A difference counts only where the function is smooth; the first that is decides.
bool differs_where_smooth(const Oracle &oracle, Comparisons &comparisons, Finding &finding) {
  std::size_t probed = 0;
  for (std::size_t index = 0; index < comparisons.rows.size(); ++index) {
    Compared &row = comparisons.rows[index];
    if (row.agreement != Agreement::differs)
      continue;
    const double radius = row.radius;
    const fdm::Smoothness smoothness = radius > 0 ? comparisons.probes[index](radius) : fdm::Smoothness::unknowable;
    const bool rough = smoothness == fdm::Smoothness::kink || smoothness == fdm::Smoothness::jump;
    if (!rough)
      return true;
    row.agreement = Agreement::undecided;
    finding.rough = true;
    finding.detail = fmt::format("at {} the derivative and {} disagree, but {} there", row.comparison.path,
                                 oracle.name(), fdm::describe(smoothness));
    if (++probed == most_probes)
      break;
  }
  return false;
}

std::string undecided_reason(const Oracle &oracle, const Compared &row) {
  if (const std::string excuse = oracle.excuse(); !excuse.empty())
    return fmt::format("at {}: {}", row.comparison.path, excuse);
  if (row.trouble != fdm::Trouble::none)
    return fmt::format("at {} {} cannot be trusted: {}", row.comparison.path, oracle.name(),
                       fdm::describe(row.trouble));
  return fmt::format("at {} the error of {}, {:.1e}, is too large to decide", row.comparison.path, oracle.name(),
                     row.comparison.oracle_error);
}

} // namespace

Finding check_against_oracle(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                             const CheckOptions &options) {
  Comparisons comparisons;
  for (unsigned lane = 0; lane < request.combination.width; ++lane)
    if (request.combination.mode == Mode::forward)
      compare_forward(oracle, request, outcome, lane, options.tolerance, comparisons);
    else
      compare_reverse(oracle, request, outcome, lane, options, comparisons);
  settle(comparisons.rows, oracle.signature(), options.tolerance);

  Finding finding{Verdict::pass,
                  fmt::format("derivative against {}", oracle.name()),
                  {},
                  {},
                  comparisons.rows.size() + comparisons.count};
  if (differs_where_smooth(oracle, comparisons, finding)) {
    finding.verdict = Verdict::wrong_derivative;
    finding.detail =
        fmt::format("the derivative differs from {} by more than the tolerance and their own error", oracle.name());
  }
  finding.worst = sorted_by_badness(comparisons.rows);
  if (finding.verdict == Verdict::wrong_derivative)
    return finding;
  for (const Compared &row : comparisons.rows) {
    if (row.agreement == Agreement::agrees)
      continue;
    finding.verdict = Verdict::oracle_unreliable;
    if (finding.detail.empty())
      finding.detail = undecided_reason(oracle, row);
  }
  return finding;
}

} // namespace assay::testutils
