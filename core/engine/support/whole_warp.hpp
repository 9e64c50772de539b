#pragma once
// The question whether all lanes of a warp are here, as a function of the engine's own. Where the answer may always be
// no, as in the emulation of a device and in code that is differentiated again, no more has to be known of what lanes
// do together.

#include "llvm/IR/Module.h"

namespace assay::engine {

inline constexpr llvm::StringLiteral whole_warp_name = "assay.device.whole_warp";

/// `bool()`.
llvm::Function *whole_warp_function(llvm::Module &module);

/// The answer is no in `function`: what lanes would do together goes. Whether anything was asked there.
bool assume_lone_lanes(llvm::Function &function);
void assume_lone_lanes_in(llvm::Module &module);

} // namespace assay::engine
