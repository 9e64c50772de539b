#pragma once
// Kernels that code of the host launches and that have no derivative: the error names what registers one.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True for the functions of CUDA's runtime that stand in a launch, of which the first in its body is met first.
inline bool launches_kernel(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  return name == "__cudaPopCallConfiguration" || name.starts_with("cudaLaunchKernel");
}

inline constexpr const char *launch_reason = "a kernel is launched that has no derivative";
inline constexpr const char *launch_remedy = "name it by ASSAY_LAUNCH(kernel, function) of <assay/gpu/host.hpp>, or by "
                                             "ASSAY_LAUNCH_WITHOUT_DERIVATIVE(kernel) where it carries none";

} // namespace assay::engine
