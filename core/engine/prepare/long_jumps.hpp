#pragma once
// `longjmp` leaves differentiated code without its reverse sweep, and no landing pad releases its memory.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

/// The first call in `function` that is, or through functions of the module reaches, a `longjmp`; null where there is
/// none. Functions with rules and inactive functions are the user's own affair.
const llvm::CallBase *reached_long_jump(const llvm::Function &function, const FunctionInfo &function_info);

} // namespace assay::engine
