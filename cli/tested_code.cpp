#include "cli/tested_code.hpp"

#include "core/jit/reached_code.hpp"
#include "core/plugin/tested_kernels.hpp"
#include "core/widen/widen.hpp"
#include "gpu/emulate/host_code.hpp"
#include "gpu/emulate/retarget.hpp"
#include "gpu/runtime/kernel_tests.hpp"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace assay::cli {

namespace {

using gpu::KernelCode;

bool is_wanted(const llvm::Function &kernel, KernelCode code) {
  return kernel.hasFnAttribute(plugin::tested_attribute) ||
         (kernel.hasFnAttribute(plugin::derivative_attribute) && code != KernelCode::movement);
}

/// Other kernels are no entries any more.
void keep_tested(llvm::Module &module, KernelCode code) {
  llvm::removeFromUsedLists(module, [](llvm::Constant *) { return true; });
  for (llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel && !is_wanted(function, code))
      function.setCallingConv(llvm::CallingConv::C);
  jit::keep_reached(module, [](const llvm::GlobalValue &value) {
    const auto *function = llvm::dyn_cast<llvm::Function>(&value);
    return function && function->getCallingConv() == llvm::CallingConv::PTX_Kernel;
  });
}

void widen_reached(llvm::Module &module, widen::TwinKind kind) {
  jit::keep_reached(module, [](const llvm::GlobalValue &) { return false; });
  widen::widen(module, kind);
}

std::string object_with(const llvm::Module &given, const std::string &identity, KernelCode code) {
  const std::unique_ptr<llvm::Module> module = llvm::CloneModule(given);
  keep_tested(*module, code);
  const gpu::AccessLog log = code == KernelCode::watched ? gpu::AccessLog::for_a_watch : gpu::AccessLog::absent;
  gpu::retarget(*module, {identity + suffix_of(code), log});
  if (code == KernelCode::movement)
    widen_reached(*module, widen::TwinKind::movement);
  if (code == KernelCode::correction)
    widen_reached(*module, widen::TwinKind::correction);
  return gpu::object_of(*module, gpu::Speed::of_compilation);
}

} // namespace

bool has_tested_kernels(const llvm::Module &module) {
  return llvm::any_of(module,
                      [](const llvm::Function &function) { return function.hasFnAttribute(plugin::tested_attribute); });
}

std::vector<std::string> tested_code_of(const llvm::Module &module, const std::string &identity) {
  std::vector<std::string> objects;
  for (const KernelCode code : {KernelCode::watched, KernelCode::movement, KernelCode::correction})
    objects.push_back(object_with(module, identity, code));
  return objects;
}

} // namespace assay::cli
