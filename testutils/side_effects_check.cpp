// What a derivative leaves behind, beside arguments and results, has to be what the function leaves there. A change of
// the surroundings is believed when it happens again: a library may open a file for good at its first use.

#include "testutils/environment_watch.hpp"
#include "testutils/finding.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

static std::vector<std::string> in_both(const std::vector<std::string> &left, const std::vector<std::string> &right) {
  std::vector<std::string> both;
  std::copy_if(left.begin(), left.end(), std::back_inserter(both),
               [&](const std::string &one) { return std::find(right.begin(), right.end(), one) != right.end(); });
  return both;
}

static Finding wrong_environment(const std::vector<std::string> &changes) {
  return {Verdict::wrong_environment,
          "surroundings of the call",
          fmt::format("after the derivative, and not after the function, {}", fmt::join(changes, "; ")),
          {},
          0};
}

Finding check_arithmetic_kept(const Point &point, const DerivativeOutcome &outcome) {
  const std::vector<std::string> changes = beyond(outcome.environment, point.primal.environment);
  return changes.empty() ? Finding{Verdict::pass, "surroundings of the call", {}, {}, 0} : wrong_environment(changes);
}

Finding check_side_effects(Subject &subject, const DerivativeRequest &request, const SideEffects &effects) {
  // A rule is written for one lane and called for each.
  const bool is_called_for_each_lane = request.combination.width != 1 && !subject.rules(request.combination).empty();
  if (!effects.variables.empty() && !is_called_for_each_lane)
    return {Verdict::wrong_state,
            "variables after the call",
            fmt::format("the derivative {}", fmt::join(effects.variables, "; it ")),
            {},
            0};
  if (!effects.environment.empty())
    if (const auto again = subject.side_effects(request))
      if (const std::vector<std::string> changes = in_both(effects.environment, again->environment); !changes.empty())
        return wrong_environment(changes);
  return {Verdict::pass, "variables after the call", {}, {}, 0};
}

} // namespace assay::testutils
