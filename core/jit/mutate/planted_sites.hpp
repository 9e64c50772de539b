#pragma once
// Places of faults that know themselves how to be planted. Each family of faults is a file and appends its own. Private
// to this folder.

#include "core/jit/mutate/find_sites.hpp"
#include "core/jit/mutate/roles.hpp"

namespace assay::jit {

using Sites = llvm::SmallVector<Site, 64>;

/// Factors that are not numbers at edges, are rounded, wrong where they are large or small, or have no derivative.
void find_factor_faults(llvm::Function &function, const Roles &roles, Sites &sites);
/// Values that are kept from one call to the next.
void find_state_faults(llvm::Function &function, const Roles &roles, Sites &sites);
/// Seeds that are taken for another number.
void find_seed_faults(const Roles &roles, Sites &sites);
/// Lengths, strides and the order of reading and writing.
void find_layout_faults(llvm::Function &function, Sites &sites);
/// One side of comparisons.
void find_branch_faults(llvm::Function &function, const Roles &roles, Sites &sites);
/// What is left otherwise when the function returns, and releases at the wrong time or by the wrong function.
void find_environment_faults(llvm::Function &function, Sites &sites);

/// Barriers, atomic additions, shuffles and shared memory of device code.
void find_device_faults(llvm::Function &function, Sites &sites);

/// All of these; of device code those that it can have.
Sites find_general_faults(llvm::Function &function, const Roles &roles);

/// Wrong signs, missing terms and releases, where nothing is known but what carries derivatives.
Sites find_arithmetic_faults(llvm::Function &function, const Roles &roles);

/// The C library's function, or an operator delete.
bool releases_memory(const llvm::CallInst &call);

} // namespace assay::jit
