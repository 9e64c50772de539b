#pragma once
// What is read of memory that its function allocates and nobody else sees: where all loads of it are of one floating
// type, whatever else is copied to it is never looked at.

#include "llvm/IR/Value.h"

namespace assay::engine {

/// The floating type of all loads of the objects behind `pointer`; null where there are others, none, or where one of
/// the objects is not seen whole.
llvm::Type *only_type_read(const llvm::Value &pointer);

} // namespace assay::engine
