#pragma once
// Shadows of globals that keep pointers follow what the program made of the globals since the last derivative: code of
// the library (core/engine/library/globals.c) is called where a derivative starts.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include <set>
#include <string>

namespace assay::engine {

/// A call of a derivative in the program that starts one: all but the second half of a split one.
struct DerivativeStart {
  llvm::WeakTrackingVH call;
  std::set<std::string> shadow_sets; ///< The suffixes of the shadows that it uses.
};

/// To be called when all derivatives are written.
void follow_globals(llvm::Module &module, llvm::ArrayRef<DerivativeStart> starts);

} // namespace assay::engine
