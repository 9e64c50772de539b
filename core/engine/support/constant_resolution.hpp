#pragma once
// Which constant a value is, seen without the optimiser: at -O0 everything passes through allocas, and function
// pointers through conversion operators of lambdas and small wrappers. The value is followed backwards through casts,
// aliases, loads of constant globals and of stack slots whose stores agree, phis and selects whose sides agree, and
// calls of functions that return one constant. Nothing is changed.

#include "llvm/IR/Constants.h"
#include "llvm/IR/Value.h"

namespace assay::engine {

/// The constant that `value` always is (pointer casts and aliases stripped), or null.
llvm::Constant *resolve_constant(llvm::Value *value);

/// The value behind loads of stack slots that are written once and behind no-op casts: the user's argument.
llvm::Value *look_through(llvm::Value *value);

/// The one value that is stored at the address `pointer` (a stack slot), or null when there are several or it may be
/// changed by others. Calls of the convention do not count as others.
llvm::Value *only_stored_value(llvm::Value *pointer);

/// An integer that `value` always is.
std::optional<std::int64_t> resolve_integer(llvm::Value *value);

} // namespace assay::engine
