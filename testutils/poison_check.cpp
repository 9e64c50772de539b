// NaNs where a derivative must not look: a number that it reads there makes what it computes a NaN, and multiplying by
// zero does not hide that.

#include "testutils/finding.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

/// The first number of a derivative that is another one in another call, with how many were compared.
struct Difference {
  std::optional<Comparison> row;
  std::size_t compared = 0;
};

void compare_numbers(const Signature &signature, const Place &first, const Values &seen, const Values &wanted,
                     Difference &difference) {
  for (std::size_t element = 0; element < std::min(seen.size(), wanted.size()); ++element) {
    ++difference.compared;
    if (difference.row || same_bits(seen[element], wanted[element]))
      continue;
    Comparison row;
    row.place = {first.parameter, element, first.lane};
    row.path = path_of(signature, row.place, first.lane == 0 ? 1 : 2);
    row.ad = seen[element];
    row.expected = wanted[element];
    row.absolute_error = std::abs(row.ad - row.expected);
    row.relative_error = row.absolute_error / std::max(std::abs(row.ad), std::abs(row.expected));
    row.ulp_error = ulp_distance(parameter_at(signature, row.place).element_type(element), row.ad, row.expected);
    difference.row = row;
  }
}

Difference compare_derivatives(const Signature &signature, const DerivativeOutcome &seen,
                               const DerivativeOutcome &wanted) {
  Difference difference;
  for (unsigned lane = 0; lane < std::min(seen.result_tangents.size(), wanted.result_tangents.size()); ++lane)
    compare_numbers(signature, {std::nullopt, 0, lane}, seen.result_tangents[lane], wanted.result_tangents[lane],
                    difference);
  for (unsigned lane = 0; lane < std::min(seen.shadows.size(), wanted.shadows.size()); ++lane)
    for (std::size_t index = 0; index < seen.shadows[lane].size(); ++index)
      compare_numbers(signature, {index, 0, lane}, seen.shadows[lane][index], wanted.shadows[lane][index], difference);
  return difference;
}

Finding finding_of(const std::string &check, const Difference &difference, const std::string &detail) {
  Finding finding{Verdict::pass, check, {}, {}, difference.compared};
  if (!difference.row)
    return finding;
  finding.verdict = Verdict::wrong_derivative;
  finding.detail = detail;
  finding.worst.push_back(*difference.row);
  return finding;
}

bool same_primal(const DerivativeOutcome &left, const DerivativeOutcome &right) {
  return same_bits(left.contents, right.contents) &&
         same_bits(left.result.value_or(Values()), right.result.value_or(Values()));
}

/// Which parameter alone makes the difference; several together where none does.
std::string culprit(Subject &subject, DerivativeRequest request, const DerivativeOutcome &usual) {
  const Signature &signature = subject.signature();
  for (std::size_t index = 0; index < signature.parameters.size(); ++index) {
    request.poisoned.assign(signature.parameters.size(), false);
    request.poisoned[index] = true;
    if (compare_derivatives(signature, subject.differentiate(request), usual).row)
      return signature.parameters[index].name;
  }
  return "the arguments";
}

} // namespace

Finding check_poison(Subject &subject, const Point &point, const DerivativeRequest &request,
                     const DerivativeOutcome &outcome) {
  const Signature &signature = subject.signature();
  DerivativeRequest poisoned = request;
  const double poison = std::numeric_limits<double>::signaling_NaN();
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    for (const std::size_t element : point.unread[index]) {
      poisoned.inputs[index][element] = poison;
      // Forward: its tangent at entry is not read either. In reverse the shadow holds seeds.
      if (request.combination.mode == Mode::forward)
        for (Arguments &lane : poisoned.shadows)
          if (!lane[index].empty())
            lane[index][element] = poison;
    }
  return finding_of("memory that is not read, poisoned",
                    compare_derivatives(signature, subject.differentiate(poisoned), outcome),
                    "the derivative depends on memory that the function overwrites without reading it");
}

Finding check_surroundings(Subject &subject, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  const std::string check = "surroundings of memory, poisoned";
  DerivativeRequest poisoned = request;
  poisoned.poisoned.assign(subject.signature().parameters.size(), true);
  const DerivativeOutcome seen = subject.differentiate(poisoned);
  const Difference difference = compare_derivatives(subject.signature(), seen, outcome);
  if (!difference.row)
    return finding_of(check, difference, "");
  const std::string name = culprit(subject, request, outcome);
  if (!same_primal(seen, outcome))
    return finding_of(check, difference,
                      fmt::format("the function itself depends on what stands beside {}, or in its padding", name));
  return finding_of(check, difference,
                    fmt::format("the derivative depends on what stands beside {} or its shadow, or in their padding: "
                                "it reads memory that is not theirs",
                                name));
}

} // namespace assay::testutils
