#pragma once
// The operands of a call of the convention behind the function that it differentiates, markers among them.

#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace assay::engine {

/// One argument of the call after f.
struct Operand {
  llvm::Value *value = nullptr;
  bool reference = false;           ///< The callee takes it by reference: the value is in memory behind the pointer.
  bool by_value = false;            ///< A struct behind a byval pointer.
  llvm::Type *referenced = nullptr; ///< The fundamental type that is referred to, where it is one.
  unsigned pointer_depth = 0;       ///< Of the type that is referred to.
};

llvm::SmallVector<Operand, 8> operands_after_function(llvm::CallBase &call);

/// Markers and numbers are passed by value or by reference; either way this is the user's operand.
llvm::Value *written_value(const Operand &operand);

/// The marker that a call's argument is, through loads, stack slots and phis.
std::optional<Marker> marker_of(llvm::Value *argument);

/// The name of a variable that is given like a marker but is none: `enzyme_duplicate`.
std::optional<llvm::StringRef> unknown_marker_of(llvm::Value *argument);

/// True when an argument of type `from` can be given for a parameter of type `to`.
bool is_convertible(llvm::Type *from, llvm::Type *to, const llvm::DataLayout &layout);

} // namespace assay::engine
