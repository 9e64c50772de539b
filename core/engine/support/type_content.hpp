#pragma once
// The content of an LLVM type, as far as the type itself tells.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

namespace assay::engine {

bool contains_floating(const llvm::Type *type);
bool contains_pointer(const llvm::Type *type);

/// A scalar inside of a value; vectors count as their elements.
struct Leaf {
  llvm::Type *type;
  std::uint64_t offset;                ///< In bytes, as the value lies in memory.
  llvm::SmallVector<unsigned, 4> path; ///< Indices from the outside; the last one may be a vector's.
};
llvm::SmallVector<Leaf, 8> leaves_of(llvm::Type *type, const llvm::DataLayout &layout);

} // namespace assay::engine
