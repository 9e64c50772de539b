#pragma once
// Kernels that code of the host launches and that have no derivative: the error names the macro that registers one.

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// True for the stub in code of the host that launches a kernel, by the name that clang gives it.
inline bool is_launch_stub(const llvm::Function &function) {
  return function.getName().contains("__device_stub__");
}

/// True for the functions of CUDA's runtime that stand in a launch, of which the first in its body is met first, and
/// for the launch of a kernel that another file defines.
inline bool launches_kernel(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  return name == "__cudaPopCallConfiguration" || name.starts_with("cudaLaunchKernel") ||
         (function.isDeclaration() && is_launch_stub(function));
}

/// Functions of <assay/gpu/host.hpp> and kernels, through which numbers go to variables of the device and come from
/// there.
inline bool may_use_device_variables(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  return is_launch_stub(function) ||
         (name.contains("assay5rules3gpu") && (name.contains("copy_to_symbol") || name.contains("copy_from_symbol")));
}

inline constexpr const char *launch_reason = "a kernel is launched that has no derivative";
inline constexpr const char *launch_remedy = "name it by ASSAY_LAUNCH(kernel) of <assay/gpu/host.hpp>, or by "
                                             "ASSAY_LAUNCH_WITHOUT_DERIVATIVE(kernel) where it carries none";
inline constexpr const char *distant_launch_remedy =
    "define it in the file that launches it, such as in a header, and name it there by ASSAY_LAUNCH(kernel) of "
    "<assay/gpu/host.hpp>";
inline constexpr const char *direct_launch_remedy =
    "write it as kernel<<<grid, block, bytes, stream>>>(arguments), with the kernel named by ASSAY_LAUNCH(kernel) "
    "of <assay/gpu/host.hpp>";

/// Algorithms for a whole device launch kernels of their own.
inline constexpr const char *launch_by_cub_remedy =
    "name the algorithm of CUB that the program calls by ASSAY_CUB(name, types...) of <assay/gpu/cub.hpp>, which has "
    "rules for sums, extrema, scans and radix sorts";
inline constexpr const char *launch_by_thrust_remedy = "call an algorithm of CUB that ASSAY_CUB of <assay/gpu/cub.hpp> "
                                                       "has a rule for; Thrust has derivatives by emulation "
                                                       "alone";

/// A launch between brackets takes its configuration first.
inline const char *remedy_of_launch(const llvm::Function &callee, const llvm::Function &caller) {
  if (is_launch_stub(callee))
    return distant_launch_remedy;
  const llvm::StringRef name = caller.getName();
  if (name.contains("6thrust"))
    return launch_by_thrust_remedy;
  if (name.contains("3cub"))
    return launch_by_cub_remedy;
  return callee.getName() == "__cudaPopCallConfiguration" ? launch_remedy : direct_launch_remedy;
}

/// Whether the rules of <assay/gpu/host.hpp> are in a module.
inline bool has_rules_of_runtime(const llvm::Module &module) {
  const auto is_of_header = [](const llvm::GlobalValue &value) { return value.getName().contains("assay5rules3gpu"); };
  return llvm::any_of(module.globals(), is_of_header) || llvm::any_of(module, is_of_header);
}

/// The replacement for a function of CUDA's runtime without a rule; null where it is none.
inline const char *remedy_of_runtime_function(const llvm::Function &callee) {
  const llvm::StringRef name = callee.getName();
  if (!name.starts_with("cuda") || !callee.isDeclaration())
    return nullptr;
  if (!has_rules_of_runtime(*callee.getParent()))
    return "include <assay/gpu/host.hpp>, which has the derivatives of allocations and copies, and name the kernels "
           "that the function launches by ASSAY_LAUNCH(kernel)";
  if (name == "cudaMemcpy" || name == "cudaMemcpyAsync")
    return "copies by pointers to numbers, to pointers or to structs of numbers have derivatives, those by void * have "
           "none; assign a struct that has pointers and other members in memory of cudaMallocManaged";
  return name.contains("Symbol")
             ? "copy them by a pointer to float or double to a variable that has a shadow by a table "
               "__enzyme_shadow_global, or to memory of cudaMalloc by cudaMemcpy, and pass its pointer to the kernel"
             : "use cudaMalloc, cudaMallocManaged or cudaMallocHost, cudaMemcpy and cudaMemset, "
               "which have derivatives";
}

} // namespace assay::engine
