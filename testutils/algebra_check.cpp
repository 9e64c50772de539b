// What every derivative obeys, whatever the function: no finite differences are needed, and most of it holds bit for
// bit.

#include "testutils/finding.hpp"
#include "testutils/numbers.hpp"
#include "testutils/oracle_comparison.hpp"
#include "testutils/outcome_pairs.hpp"
#include "testutils/tolerance.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

Comparison row_of(const Signature &signature, const Place &place, double seen, double expected, double tolerance) {
  Comparison row;
  row.place = place;
  row.path = path_of(signature, place, place.lane == 0 ? 1 : 2);
  row.ad = seen;
  row.expected = expected;
  row.absolute_error = std::abs(seen - expected);
  row.relative_error = row.absolute_error == 0 ? 0 : row.absolute_error / std::max(std::abs(seen), std::abs(expected));
  row.ulp_error = ulp_distance(parameter_at(signature, place).element_type(place.element), seen, expected);
  row.tolerance = tolerance;
  return row;
}

void fail(Finding &finding, Verdict verdict, std::string detail, Comparison row, bool by_scale) {
  if (finding.verdict == Verdict::pass)
    finding.detail = std::move(detail);
  finding.by_scale = by_scale && (finding.worst.empty() || finding.by_scale);
  finding.verdict = verdict;
  finding.worst.push_back(std::move(row));
}

bool is_written_by_derivative(const Signature &signature, const Combination &combination, const Place &place) {
  return !place.parameter || combination.mode == Mode::reverse ||
         signature.parameters[*place.parameter].passing == Passing::buffer;
}

double largest_of(const DerivativeOutcome &outcome) {
  double largest = 0;
  for_each_pair(outcome, outcome, [&](const Place &, double value, double) {
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  });
  return largest;
}

// `scale`: of the derivative that the number belongs to.
static double plain_tolerance(ElementType precision, const Tolerance &tolerance, double magnitude, double scale) {
  return scaled_absolute_tolerance(tolerance, precision, scale) + relative_tolerance(tolerance, precision) * magnitude;
}

// The size of <w, J v> where y = f(x) changes by its whole size when x does.
static double natural_product(const Point &point, const DerivativeRequest &request, const Arguments &direction) {
  const Values weights = output_weights(point, request, 0), outputs = flat_outputs(point.primal, point.outputs);
  double size = 0;
  for (std::size_t output = 0; output < outputs.size(); ++output)
    size += std::abs(weights[output] * outputs[output]);
  return natural_scale(size, size_along(point.inputs, direction));
}

Finding check_repeatability(const Subject &subject, const DerivativeOutcome &first, const DerivativeOutcome &second) {
  Finding finding{Verdict::pass, "same bits twice", {}, {}, 0};
  bool same = first.contents.size() == second.contents.size() && same_bits(first.contents, second.contents) &&
              first.result.has_value() == second.result.has_value() &&
              (!first.result || same_bits(*first.result, *second.result));
  for_each_pair(first, second, [&](const Place &, double a, double b) {
    ++finding.compared;
    same = same && same_bits(a, b);
  });
  if (same || (subject.is_on_device() && differ_by_order(subject.signature(), first, second)))
    return finding;
  finding.verdict = Verdict::nondeterministic;
  finding.detail = "the same call of the derivative gives different bits the second time";
  return finding;
}

// Where a partial derivative is infinite, zero times it is not a number; the oracle judges that.
static std::vector<Place> infinite_places(const DerivativeOutcome &outcome) {
  std::vector<Place> places;
  for_each_pair(outcome, outcome, [&](const Place &place, double value, double) {
    if (!std::isfinite(value))
      places.push_back(place);
  });
  return places;
}

Finding check_zero_seed(const Signature &signature, const DerivativeRequest &zero, const DerivativeOutcome &outcome,
                        const DerivativeOutcome &with_seed) {
  Finding finding{Verdict::pass, "zero seed", {}, {}, 0};
  const std::vector<Place> infinite = infinite_places(with_seed);
  const auto is_infinite = [&](const Place &place) {
    return std::any_of(infinite.begin(), infinite.end(), [&](const Place &other) {
      return other.parameter == place.parameter && other.element == place.element && other.lane == place.lane;
    });
  };
  DerivativeOutcome expected{{}, {}, {}, zero.shadows, {}};
  for (const Values &tangents : outcome.result_tangents)
    expected.result_tangents.emplace_back(tangents.size(), 0.0);
  for (Arguments &lane : expected.shadows)
    for (std::size_t index = 0; index < lane.size(); ++index)
      if (zero.combination.arguments[index] == Activity::active)
        lane[index].assign(signature.parameters[index].size(), 0);
  for_each_pair(outcome, expected, [&](const Place &place, double seen, double wanted) {
    if (!is_written_by_derivative(signature, zero.combination, place) || is_infinite(place))
      return;
    ++finding.compared;
    // Zeros may have either sign. A number that passes through memory that the function writes may be rounded,
    // although it is the same in the end: the function may write the number that was there.
    constexpr double roundings = 16;
    const double rounding =
        roundings * epsilon_of(parameter_at(signature, place).element_type(place.element)) * std::abs(wanted);
    if (same_bits(seen, wanted) || (seen == 0 && wanted == 0) || std::abs(seen - wanted) <= rounding)
      return;
    fail(finding, Verdict::wrong_derivative,
         wanted == 0 ? "with a seed of zero the derivative is not zero"
                     : "with a seed of zero a shadow does not keep its contents",
         row_of(signature, place, seen, wanted, 0));
  });
  return finding;
}

