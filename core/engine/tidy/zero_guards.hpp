#pragma once
// A product of a seed of zero and an infinite number is zero where a select or a branch keeps the value from the result
// (zero_times_infinity.hpp). It is guarded by a test whether the seed is zero and the product NaN, so that a derivative
// of the derivative still finds the product. Once none follows, the first half of the test is enough: it is the same
// for all products of a seed.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class ZeroGuardsPass : public llvm::PassInfoMixin<ZeroGuardsPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<zero-guards>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
