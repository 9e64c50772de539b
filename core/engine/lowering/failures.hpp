#pragma once
// Calls of the convention that were not lowered, and how the compiler says so.

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

/// Why a call was not lowered, with the place to show.
struct Failure {
  llvm::Function *caller = nullptr; ///< Null when the whole module is meant.
  llvm::DebugLoc place;
  llvm::Error error;
};

/// Diagnoses the failure. One that was said already is not said again.
void report(llvm::Module &module, Failure &failure, llvm::StringSet<> &said);

} // namespace assay::engine
