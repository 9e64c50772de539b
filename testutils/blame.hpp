#pragma once
// Which registered derivative a failure is the fault of. That is found by experiment: without the rule, the engine
// differentiates the function's own body, and the failure is gone or stays.

#include "testutils/run.hpp"

namespace assay::testutils {

/// The registered rules that a derivative uses, for one that ends without numbers; empty where it uses none.
std::string used_rules(const Subject &subject, const Combination &combination);

/// The registered derivative that gives a number which is not finite at `request`, where the engine's own derivative of
/// the function's body gives finite ones, or where there is no such derivative to ask.
std::optional<Rule> rule_that_overflows(Subject &subject, const DerivativeRequest &request);

/// Whether a registered derivative overflows or underflows at `request`, and the engine's own does not.
bool rule_that_leaves_range(Subject &subject, const DerivativeRequest &request);

/// Whether the engine's own derivative of the body of one of the registered functions has the digits in wide arithmetic
/// that the registered ones lose.
bool rule_loses_digits(Stage &stage, const DerivativeRequest &request);

/// Fills in `record.rule`, or says in a hint that no rule is at fault.
void blame_rule(Stage &stage, Record &record);

/// Reverse mode without rules that does not agree with forward mode: the rules are those of forward mode.
void blame_forward_rules(const Subject &subject, Record &record);

/// Which rules earlier failures were blamed on. An experiment takes a compilation of the function for each rule, so
/// later failures of the same kind take over what the first ones found.
class EarlierBlame {
public:
  void remember(const Subject &subject, const Record &record);
  /// Fills in `record.rule` where all failures of this mode and with these rules, or else all of those in the same
  /// check, had one in common. False where there is no such failure.
  bool take_over(const Subject &subject, Record &record) const;

private:
  struct Blamed {
    Mode mode;
    std::vector<std::string> rules;
    std::string check, rule;
  };
  std::vector<Blamed> all_;
};

} // namespace assay::testutils
