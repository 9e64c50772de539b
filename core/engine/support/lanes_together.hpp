#pragma once
// Which lanes of a warp are converged, asked by a call of a function of the engine's own: a mask of the first 32, 16,
// 8, 4 or 2 lanes, or 0 where it is others or one alone. Where the answer may always be 0, as in the emulation of a
// device and in code that is differentiated again, no more has to be known of operations of several lanes.

#include "llvm/IR/Module.h"

namespace assay::engine {

inline constexpr llvm::StringLiteral lanes_together_name = "assay.device.lanes_together";

/// `int()`.
llvm::Function *lanes_together_function(llvm::Module &module);

/// The answer is 0 in `function`: operations of several lanes go. Whether anything was asked there.
bool assume_lone_lanes(llvm::Function &function);
void assume_lone_lanes_in(llvm::Module &module);

} // namespace assay::engine
