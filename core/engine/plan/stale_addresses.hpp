#pragma once
// Where a union, or a container's head, holds an address at one time and floats at another, the shadow may still hold
// the address of a shadow when the reverse sweep takes it for an adjoint.

#include "core/engine/analysis/types.hpp"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace assay::engine {

/// The words around an access to floats.
struct StaleWords {
  std::uint64_t bytes;
  bool are_aligned; ///< They begin at the aligned word that the access begins in; else where it begins itself.
};

/// The words of the shadow of what the load or store `access` reaches, where they may be such an address that would be
/// read as floats of `type`. An access to the upper half of a word counts as well: once it has written there, nothing
/// tells any more that the lower half is a part of an address.
///
/// Read as a double, an address is a number that adds nothing to others, but it is not zero; its lower half is any
/// float. What stands in an integer above it may look like the upper half of an address; padding does not, since the
/// forward sweep clears it where a float is stored over an address.
std::optional<StaleWords> words_read_as_floats(const TypeAnalysis &types, const llvm::Instruction &access,
                                               llvm::Type &type);

} // namespace assay::engine
