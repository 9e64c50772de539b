#pragma once
// From a derivative's result to the declared result of the call of the convention: a scalar, a struct in
// registers (in whatever way the platform spreads it over them), or a struct behind a hidden pointer. Both sides are
// flattened to scalars, which must correspond one to one in order; floating types are converted.

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

/// The type that a call gives its user: its struct-return type, else its result type.
llvm::Type *declared_result(const llvm::CallBase &call);

/// An error when values of types `pieces` cannot be returned by `call`.
llvm::Error check_packing(const llvm::CallBase &call, llvm::ArrayRef<llvm::Type *> pieces);

/// Emits the result of `call` from `pieces`, in order. Null when the call returns nothing in registers; a struct behind
/// a hidden pointer is written there.
llvm::Value *pack_result(llvm::IRBuilderBase &builder, llvm::CallBase &call, llvm::ArrayRef<llvm::Value *> pieces);

/// A single scalar out of `value`, by the path of `leaves_of`.
llvm::Value *extract_leaf(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::ArrayRef<unsigned> path);
llvm::Value *insert_leaf(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Value *leaf,
                         llvm::ArrayRef<unsigned> path);

} // namespace assay::engine
