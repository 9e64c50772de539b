#pragma once
// Copies and fills of shadowed memory in the forward sweep. Those of floats are undone in the reverse sweep; those of
// pointers are mirrored here.

#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/plan/stale_addresses.hpp"
#include "core/engine/support/memory_calls.hpp"

namespace assay::engine {

llvm::Error write_transfer(ForwardSweep &sweep, const llvm::CallBase &call, const MemoryCall &memory);

/// The shadow of the first of the words around an access whose own is at `shadow`.
llvm::Value *first_of_words(llvm::IRBuilder<> &builder, llvm::Value *shadow, const StaleWords &words);
/// None where an access of that alignment turns out not to be to a half or the whole of an aligned word.
llvm::Value *bytes_of_words(llvm::IRBuilder<> &builder, llvm::Value *shadow, const StaleWords &words,
                            llvm::Align alignment);

/// Takes the words of an access to floats of `type`, and clears what is none.
const char *helper_that_forgets_addresses(const llvm::Type &type);

/// Where a float is stored over an address, no half of the shadow's address is left beside the adjoint.
llvm::Error forget_overwritten_address(ForwardSweep &sweep, const llvm::StoreInst &store);

} // namespace assay::engine
