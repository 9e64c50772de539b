#pragma once
// Sums in memory that stay one instruction until all derivatives are written. Behind a pointer of `__enzyme_todense`
// the function that writes may add up what it is given while the one that reads returns zero, so a sum has to read
// its place right before it writes there: no pass may take what was written before for what is read.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// Of functions whose sums, and whose derivatives' sums, may be behind such pointers.
inline constexpr llvm::StringLiteral undivided_sums_attribute = "assay-undivided-sums";

/// Adds `value`, a floating-point number, to memory at `place`.
llvm::Instruction *add_undivided(llvm::IRBuilderBase &builder, llvm::Value *place, llvm::Value *value);
/// False for types of which LLVM has no such instruction.
bool has_undivided_sum(const llvm::Type &type);

/// To be run before anything else of the pipeline: gives every function that is reached from one with such a pointer
/// the attribute, and joins its own sums, `x[i] += v`.
void join_sums(llvm::Module &module);
/// Makes loads and stores of undivided sums.
void divide_sums(llvm::Module &module);

} // namespace assay::engine
