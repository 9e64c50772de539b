// After a derivative the primal result is the function's own, bit for bit; so is all memory except what was declared
// unneeded; and nothing beyond its bounds was written.

#include "testutils/finding.hpp"
#include "testutils/primal_spread.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay::testutils {

static Comparison exact_comparison(const Signature &signature, const Place &place, double seen, double expected) {
  const Parameter &parameter = parameter_at(signature, place);
  Comparison row;
  row.place = place;
  row.path = path_of(signature, place);
  row.ad = seen;
  row.expected = expected;
  row.absolute_error = std::abs(seen - expected);
  row.relative_error = row.absolute_error / std::max(std::abs(seen), std::abs(expected));
  row.ulp_error = ulp_distance(parameter.element_type(place.element), seen, expected);
  return row;
}

namespace {

/// By how much a primal result may differ.
struct Room {
  double ulps = 0;
  const PrimalSpread *spread = nullptr; ///< Null: rounding is no reason.

  bool holds(const Comparison &row) const {
    return same_bits(row.ad, row.expected) || row.ulp_error <= ulps ||
           (spread && row.absolute_error <= spread->at(row.place));
  }
};

} // namespace

static Finding check_result(const Point &point, const Signature &signature, const DerivativeOutcome &outcome,
                            const Room &room) {
  Finding finding{Verdict::pass, "primal result", {}, {}, point.primal.result.size()};
  if (outcome.result->size() != point.primal.result.size()) {
    finding.verdict = Verdict::wrong_primal;
    finding.detail = fmt::format("the derivative returns a primal result of {} elements, the function one of {}",
                                 outcome.result->size(), point.primal.result.size());
    return finding;
  }
  for (std::size_t element = 0; element < point.primal.result.size(); ++element) {
    const Comparison row = exact_comparison(signature, {std::nullopt, element, 0}, (*outcome.result)[element],
                                            point.primal.result[element]);
    if (room.holds(row))
      continue;
    finding.verdict = Verdict::wrong_primal;
    finding.detail = "the primal result that came with the derivative differs from the function's result";
    finding.worst.push_back(row);
  }
  return finding;
}

static std::string mutation_detail(const Parameter &parameter, bool written, double seen, double before) {
  if (!written)
    return fmt::format("{} was changed, which the function leaves alone", parameter.name);
  if (same_bits(seen, before))
    return fmt::format("{} still holds its contents from before the call: the function's write is missing",
                       parameter.name);
  return fmt::format("{} does not hold the contents that the function leaves", parameter.name);
}

static Finding check_contents(const Point &point, const Signature &signature, const DerivativeRequest &request,
                              const DerivativeOutcome &outcome, const Room &room) {
  Finding finding{Verdict::pass, "mutation of arguments", {}, {}, 0};
  for (std::size_t index = 0; index < signature.parameters.size(); ++index) {
    const bool unneeded = point.written[index] && request.combination.arguments[index] == Activity::duplicated_no_need;
    if (unneeded)
      continue;
    const Values &expected = point.primal.contents[index];
    finding.compared += expected.size();
    for (std::size_t element = 0; element < expected.size(); ++element) {
      const double seen = outcome.contents[index][element];
      const Comparison row = exact_comparison(signature, {index, element, 0}, seen, expected[element]);
      if ((point.written[index] ? room : Room()).holds(row))
        continue;
      if (finding.verdict == Verdict::pass)
        finding.detail =
            mutation_detail(signature.parameters[index], point.written[index], seen, point.inputs[index][element]);
      finding.verdict = Verdict::wrong_mutation;
      finding.worst.push_back(row);
    }
  }
  return finding;
}

// Forward: the tangent of memory that the function leaves alone stays what it is.
static Finding check_read_only_tangents(const Point &point, const Signature &signature,
                                        const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  Finding finding{Verdict::pass, "tangents of memory that is only read", {}, {}, 0};
  for (unsigned lane = 0; lane < request.combination.width; ++lane)
    for (std::size_t index = 0; index < signature.parameters.size(); ++index) {
      const Values &expected = request.shadows[lane][index];
      if (point.written[index] || signature.parameters[index].passing == Passing::value)
        continue;
      finding.compared += expected.size();
      for (std::size_t element = 0; element < expected.size(); ++element) {
        const double seen = outcome.shadows[lane][index][element];
        // The function may write the number that was there: its tangent is the same then, to rounding.
        constexpr double roundings = 16;
        const double rounding =
            roundings * epsilon_of(signature.parameters[index].element_type(element)) * std::abs(expected[element]);
        if (same_bits(seen, expected[element]) || std::abs(seen - expected[element]) <= rounding)
          continue;
        finding.verdict = Verdict::wrong_mutation;
        finding.detail = fmt::format("the tangent of {} was changed, though the function only reads {}",
                                     signature.parameters[index].name, signature.parameters[index].name);
        finding.worst.push_back(exact_comparison(signature, {index, element, lane}, seen, expected[element]));
      }
    }
  return finding;
}

std::vector<Finding> check_primal(const Point &point, const Signature &signature, const DerivativeRequest &request,
                                  const DerivativeOutcome &outcome, const Tolerance &tolerance,
                                  const PrimalSpread *spread) {
  constexpr double ulps_of_sums = 0x1p10; // that come in another order each time
  const Room room{point.sums_vary ? std::max(tolerance.primal_ulps, ulps_of_sums) : tolerance.primal_ulps, spread};
  std::vector<Finding> findings;
  if (!outcome.violations.empty())
    findings.push_back({Verdict::wrong_mutation, "memory bounds", outcome.violations.front(), {}, 0});
  if (outcome.result && signature.result)
    findings.push_back(check_result(point, signature, outcome, room));
  if (!signature.parameters.empty())
    findings.push_back(check_contents(point, signature, request, outcome, room));
  if (request.combination.mode == Mode::forward)
    findings.push_back(check_read_only_tangents(point, signature, request, outcome));
  return findings;
}

} // namespace assay::testutils
