#pragma once
// One call of a derivative in the place of a call of the convention: arguments converted, hidden structs and by-value
// structs put on the stack, the derivative called, its results gathered in the order that the convention promises.

#include "core/engine/lowering/call_parser.hpp"
#include "core/engine/plan/derivative_source.hpp"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// The types of the convention's results for `parsed`, in order.
llvm::SmallVector<llvm::Type *, 4> result_types(const ParsedCall &parsed, const llvm::CallBase &call);

struct EmittedCall {
  llvm::CallInst *call = nullptr;
  llvm::SmallVector<llvm::Value *, 4> results; ///< The convention's results, in order.
};

/// Emits the call of `derivative` (made for `parsed.request`) at the builder's position.
EmittedCall emit_derivative_call(llvm::IRBuilderBase &builder, const ParsedCall &parsed, llvm::CallBase &call,
                                 llvm::Function &derivative);

/// `value` given for something of type `to`, which it is convertible to.
llvm::Value *convert_argument(llvm::IRBuilderBase &builder, const ArgumentValue &value, llvm::Type *to);

} // namespace assay::engine
