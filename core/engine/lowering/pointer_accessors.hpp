#pragma once
// Pointers without memory: loads through them become calls of one function, stores become calls of another, and the
// pointer itself is an offset.

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

/// `T load(offset, arguments...)` and `void store(T value, offset, arguments...)`; offsets are in bytes.
struct PointerAccessors {
  llvm::Function *load;
  llvm::Function *store;
  llvm::SmallVector<llvm::Value *, 4> arguments; ///< Of the types of `load`, known where the pointer is.
  std::uint64_t address; ///< What the first byte has where addresses are compared; nothing lies there.

  llvm::Type *element() const { return load->getReturnType(); }
};

/// A pointer of a function, and its offset there.
struct AccessedPointer {
  llvm::Value *pointer;
  llvm::Value *offset; ///< i64
};

/// A call that is given such pointers: operand and offset.
struct GivenOffset {
  unsigned operand;
  llvm::Value *offset;
};
using ReplaceCall = llvm::function_ref<llvm::Error(llvm::CallBase &, llvm::ArrayRef<GivenOffset>)>;

/// Rewrites everything that `function` does with memory behind `pointers`. Calls of functions that are given such
/// pointers are left to `replace_call`. An error where a pointer is kept in memory, returned, or mixed with others.
llvm::Error rewrite_accesses(llvm::Function &function, llvm::ArrayRef<AccessedPointer> pointers,
                             const PointerAccessors &accessors, ReplaceCall replace_call);

} // namespace assay::engine