Finding check_linearity(const Signature &signature, const DerivativeOutcome &base, const DerivativeOutcome &scaled,
                        double factor, const Combination &combination, const CheckOptions &options) {
  // Beside large numbers small ones are noise.
  constexpr double part_of_largest = 1e-3;
  Finding finding{Verdict::pass, "linearity in the seed", {}, {}, 0};
  const double largest = std::abs(factor) * largest_of(base);
  for_each_pair(scaled, base, [&](const Place &place, double seen, double unscaled) {
    if (!is_written_by_derivative(signature, combination, place))
      return;
    ++finding.compared;
    const double wanted = factor * unscaled;
    // Numbers near the end of the range round differently once they are scaled.
    const double smallest =
        has_halves(signature) ? 0x1p-10 : std::numeric_limits<float>::min() / std::numeric_limits<float>::epsilon();
    if (seen == wanted || !std::isfinite(wanted) || std::abs(wanted) < smallest)
      return;
    const ElementType type = parameter_at(signature, place).element_type(place.element);
    const double tolerance = relative_tolerance(tolerance_at(options.tolerance, signature, place), type) *
                             std::max(std::abs(wanted), part_of_largest * largest);
    if (std::abs(seen - wanted) <= tolerance)
      return;
    fail(finding, Verdict::wrong_derivative,
         fmt::format("with seeds times {} the derivative is not {} times as large", factor, factor),
         row_of(signature, place, seen, wanted, tolerance));
  });
  return finding;
}

Finding check_additivity(const Point &point, const Signature &signature, const DerivativeRequest &request,
                         const DerivativeOutcome &above_incoming, const DerivativeOutcome &above_zero,
                         const CheckOptions &options) {
  Finding finding{Verdict::pass, "accumulation into shadows", {}, {}, 0};
  const double largest = largest_of(above_zero);
  for_each_pair(above_incoming, above_zero, [&](const Place &place, double total, double alone) {
    ++finding.compared;
    const Values &shadow = request.shadows[place.lane][*place.parameter];
    const double incoming = point.written[*place.parameter] || shadow.empty() ? 0 : shadow[place.element];
    const double wanted = alone + incoming;
    const auto tolerance_for = [&](double scale) {
      return plain_tolerance(parameter_at(signature, place).element_type(place.element),
                             tolerance_at(options.tolerance, signature, place), std::abs(alone) + std::abs(incoming),
                             scale);
    };
    const double tolerance = tolerance_for(largest);
    if (std::abs(total - wanted) <= tolerance || !std::isfinite(wanted))
      return;
    Comparison row = row_of(signature, place, total, wanted, tolerance);
    row.incoming = incoming;
    row.ad -= incoming;
    row.expected -= incoming;
    fail(finding, Verdict::wrong_derivative, "the derivative is not added to the contents of the shadow", row,
         std::abs(total - wanted) <= tolerance_for(1));
  });
  return finding;
}

Combination forward_of(const Combination &reverse) {
  Combination forward = reverse;
  forward.mode = Mode::forward;
  forward.form = Form::combined;
  const auto duplicate = [](Activity &activity) {
    if (activity == Activity::active)
      activity = Activity::duplicated;
  };
  duplicate(forward.result);
  std::for_each(forward.arguments.begin(), forward.arguments.end(), duplicate);
  return forward;
}

static double inner_product(const Values &left, const Values &right, double &magnitude) {
  double sum = 0;
  for (std::size_t index = 0; index < std::min(left.size(), right.size()); ++index) {
    sum += left[index] * right[index];
    magnitude += std::abs(left[index] * right[index]);
  }
  return sum;
}

