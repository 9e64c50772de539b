#pragma once
// How much the optimiser does for derivatives that are compiled together and run a few times. To vectorise and unroll a
// loop takes longer than all else that becomes of a small function, and a gradient check has dozens of derivatives with
// the same loops. So the passes that come after the engine, vectorisers among them, run
//
//   - in the plain form, in each of its combinations;
//   - in each mode for batches, for the split form and for run-time activity, where most is active.
//
// The others stay as the engine leaves them, simplified as all. Vectors have 128 bits, and nothing is unrolled or
// interleaved: more asks nothing more of what the engine says about memory, and a vectorised loop that takes eight
// elements at once is not entered where there are five.

#include "core/jit/derivative.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"

#include <span>

namespace assay::jit {

/// Of each derivative, whether it is optimised further than the engine does.
std::vector<bool> choose_optimised(std::span<const Derivative> derivatives);

/// Tells LLVM's transformations how far they may go: as described above in the functions that `is_optimised` and in
/// those that these reach, not at all elsewhere.
void limit_effort(llvm::Module &module, llvm::function_ref<bool(const llvm::Function &)> is_optimised);

/// No pass that may be left out shall run on this function, nor on its loops.
void leave_as_it_is(llvm::Function &function);
/// On none of its functions.
void leave_as_it_is(llvm::Module &module);

/// Makes pipelines respect that.
void skip_passes_on_what_is_left(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace assay::jit
