#pragma once
// Shadows of globals that keep pointers follow what the program made of the globals since the last derivative: code of
// the library (core/engine/library/globals.c) is called where a derivative starts.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

namespace assay::engine {

/// To be called when all derivatives are written; `starts` are the calls in the program that start one.
void follow_globals(llvm::Module &module, llvm::ArrayRef<llvm::WeakTrackingVH> starts);

} // namespace assay::engine
