// Side effects of compiled derivatives on the process that their function does not have. The process is the user's:
// only their changes are undone.

#include <assay/testing/rule_subject.hpp>

#include "testutils/arithmetic_state.hpp"
#include "testutils/diverted_output.hpp"
#include "testutils/environment_watch.hpp"
#include "testutils/surroundings.hpp"

#include <cfenv>
#include <functional>

namespace assay::testutils {

namespace {

using Sentences = std::vector<std::string>;

/// Of a call, whose changes are undone.
Sentences changes_of_arithmetic(const std::function<void()> &call) {
  std::fenv_t environment;
  std::fegetenv(&environment);
  const ArithmeticState before;
  try {
    call();
  } catch (...) {
    std::fesetenv(&environment);
    throw;
  }
  Sentences changes = ArithmeticState().changes_since(before);
  if (!changes.empty())
    std::fesetenv(&environment);
  return changes;
}

EnvironmentReport report_of(const std::function<void()> &call, const Surroundings &found) {
  const DivertedOutput diverted;
  const EnvironmentWatch environment(found);
  call();
  return environment.report();
}

} // namespace

RuleSubject::RuleSubject() : found_(std::make_shared<const Surroundings>()) {}

DerivativeOutcome RuleSubject::differentiate(const DerivativeRequest &request) {
  DerivativeOutcome outcome;
  outcome.environment = changes_of_arithmetic([&] { outcome = differentiate_around(request, {}); });
  if (!outcome.environment.empty())
    outcome.environment =
        beyond(outcome.environment, changes_of_arithmetic([&] { static_cast<void>(evaluate_apart(request.inputs)); }));
  return outcome;
}

std::optional<SideEffects> RuleSubject::side_effects(const DerivativeRequest &request) {
  const EnvironmentReport function = report_of([&] { static_cast<void>(evaluate_apart(request.inputs)); }, *found_);
  const EnvironmentReport derivative =
      report_of([&] { static_cast<void>(differentiate_around(request, {})); }, *found_);
  return SideEffects{{}, beyond(derivative.changes, function.changes), beyond(derivative.remarks, function.remarks)};
}

} // namespace assay::testutils
