#include "core/jit/device_pipeline.hpp"

#include "core/engine/lowering/lower_calls.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/effort.hpp"
#include "core/jit/entries.hpp"
#include "core/jit/error_collector.hpp"
#include "core/passes/module_analyses.hpp"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
}

namespace assay::jit {

namespace {

/// The device that the module's functions name.
std::unique_ptr<llvm::TargetMachine> device_machine(const llvm::Module &module) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  std::string error, processor, features;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  if (!target)
    throw BadRequest("LLVM has no target for device code: " + error);
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute("target-cpu")) {
      processor = function.getFnAttribute("target-cpu").getValueAsString();
      features = function.getFnAttribute("target-features").getValueAsString();
      break;
    }
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(module.getTargetTriple(), processor, features, llvm::TargetOptions(), std::nullopt));
}

void differentiate(llvm::Module &module, OptimizationLevel level, const engine::TestHooks &test_hooks,
                   const PipelineChanges &changes) {
  const std::unique_ptr<llvm::TargetMachine> machine = device_machine(module);
  llvm::PassInstrumentationCallbacks callbacks;
  skip_passes_on_what_is_left(callbacks);
  llvm::PassBuilder builder(machine.get(), llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  ModuleAnalyses analyses(builder);
  llvm::ModulePassManager passes;
  passes.addPass(engine::ProtectPass());
  if (level != OptimizationLevel::none)
    passes.addPass(builder.buildModuleSimplificationPipeline(level_of(level), llvm::ThinOrFullLTOPhase::None));
  passes.run(module, analyses.modules);
  if (changes.simplified)
    changes.simplified(module);
  analyses.modules.clear();
  llvm::ModulePassManager engine_passes;
  engine_passes.addPass(engine::AssayPass(test_hooks));
  engine_passes.run(module, analyses.modules);
}

/// A derivative has so many shadows of shared arrays beside them.
unsigned most_shadow_lanes(const llvm::Module &module) {
  unsigned most = 0;
  for (const llvm::Function &function : module)
    if (unsigned lanes = 0; function.hasFnAttribute(shadow_lanes_attribute) &&
                            !function.getFnAttribute(shadow_lanes_attribute).getValueAsString().getAsInteger(10, lanes))
      most = std::max(most, lanes);
  return most;
}

gpu::RetargetOptions retarget_options(const llvm::Module &module, const DeviceEntries &entries) {
  const auto &[grid, block, shared_bytes] = entries.launch;
  gpu::Launch launch{{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, shared_bytes};
  constexpr std::uint64_t alignment = 16; // Of each part of dynamic shared memory.
  launch.shared_bytes = (launch.shared_bytes + alignment - 1) / alignment * alignment;
  launch.shared_bytes *= 1 + most_shadow_lanes(module);
  gpu::RetargetOptions options;
  options.identity = entries.function;
  options.access_log = entries.access_log;
  for (const std::string &name : entries.names)
    options.entries.push_back({name, launch});
  return options;
}

} // namespace

std::vector<std::string> run_device_pipeline(llvm::Module &module, llvm::TargetMachine &host, OptimizationLevel level,
                                             const engine::TestHooks &test_hooks, const PipelineChanges &changes,
                                             const DeviceEntries &entries) {
  {
    const ErrorCollector collector(module.getContext());
    differentiate(module, level, test_hooks, changes);
    if (!collector.errors.empty())
      return collector.errors;
  }
  try {
    gpu::retarget(module, retarget_options(module, entries));
  } catch (const gpu::NotEmulated &refusal) {
    return {refusal.what()};
  }
  module.setDataLayout(host.createDataLayout());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  if (changes.differentiated)
    changes.differentiated(module);
  return optimise(module, host, level, changes);
}

} // namespace assay::jit
