#pragma once
// A kernel with a derivative keeps values from one sweep to the other in registers. With more than 128 for a thread a
// device runs one block of 256 threads at a time, too few to hide the time that memory and double precision take: on an
// H200 the gradient of a kernel of special functions took 1.3 ms with 128 and 2.2 ms with 255.
//
// So large kernels with sums or clears of adjoints get that limit (`.maxnreg`), unless the program says how its blocks
// are launched (`__launch_bounds__`). Small ones do not need it, and ptxas made some of them slower with it.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class RegisterLimitPass : public llvm::PassInfoMixin<RegisterLimitPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<register-limit>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
