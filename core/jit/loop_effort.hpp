#pragma once
// How much the optimiser does for the loops of derivatives that are compiled together and run a few times. To vectorise
// and unroll a loop takes longer than all else that becomes of a small function, and a gradient check has dozens of
// derivatives with the same loops. So each form (mode, width, one function or two, run-time activity) meets the
// vectoriser where most is active, the plain form in each of its combinations; in the others loops stay as they are
// after all other simplifications. Nothing is unrolled or interleaved: that asks nothing more of what the engine says
// about memory, and a vectorised loop that takes eight elements at once is not entered where there are five.

#include "core/jit/derivative.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

#include <span>

namespace assay::jit {

/// Of each derivative, whether its loops are vectorised.
std::vector<bool> choose_vectorised(std::span<const Derivative> derivatives);

/// Tells LLVM's loop transformations how far they may go: as described above in the functions that `is_vectorised` and
/// in those that these reach, not at all elsewhere.
void limit_loops(llvm::Module &module, llvm::function_ref<bool(const llvm::Function &)> is_vectorised);

} // namespace assay::jit
