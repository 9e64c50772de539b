#include "testutils/successions.hpp"

#include "testutils/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

bool is_same(const Subject &subject, const DerivativeOutcome &seen, const DerivativeOutcome &wanted) {
  return (seen.violations.empty() || !wanted.violations.empty()) && same_primal(subject, seen, wanted) &&
         !compare_derivatives(subject.signature(), seen, wanted).row;
}

DerivativeRequest Successions::at(const Arguments &inputs) const {
  DerivativeRequest other = request;
  other.inputs = inputs;
  return other;
}

DerivativeOutcome Successions::after(const DerivativeRequest &first, const Succession &succession) const {
  auto both = subject.differentiate_both(first, request, succession);
  return both ? std::move(both->second) : outcome;
}

bool Successions::shows(const DerivativeRequest &first, const Succession &succession) const {
  return !is_same(subject, after(first, succession), outcome);
}

std::string named_variables(const std::vector<std::string> &names) {
  return names.empty() ? ""
                       : fmt::format("the {} {}", names.size() == 1 ? "variable" : "variables", fmt::join(names, ", "));
}

/// Made by the compiler: it says whether a static or thread-local variable has been made.
static bool is_guard(const Variable &variable) {
  return variable.symbol == "__tls_guard" || variable.symbol.starts_with("_ZGV");
}

std::vector<Variable> Successions::changed_by(const DerivativeRequest &call) const {
  std::vector<Variable> variables = subject.variables_changed_by(call);
  std::erase_if(variables, is_guard);
  return variables;
}

std::string Successions::culprit(const DerivativeRequest &first, const Succession &succession) const {
  std::vector<std::string> names;
  for (const Variable &variable : changed_by(first)) {
    Succession without = succession;
    without.put_back = variable.symbol;
    if (!shows(first, without))
      return ", through the variable " + variable.name;
    names.push_back(variable.name);
  }
  return names.empty() ? "" : ", through " + named_variables(names);
}

Finding Successions::failure(const std::string &check, const DerivativeOutcome &seen, std::string detail) const {
  if (!seen.violations.empty())
    return {Verdict::wrong_mutation,
            "memory bounds",
            fmt::format("in a row with other calls, {}", seen.violations.front()),
            {},
            0};
  const Difference difference = compare_derivatives(subject.signature(), seen, outcome);
  Finding finding{Verdict::wrong_state, check, std::move(detail), {}, difference.compared};
  if (difference.row)
    finding.worst.push_back(*difference.row);
  return finding;
}

} // namespace assay::testutils
