// NaNs where a derivative must not look: a number that it reads there makes what it computes a NaN, and multiplying by
// zero does not hide that.

#include "testutils/difference.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

Finding finding_of(const std::string &check, const Difference &difference, const std::string &detail) {
  Finding finding{Verdict::pass, check, {}, {}, difference.compared};
  if (!difference.row)
    return finding;
  finding.verdict = Verdict::wrong_derivative;
  finding.detail = detail;
  finding.worst.push_back(*difference.row);
  return finding;
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
  if (!same_primal(subject, seen, outcome))
    return finding_of(check, difference,
                      fmt::format("the function itself depends on memory beside {}, or on its padding", name));
  return finding_of(check, difference,
                    fmt::format("the derivative depends on memory beside {} or its shadow, or on their padding: "
                                "it reads memory that is not theirs",
                                name));
}

} // namespace assay::testutils
