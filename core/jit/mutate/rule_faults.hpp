#pragma once
// Faults in the rules of scalar operations: what an author gets wrong when writing a partial derivative down.

#include "core/jit/mutate/fault.hpp"

#include "core/engine/rules/rule_table.hpp"
#include <set>
#include <vector>

namespace assay::jit {

/// All faults that the rule `name` can have; none where it has no expressions.
std::vector<Fault> faults_of_rule(const engine::RuleTable &table, const std::string &name);

/// The table with that fault in it.
engine::RuleTable with_fault(const engine::RuleTable &table, const Fault &fault);

/// Adds the names of the rules that may apply to the instructions of `written`, a derivative that the engine just
/// wrote.
void collect_rules(const llvm::Function &written, const engine::RuleTable &table, std::set<std::string> &names);

} // namespace assay::jit
