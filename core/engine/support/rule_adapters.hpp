#pragma once
// Rules in terms of single values. C's calling conventions pass large structs in memory, spread small ones over several
// parameters, and return values larger than two registers through a hidden pointer, each of it differently for a
// function, its augmented and its reverse pass. Around rules where that happens, adapters are written that take numbers
// and pointers one by one and return plain structs; the emitters know nothing else.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

/// Replaces the functions of rules by adapters where that is needed. A rule that does not fit stays as it is, for the
/// emitters to refuse.
void adapt_rules(llvm::Module &module, FunctionInfo &function_info);

/// Calls of functions whose rules have adapters become calls of forms that take and return single values. `function` is
/// a clone of `source`, which may be such a form itself.
void call_simple_forms(llvm::Function &function, const llvm::Function &source, const FunctionInfo &function_info);

} // namespace assay::engine
