#pragma once
// After all derivatives are written: what is known of them is told to their callers, and the small ones become part of
// these.
//
// Derivatives come into the module after the pipeline's inliner has run, so a derivative of `square` in a loop would
// stay a call.
//
//   1. Attributes (memory effects, captures) are inferred for every function.
//   2. A call of a derivative that is not large is inlined where the cost model of LLVM's inliner says so; functions
//      that are not to be optimised are left alone.
//   3. Callers that changed are simplified, and derivatives that nothing calls any more are removed.

#include "core/engine/support/convention_names.hpp"
#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// Of functions that were kept from being inlined until derivatives were written: their calls are inlined as well.
inline constexpr llvm::StringLiteral inline_late_attribute = "assay-inline-late";

/// To be run after AssayPass in a pipeline that optimises.
struct InlineDerivativesPass : llvm::PassInfoMixin<InlineDerivativesPass> {
  static llvm::StringRef name() { return "assay-tidy<inline-derivatives>"; }
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace assay::engine
