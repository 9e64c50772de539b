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
#include "testutils/one_sided.hpp"
#include "testutils/tolerance.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

constexpr std::size_t largest_dense_input = 192;
constexpr std::size_t sampled_elements = 24;
constexpr std::size_t sampled_directions = 2;
// Smoothness is asked about for this many elements.
constexpr std::size_t most_probes = 6;
// So many numbers are compared with differences to one side.
constexpr std::size_t most_one_sided = 64;
// Differences to one side that agree to this part of their value are not known to be better.
constexpr double converged_part = 1e-10;
// How often the oracle looks eight times closer at a number that differs.
constexpr unsigned most_closer_looks = 12;

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

// What can be asked about the function where a number stands.
struct Probe {
  // Of a number that differs, or agrees by chance.
  std::function<fdm::Smoothness(Agreement)> smoothness;
  // The oracle's value from other points, if it has a second look.
  std::function<std::optional<Guess>(const Look &)> again;
  // Whether the function itself changes as the number that is expected says.
  std::function<bool(double expected)> follows;
};

struct Comparisons {
  std::vector<Compared> rows;
  std::vector<Probe> probes;
  std::size_t count = 0;
};

// Whether small movements show in the function as `expected` says: where they are lost in its rounding, a derivative
// far below 1 is what is left of numbers that cancel, and AD's own arithmetic may leave something else.
bool follows(const Oracle &oracle, const Arguments &direction, const Values &weights, double expected) {
  constexpr double part = 1.0 / 4;
  const auto change = oracle.change_along(direction, weights);
  return change && std::abs(change->first - expected * change->second) <= part * std::abs(expected * change->second);
}

// <|w|, |y|>: what the function gives, in the units of the derivative times those of the inputs.
double size_by(const Point &point, const Values &weights) {
  const Values outputs = flat_outputs(point.primal, point.outputs);
  double size = 0;
  for (std::size_t output = 0; output < outputs.size(); ++output)
    size += std::abs(weights[output] * outputs[output]);
  return size;
}

// A derivative that changes y by its whole size when x changes by its own. Where x is 0 there is no such thing.
double natural_scale(double y, double x) {
  return x == 0 ? std::numeric_limits<double>::infinity() : y / std::abs(x);
}

bool is_rough(fdm::Smoothness smoothness) {
  return smoothness == fdm::Smoothness::kink || smoothness == fdm::Smoothness::jump;
}

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

Probe probe_tangent(Oracle &oracle, const DerivativeRequest &request, unsigned lane, std::size_t output,
                    const Comparison &row) {
  const double ad = row.ad, tolerated = row.tolerance;
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
  const auto as_expected = [&oracle, &request, lane, output](double expected) {
    Values weights(oracle.at().outputs.size());
    weights[output] = 1;
    return follows(oracle, request.shadows[lane], weights, expected);
  };
  return {smoothness, again, as_expected};
}

// The inputs move by no more than this part of their size.
void set_scales(std::vector<Expectation> &expectations, const Point &point, const Arguments &tangent) {
  const double largest = scale_of(expectations), size = size_along(point.inputs, tangent);
  const Values outputs = flat_outputs(point.primal, point.outputs);
  for (std::size_t output = 0; output < expectations.size(); ++output)
    expectations[output].scale = std::max(largest, natural_scale(std::abs(outputs[output]), size));
}

void compare_forward(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome, unsigned lane,
                     const Tolerance &tolerance, Comparisons &comparisons) {
  const std::vector<Place> &outputs = oracle.at().outputs;
  std::vector<Expectation> expectations = expected_tangents(oracle, request, lane);
  set_scales(expectations, oracle.at(), request.shadows[lane]);
  const Values tangents = flat_tangents(outcome, lane, outputs);
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    if (!is_active(request.combination, outputs[output]))
      continue;
    comparisons.rows.push_back(
        compare(oracle.signature(), tolerance, expectations[output], tangents[output], 0, request.combination.width));
    comparisons.probes.push_back(probe_tangent(oracle, request, lane, output, comparisons.rows.back().comparison));
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
                            Comparisons &comparisons) {
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
  comparisons.count += inputs.size() - comparisons.rows.size(); // The directions cover all of them.
}

