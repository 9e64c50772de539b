#pragma once
// Shadows of the arrays that the threads of a block share.
//
// An array of known size has a shadow of the same size. Dynamic shared memory (`extern __shared__`) is one piece whose
// size the launch says: with W shadows, a launch reserves (1 + W) times the bytes, and the shadow of lane k lies behind
// the array and the shadows before it. All threads of the block clear the shadows where a derivative starts, between
// two barriers.

#include "core/engine/lowering/start_shadows.hpp"

namespace assay::engine {

/// Sets shadows of shared arrays to zero, by all threads of the block.
void clear_shared(llvm::IRBuilderBase &builder, llvm::ArrayRef<llvm::GlobalVariable *> shadows);

/// The function that returns the bytes of dynamic shared memory that the array, and each of its shadows, has.
inline constexpr llvm::StringLiteral dynamic_share_function = "assay.dynamic.share";

/// Gives shadows of dynamic shared memory their places, once all derivatives are written.
void place_dynamic_shadows(llvm::Module &module);

} // namespace assay::engine
