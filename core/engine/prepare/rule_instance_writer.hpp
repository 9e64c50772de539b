#pragma once
// The function around a rule for one use of it (rule_instance.hpp), as it is before anything is folded: the values go
// to stack slots, the rule is called with their addresses and with the configuration as an array of words, and the
// values it has left in the slots is returned.

#include "core/engine/prepare/rule_instance.hpp"
#include "core/engine/support/type_content.hpp"

namespace assay::engine {

/// Names the rule, the step and everything that is constant in the instance.
std::string instance_name(const RuleUse &use, llvm::StringRef step);

/// A constant array, as <assay/detail/rules/config.hpp> reads it.
llvm::GlobalVariable *words_in_memory(const RuleUse &use, llvm::Module &module);

/// The scalars of a tape that is kept as its parts; none for a tape on the heap.
llvm::SmallVector<Leaf, 8> parts_of_tape(const RuleTemplate &rule);

llvm::Function *write_instance(const RuleUse &use, RuleStep step, const std::string &name);

} // namespace assay::engine
