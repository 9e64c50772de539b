#pragma once
// A registered gradient whose augmented pass returns nothing: there is no tape, and where the result of the function is
// needed, the function itself gives it.

#include "core/engine/plan/derivative_source.hpp"

namespace assay::engine {

/// The augmented pass that is called in place of `call`, which `rule` speaks of: the rule's own, or one that returns
/// what the function returns. An error where both the function and its augmented pass write to memory of the arguments,
/// which would then be done twice.
llvm::Expected<llvm::Function *> augmented_with_result(DerivativeSource &engine, const llvm::CallBase &call,
                                                       const UserRule &rule);

} // namespace assay::engine
