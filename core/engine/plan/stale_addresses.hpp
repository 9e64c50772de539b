#pragma once
// Where a union, or a container's head, holds an address at one time and floats at another, the shadow may still hold
// the address of a shadow when the reverse sweep takes it for an adjoint.

#include "core/engine/analysis/types.hpp"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// True when the shadow of what the load or store `access` reaches may be such an address, read as floats of `type`.
///
/// Read as a double, an address adds nothing; its lower half is any float. What stands in an integer above it may look
/// like the upper half of an address; padding does not, since the forward sweep clears it where a float is stored over
/// an address.
bool may_read_address_as_float(const TypeAnalysis &types, const llvm::Instruction &access, llvm::Type &type);

} // namespace assay::engine
