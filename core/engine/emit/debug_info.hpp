#pragma once
// Debug information of derivatives: functions of their own names (`diffe.f`), whose code stands at the primal's
// lines. A derivative starts with a copy of the primal's subprogram, made when the body was cloned; the reverse half of
// a split derivative is not a clone, so it gets one here, and the locations of its instructions are moved there.

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"

namespace assay::engine {

/// The start of the function's source, for code that belongs to no line; nothing without debug information.
llvm::DebugLoc function_location(const llvm::Function &function);

/// Gives `function` a subprogram like that of `model`, when there is one.
void copy_subprogram(const llvm::Function &model, llvm::Function &function);

/// Names the subprogram after the function: its prefix before the source name, its symbol as linkage name. Calls
/// without a location get one where the verifier asks for it.
void finish_debug_info(llvm::Function &derivative, llvm::StringRef prefix);

/// A copy that works on shadows: it assigns to no variable of the source.
llvm::Instruction *copy_for_shadow(const llvm::Instruction &primal);

/// Locations of one function as locations of another, whose subprogram is a copy.
class MovedLocations {
public:
  explicit MovedLocations(const llvm::Function &target) : subprogram_(target.getSubprogram()) {}
  llvm::DebugLoc operator()(const llvm::DebugLoc &location);

private:
  llvm::DILocation *moved(llvm::DILocation *location);

  llvm::DISubprogram *subprogram_;
  llvm::DenseMap<llvm::DILocation *, llvm::DILocation *> calls_; ///< Where inlined functions were called.
};

} // namespace assay::engine
