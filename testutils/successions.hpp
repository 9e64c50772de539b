#pragma once
// One derivative after and between other calls, and the variable through which these show.

#include "testutils/earlier_calls.hpp"
#include "testutils/finding.hpp"

#include <optional>
#include <string>

namespace assay::testutils {

/// Primal and derivative: the first bit for bit, but for the order of sums of a device.
bool is_same(const Subject &subject, const DerivativeOutcome &seen, const DerivativeOutcome &wanted);

struct Successions {
  Subject &subject;
  EarlierCalls &earlier;
  const DerivativeRequest &request;
  const DerivativeOutcome &outcome; ///< Without earlier calls.

  DerivativeRequest at(const Arguments &inputs) const;

  /// The second outcome; the one without earlier calls where the subject has no such thing.
  DerivativeOutcome after(const DerivativeRequest &first, const Succession &succession) const;

  bool shows(const DerivativeRequest &first, const Succession &succession) const;

  /// The variables that a call changes, as the source has them.
  std::vector<Variable> changed_by(const DerivativeRequest &call) const;

  /// `, through the variable rule::cache`; empty where it is no variable.
  std::string culprit(const DerivativeRequest &first, const Succession &succession) const;

  /// The differences of `seen` from the outcome without earlier calls.
  Finding failure(const std::string &check, const DerivativeOutcome &seen, std::string detail) const;
};

/// `the variable a`, `the variables a, b`; empty where there are none.
std::string named_variables(const std::vector<std::string> &names);

/// Rules of one mode may keep state that those of the other one read: calls in forward mode before a call in reverse
/// mode and between its sweeps, and the other way round.
std::optional<Finding> check_both_modes(const Successions &calls);

/// Room for a few tapes is not enough where a function calls itself, or others that use the rule.
std::optional<Finding> check_nested_calls(const Successions &calls);

/// Memory that the first call makes for itself may be too small for the next one, or its length be taken for that of
/// the next one's arguments.
std::optional<Finding> check_calls_of_other_sizes(const Successions &calls);

/// A counter, or a table that is full, shows only after many calls.
std::optional<Finding> check_many_calls(const Successions &calls);

} // namespace assay::testutils
