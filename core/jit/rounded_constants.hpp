#pragma once
// A compiler folds constants, and joins those of sums whose order is free: of 1 / 3, or of 1 + 1e-12, only the rounded
// value is left in the code, in wide arithmetic as well.

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace assay::jit {

/// Moves every constant that may be a rounded one, in the code of all functions, to a neighbouring number. Those of
/// comparisons stay as they are, and so do numbers with few digits, such as 3 or 0.25.
void move_rounded_constants(llvm::Module &module);

/// Fixes the order of all sums of the function.
void fix_order_of_sums(llvm::Function &function);

} // namespace assay::jit
