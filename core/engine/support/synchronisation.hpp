#pragma once
// Points of device code at which threads wait for one another. What other threads wrote is seen behind them, and what a
// thread reads before one may have changed behind it. Their order is part of the reverse sweep.

#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace assay::engine {

enum class Synchronisation : std::uint8_t {
  none,
  block,       ///< All threads of the block: __syncthreads and its variants.
  some,        ///< A number of threads of the block, at a barrier with a number (bar.sync id, count).
  warp,        ///< __syncwarp.
  fence,       ///< Orders memory and waits for nobody.
  unsupported, ///< No derivative is known: barriers of clusters and grids, arriving without waiting.
};

Synchronisation synchronisation(const llvm::Instruction &instruction);
inline bool waits_for_threads(Synchronisation kind) {
  return kind != Synchronisation::none && kind != Synchronisation::fence;
}

/// True when `function`, or a callee, waits for other threads.
bool synchronises(const llvm::Function &function);
/// True when other threads may see writes of `function` or its callees in an order that the program defines:
/// it waits for them, has a fence, an atomic or a volatile access, or calls an unknown function.
bool communicates(const llvm::Function &function);

} // namespace assay::engine