DerivativeRequest tangents_beside(const Subject &subject, const Point &point, const DerivativeRequest &request,
                                  const CaseName &name, const CheckOptions &options) {
  const Combination forward =
      offered_counterpart(subject, forward_of(request.combination), options.runtime_activity).value();
  CaseName forward_name = name;
  forward_name.suite += " forward";
  return random_request(subject.signature(), forward, point.inputs, forward_name);
}

Finding check_dot_product(Subject &subject, const Point &point, const DerivativeRequest &request,
                          const DerivativeOutcome &outcome, const CaseName &name, const CheckOptions &options) {
  Finding finding{Verdict::pass, std::string(dot_product_check), {}, {}, 1};
  const Signature &signature = subject.signature();
  const DerivativeRequest tangent_request = tangents_beside(subject, point, request, name, options);
  const DerivativeOutcome tangents = subject.differentiate(tangent_request);

  double magnitude = 0;
  double outputs = 0; // <y^, J v>
  double inputs = 0;  // <J^T y^, v>
  if (!request.result_seeds[0].empty())
    outputs += inner_product(request.result_seeds[0], tangents.result_tangents[0], magnitude);
  for (std::size_t index = 0; index < signature.parameters.size(); ++index) {
    const Values &direction = tangent_request.shadows[0][index];
    if (direction.empty())
      continue;
    inputs += inner_product(outcome.shadows[0][index], direction, magnitude);
    const Values &seed_or_incoming = request.shadows[0][index];
    if (point.written[index])
      outputs += inner_product(seed_or_incoming, tangents.shadows[0][index], magnitude);
    else
      inputs -= inner_product(seed_or_incoming, direction, magnitude);
  }
  const auto tolerance_for = [&](double scale) {
    return plain_tolerance(coarsest_element(signature), loosest(options.tolerance, signature), magnitude, scale);
  };
  const double tolerance =
      tolerance_for(std::max(magnitude, natural_product(point, request, tangent_request.shadows[0])));
  if (std::abs(outputs - inputs) <= tolerance || !std::isfinite(outputs) || !std::isfinite(inputs))
    return finding; // What is not finite, the oracle judges.
  finding.apart = std::abs(outputs - inputs);
  finding.by_scale = finding.apart <= tolerance_for(1);
  finding.verdict = Verdict::wrong_derivative;
  finding.detail =
      fmt::format("forward and reverse disagree: <w, J v> = {:.17g}, <J^T w, v> = {:.17g}, tolerance {:.1e}", outputs,
                  inputs, tolerance);
  return finding;
}

// A lane takes the same steps as the call at width 1, so a double beside floats differs by roundings to float at most.
static double lane_tolerance(const Signature &signature, const Tolerance &tolerance, const Place &place, double wanted,
                             double scale) {
  const ElementType type = parameter_at(signature, place).element_type(place.element);
  const double plain = plain_tolerance(type, tolerance_at(tolerance, signature, place), std::abs(wanted), scale);
  const ElementType coarsest = coarsest_element(signature);
  return is_coarse(coarsest) ? plain + rounding_of_sum(coarsest) / 2 * std::abs(wanted) : plain;
}

Finding check_lanes(Subject &subject, const Point &point, const DerivativeRequest &request,
                    const DerivativeOutcome &outcome, const CheckOptions &options) {
  Finding finding{Verdict::pass, "lanes of the batch against single lanes", {}, {}, 0};
  const Signature &signature = subject.signature();
  const Combination counterpart = offered_counterpart(subject, request.combination, options.runtime_activity).value();
  for (unsigned lane = 0; lane < request.combination.width; ++lane) {
    const DerivativeOutcome single = subject.differentiate(single_lane(request, lane, counterpart));
    DerivativeOutcome one_lane;
    one_lane.shadows.push_back(outcome.shadows[lane]);
    if (lane < outcome.result_tangents.size())
      one_lane.result_tangents.push_back(outcome.result_tangents[lane]);
    const double scale = largest_of(single);
    for_each_pair(one_lane, single, [&](Place place, double seen, double wanted) {
      ++finding.compared;
      place.lane = lane;
      const double tolerance = lane_tolerance(signature, options.tolerance, place, wanted, scale);
      if (same_bits(seen, wanted) || std::abs(seen - wanted) <= tolerance || (std::isnan(seen) && std::isnan(wanted)))
        return;
      const double unscaled = lane_tolerance(signature, options.tolerance, place, wanted, 1);
      fail(finding, Verdict::wrong_derivative, "a lane of the batch differs from the same call at width 1",
           row_of(signature, place, seen, wanted, tolerance), std::abs(seen - wanted) <= unscaled);
    });
  }
  return finding;
}

} // namespace assay::testutils
