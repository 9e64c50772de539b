#pragma once
// The variables of a device that a file of the host knows: code of the host that is differentiated keeps what they hold
// before each launch (assay/detail/gpu/device_variables.hpp).
//
// clang's code of the host registers each variable of the device with CUDA's runtime. What it registers becomes a list
// of the file's own, which the declared function
//
//     const void *__assay_device_variables(size_t *count)
//
// returns: for each variable the object that stands for it on the host, its bytes, and whether it is a table of
// shadows.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// True where the module asks for the list.
bool list_device_variables(llvm::Module &module);

class DeviceVariablesPass : public llvm::PassInfoMixin<DeviceVariablesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace assay::engine
