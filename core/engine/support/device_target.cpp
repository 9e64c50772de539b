#include "core/engine/support/device_target.hpp"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

bool is_device_code(const Module &module) {
  return module.getTargetTriple().isNVPTX();
}

bool is_device_code(const Instruction &instruction) {
  const Module *module = instruction.getParent() ? instruction.getModule() : nullptr;
  return module && is_device_code(*module);
}

bool is_shared_memory(const GlobalValue &global) {
  return is_in(*global.getType(), DeviceMemory::shared) && is_device_code(*global.getParent());
}

Align least_alignment(const Module &module, Type *number) {
  return is_device_code(module) ? module.getDataLayout().getABITypeAlign(number) : Align(1);
}

bool is_device_library_function(const Function &function) {
  return function.getName().starts_with(device_library_prefix) && is_device_code(*function.getParent());
}

} // namespace assay::engine
