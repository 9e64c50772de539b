// Registers the engine's two passes.
//
// The convention is protected before anything else runs and lowered after simplification and before the vectorisers;
// both at every optimisation level. `-passes=assay` runs the lowering, `-passes=assay-protect` the protection.

#include "core/engine/request/lower_calls.hpp"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

namespace {

bool parse_pass_name(StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
  if (name == "assay")
    passes.addPass(assay::engine::AssayPass());
  else if (name == "assay-protect")
    passes.addPass(assay::engine::ProtectPass());
  else
    return false;
  return true;
}

void register_callbacks(PassBuilder &builder) {
  builder.registerPipelineParsingCallback(parse_pass_name);
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(assay::engine::ProtectPass()); });
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
    passes.addPass(assay::engine::AssayPass());
  });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "assay", LLVM_VERSION_STRING, register_callbacks};
}
