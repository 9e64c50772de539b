#include "core/jit/device_pipeline.hpp"

#include "core/engine/lowering/lower_calls.hpp"
#include "core/engine/lowering/shared_shadows.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/effort.hpp"
#include "core/jit/entries.hpp"
#include "core/jit/error_collector.hpp"
#include "core/passes/module_analyses.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
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

/// An entry has so many shadows of shared arrays beside them: none unless it is a derivative.
unsigned shadow_lanes(const llvm::Module &module, const std::string &entry) {
  unsigned lanes = 0;
  const llvm::Function *function = module.getFunction(entry);
  return function && !function->getFnAttribute(shadow_lanes_attribute).getValueAsString().getAsInteger(10, lanes)
             ? lanes
             : 0;
}

/// The function itself gets the bytes of the launch and no more, so that what lies behind them is out of bounds.
std::uint64_t dynamic_bytes(const llvm::Module &module, const DeviceEntries &entries, const std::string &entry) {
  const unsigned lanes = shadow_lanes(module, entry);
  return lanes == 0 ? entries.launch.shared_bytes : (1 + lanes) * dynamic_share(entries.launch.shared_bytes);
}

/// On a device each part of dynamic shared memory is a share of what the launch has, the same for all derivatives of a
/// file. Here the parts are known, so that each entry has as many of them as it needs; and the code of the kernel finds
/// the bytes that the launch says.
void set_dynamic_bytes(llvm::Module &module, const DeviceEntries &entries) {
  const auto is_derivative = [&](const std::string &entry) { return shadow_lanes(module, entry) != 0; };
  if (llvm::none_of(entries.names, is_derivative))
    return;
  const auto number = [&](std::uint64_t bytes) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), bytes);
  };
  if (llvm::Function *share = module.getFunction(engine::dynamic_share_function))
    for (llvm::BasicBlock &block : *share)
      if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        end->setOperand(0, number(dynamic_share(entries.launch.shared_bytes)));
  llvm::Function *size =
      llvm::Intrinsic::getDeclarationIfExists(&module, llvm::Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size);
  if (!size)
    return;
  for (llvm::User *read : llvm::make_early_inc_range(size->users())) {
    read->replaceAllUsesWith(number(entries.launch.shared_bytes));
    llvm::cast<llvm::Instruction>(read)->eraseFromParent();
  }
}

gpu::RetargetOptions retarget_options(const llvm::Module &module, const DeviceEntries &entries) {
  const auto &[grid, block, shared_bytes] = entries.launch;
  const gpu::Launch launch{{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, shared_bytes};
  gpu::RetargetOptions options;
  options.identity = entries.function;
  options.access_log = entries.access_log;
  for (const std::string &name : entries.names) {
    options.entries.push_back({name, launch});
    options.entries.back().launch.shared_bytes = dynamic_bytes(module, entries, name);
  }
  return options;
}

} // namespace

std::vector<std::string> differentiate_device_code(llvm::Module &module, OptimizationLevel level,
                                                   const engine::TestHooks &test_hooks,
                                                   const PipelineChanges &changes) {
  const ErrorCollector collector(module.getContext());
  differentiate(module, level, test_hooks, changes);
  return collector.errors;
}

std::vector<std::string> run_device_pipeline(llvm::Module &module, llvm::TargetMachine &host, OptimizationLevel level,
                                             const engine::TestHooks &test_hooks, const PipelineChanges &changes,
                                             const DeviceEntries &entries) {
  if (std::vector<std::string> errors = differentiate_device_code(module, level, test_hooks, changes); !errors.empty())
    return errors;
  set_dynamic_bytes(module, entries);
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
