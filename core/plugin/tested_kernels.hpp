#pragma once
// Derivatives of kernels that a compiled test checks (<assay/gpu/testing.hpp>).
//
// A test names the kernel when it runs, so a derivative is a kernel that is told which one it is to differentiate. In
// the source it is a single call,
//
//     __assay_kernel_derivative(kernel, slots, __assay_tested_kernel<P...>, mode, width, split, runtime activity,
//                               activities, number of parameters)
//
// whose `kernel` is the hash of a symbol, and whose activities have two bits each. It becomes a switch over the kernels
// of the file that have these parameters, with the derivative of each as `assay check` writes it
// (core/jit/entries.hpp). This is the only way to differentiate a kernel itself: in the convention that programs use it
// is refused.

#include "llvm/IR/PassManager.h"

namespace assay::plugin {

/// Of kernels that a test may name, and of their derivatives.
inline constexpr llvm::StringLiteral tested_attribute = "assay-tested", derivative_attribute = "assay-tests";

class TestedKernelsPass : public llvm::PassInfoMixin<TestedKernelsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace assay::plugin