void compare_reverse(Oracle &oracle, const DerivativeRequest &request, const DerivativeOutcome &outcome, unsigned lane,
                     const CheckOptions &options, Comparisons &comparisons) {
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

// ---- verdict ----

// The differences' own estimates of their errors see the kink as well; how far differences of several lengths lie apart
// tells how well they converge.
std::optional<Guess> from_one_side(const Probe &probe, Look::Side side, double radius) {
  std::optional<Guess> longest = probe.again({.range = radius, .side = side});
  if (!longest)
    return longest;
  double apart = 0;
  for (const double part : {1.0 / 8, 1.0 / 64}) {
    const std::optional<Guess> shorter = probe.again({.range = part * radius, .side = side});
    apart = std::max(apart, shorter ? std::abs(shorter->value - longest->value) : 0);
  }
  longest->error = 3 * apart + converged_part * std::abs(longest->value);
  return longest;
}

// Differences of two lengths: noise alone does not blur both in the same way.
bool looks_one_sided(const Probe &probe, const Compared &row) {
  for (const double part : {1.0, 1.0 / 4}) {
    const auto below = probe.again({.range = part * row.radius, .side = Look::Side::below}),
               above = probe.again({.range = part * row.radius, .side = Look::Side::above});
    if (!below || !above || !looks_one_sided(row, *below, *above))
      return false;
  }
  return true;
}

// A derivative that is right is what differences come to closer to the point, however short the scale is on which the
// function varies; beside or at a kink that is too weak to be seen, it is the slope on one side.
bool is_right_at_a_second_look(const Probe &probe, const Compared &row) {
  const auto confirms = [&](const Look &look) {
    const std::optional<Guess> other = probe.again(look);
    return other && is_confirmed_by(row, *other);
  };
  if (confirms({.side = Look::Side::above}) || confirms({.side = Look::Side::below}))
    return true;
  const auto below = from_one_side(probe, Look::Side::below, row.radius),
             above = from_one_side(probe, Look::Side::above, row.radius);
  if (below && above && may_lie_between_sides(row, *below, *above))
    return true;
  if (looks_one_sided(probe, row))
    return true;
  double range = row.radius;
  for (unsigned look = 0; look < most_closer_looks; ++look)
    if (confirms({.range = range /= 8}))
      return true;
  return false;
}

// Why a number that differs, or agrees by chance, says nothing; empty where it does say what it seems to.
std::string excuse_for(const Oracle &oracle, const Probe &probe, const Compared &row, Finding &finding) {
  if (!(row.radius > 0))
    return {};
  const fdm::Smoothness smoothness = probe.smoothness(row.agreement);
  finding.rough |= is_rough(smoothness);
  if (row.agreement == Agreement::agrees)
    return is_rough(smoothness) ? fmt::format("at {} the derivative and {} agree, but {} there", row.comparison.path,
                                              oracle.name(), fdm::describe(smoothness))
                                : "";
  if (is_rough(smoothness))
    return fmt::format("at {} the derivative and {} disagree, but {} there", row.comparison.path, oracle.name(),
                       fdm::describe(smoothness));
  if (is_right_at_a_second_look(probe, row))
    return fmt::format(
        "at {} the derivative and {} disagree, but closer to the point, or on one side of it, they agree",
        row.comparison.path, oracle.name());
  return {};
}

// What the rounding of the function hides cannot be told from zero.
void accept_hidden(Comparisons &comparisons) {
  for (std::size_t index = 0; index < comparisons.rows.size(); ++index) {
    Compared &row = comparisons.rows[index];
    if (row.agreement != Agreement::differs || !row.by_scale ||
        comparisons.probes[index].follows(row.comparison.expected))
      continue;
    row.agreement = Agreement::agrees;
    row.absolute = std::max(std::abs(row.comparison.ad), std::abs(row.comparison.expected));
  }
}

// A difference counts only where the function is smooth; the first that is decides. An agreement by chance is none
// where it is not.
bool differs_where_smooth(const Oracle &oracle, Comparisons &comparisons, Finding &finding) {
  std::size_t probed = 0;
  for (std::size_t index = 0; index < comparisons.rows.size() && probed < most_probes; ++index) {
    Compared &row = comparisons.rows[index];
    if (row.agreement != Agreement::differs && !row.by_chance)
      continue;
    const std::string excuse = excuse_for(oracle, comparisons.probes[index], row, finding);
    if (excuse.empty() && row.agreement == Agreement::differs)
      return true;
    ++probed;
    if (excuse.empty())
      continue;
    row.agreement = Agreement::undecided;
    finding.detail = excuse;
  }
  return false;
}

// How many numbers equal a one-sided derivative, and which.
struct SideCount {
  std::size_t left = 0, right = 0;
  std::string words; ///< Of the last one.

  void add(SideVerdict side, const std::string &description) {
    ++(side == SideVerdict::left ? left : right);
    words = description;
  }
  std::string text() const {
    if (left + right < 2)
      return words.empty() ? "" : ", " + words;
    return fmt::format(", one-sided: {} numbers equal the left derivative, {} the right one", left, right);
  }
};

// What is undecided because of a kink is compared with the derivatives to both sides. The program's may be that of no
// side where several branches change at once, so what is neither is a failure at a single edge only.
void compare_one_sided(Comparisons &comparisons, Finding &finding, std::size_t edges) {
  SideCount equal;
  for (std::size_t index = 0; index < std::min(comparisons.probes.size(), most_one_sided); ++index) {
    Compared &row = comparisons.rows[index];
    const Probe &probe = comparisons.probes[index];
    if (row.agreement != Agreement::undecided || !(row.radius > 0))
      continue;
    const auto below = from_one_side(probe, Look::Side::below, row.radius);
    if (!below || probe.smoothness(row.agreement) != fdm::Smoothness::kink)
      continue;
    const Guess above = *from_one_side(probe, Look::Side::above, row.radius);
    const SideVerdict side = compare_with_sides(row, *below, above);
    const std::string words = describe(side, row.comparison, *below, above);
    if (side == SideVerdict::left || side == SideVerdict::right) {
      row.agreement = Agreement::agrees;
      equal.add(side, words);
      finding.detail.clear();
    } else if (side == SideVerdict::outside && edges == 1) {
      row.agreement = Agreement::differs;
      finding.verdict = Verdict::wrong_derivative;
      finding.detail = words;
      return;
    } else if (side != SideVerdict::unknown) {
      finding.detail = words;
    }
  }
  finding.check += equal.text();
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
                             const CheckOptions &options, std::size_t edges) {
  Comparisons comparisons;
  for (unsigned lane = 0; lane < request.combination.width; ++lane)
    if (request.combination.mode == Mode::forward)
      compare_forward(oracle, request, outcome, lane, options.tolerance, comparisons);
    else
      compare_reverse(oracle, request, outcome, lane, options, comparisons);
  settle(comparisons.rows);
  accept_hidden(comparisons);

  Finding finding{Verdict::pass,
                  fmt::format("derivative against {}", oracle.name()),
                  {},
                  {},
                  comparisons.rows.size() + comparisons.count,
                  count_nonzero(comparisons.rows)};
  if (differs_where_smooth(oracle, comparisons, finding)) {
    finding.verdict = Verdict::wrong_derivative;
    finding.detail =
        fmt::format("the derivative differs from {} by more than the tolerance and their own error", oracle.name());
  }
  compare_one_sided(comparisons, finding, edges);
  finding.worst = sorted_by_badness(comparisons.rows);
  finding.coarse = std::all_of(comparisons.rows.begin(), comparisons.rows.end(),
                               [](const Compared &row) { return row.agreement != Agreement::differs || row.coarse; });
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
