#pragma once
// Device code to code of this machine: simplified and differentiated as clang does it for a device, then retargeted
// (gpu/emulate) and optimised for the host.

#include "core/jit/kernel_launch.hpp"
#include "core/jit/pipeline.hpp"
#include "gpu/emulate/retarget.hpp"

#include <span>

namespace assay::jit {

/// What becomes of the kernels that the entries of device code are.
struct DeviceEntries {
  std::string function; ///< What messages call them.
  KernelLaunch launch;
  std::span<const std::string> names;
  gpu::AccessLog access_log = gpu::AccessLog::absent;
};

/// The first part of it: simplified and differentiated. Returns errors as run_pipeline does.
std::vector<std::string> differentiate_device_code(llvm::Module &module, OptimizationLevel level,
                                                   const engine::TestHooks &test_hooks, const PipelineChanges &changes);

/// As run_pipeline; `changes.differentiated` sees the retargeted module, in which each entry is a function of the host
/// that launches its kernel. `host` is the machine that the code is to run on.
std::vector<std::string> run_device_pipeline(llvm::Module &module, llvm::TargetMachine &host, OptimizationLevel level,
                                             const engine::TestHooks &test_hooks, const PipelineChanges &changes,
                                             const DeviceEntries &entries);

} // namespace assay::jit
