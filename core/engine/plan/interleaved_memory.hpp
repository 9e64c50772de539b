#pragma once
// Memory whose tangents lie side by side. Forward mode with several tangents has one shadow for each of them; those
// that the caller passes are separate. Memory of the function's own, which it only uses as numbers of one type, has a
// single shadow with all tangents of a number next to each other: one vector access for all of them, one address, one
// allocation.
//
//   primal  x0 x1 ...         shadow  x0'1 x0'2 .. x0'W x1'1 x1'2 .. x1'W ...

#include "core/engine/analysis/activity.hpp"
#include "core/engine/support/function_info.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

class InterleavedMemory {
public:
  InterleavedMemory() = default;
  InterleavedMemory(llvm::Function &prepared, const FunctionInfo &function_info, const ActivityAnalysis &activity);

  bool contains(const llvm::Value &pointer) const { return numbers_.contains(&pointer); }
  /// The value at the address.
  llvm::Type *number(const llvm::Value &pointer) const { return numbers_.lookup(&pointer); }
  bool empty() const { return numbers_.empty(); }

private:
  llvm::DenseMap<const llvm::Value *, llvm::Type *> numbers_; ///< By pointer.
};

/// operator delete with the size of the released memory.
bool is_sized_release(const llvm::CallBase &call, const FunctionInfo &function_info);

} // namespace assay::engine
