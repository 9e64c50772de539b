#pragma once
// Which parts of an integer are taken out of it, by shifts and truncations.

#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// `value` is an integer's part from bit `first` on.
struct IntegerPart {
  llvm::CastInst *value;
  std::uint64_t first;
};

/// Whole bytes, at least two of them, that are taken of `bits`.
void add_parts(llvm::Value &bits, llvm::SmallVectorImpl<IntegerPart> &parts);
/// True where the bits of the integer are taken for a float.
bool becomes_float(const llvm::Value &integer);

} // namespace assay::engine
