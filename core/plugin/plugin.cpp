// Registers the engine's passes.
//
// Requests for derivatives of tested kernels become the convention's calls first of all, and the list of variables of
// the device is written. The convention is protected
// before anything else runs and lowered after simplification and before the vectorisers; both at every optimisation
// level; then the functions that a test asks for are widened; where there is optimisation, small derivatives are then
// inlined, loops are given the form that vectorisers take before these run, and values of long blocks are kept in
// memory after all other passes.
// `-passes=assay-tested-kernels` expands these requests,
// `-passes=assay` runs the lowering, `-passes=assay-protect` the protection, `-passes=assay-inline` the inlining,
// `-passes='assay-prepare<NAME>'` and `-passes='assay-tidy<NAME>'` one pass of the engine's lists.

#include "core/engine/explain/remarks.hpp"
#include "core/engine/lowering/device_library.hpp"
#include "core/engine/lowering/lower_calls.hpp"
#include "core/engine/lowering/named_passes.hpp"
#include "core/engine/support/device_variables.hpp"
#include "core/engine/tidy/inline_derivatives.hpp"
#include "core/engine/tidy/passes.hpp"
#include "core/engine/tidy/vector_choice.hpp"
#include "core/engine/tidy/vector_guard.hpp"
#include "core/plugin/tested_kernels.hpp"
#include "core/widen/twins.hpp"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroConditionalWrapper.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"

#include <dlfcn.h>

using namespace llvm;

namespace {

bool parse_pass_name(StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
  if (name == "assay")
    passes.addPass(assay::engine::AssayWithRemarksPass());
  else if (name == "assay-protect")
    passes.addPass(assay::engine::ProtectPass());
  else if (name == "assay-inline")
    passes.addPass(assay::engine::InlineDerivativesPass());
  else if (name == "assay-tested-kernels")
    passes.addPass(assay::plugin::TestedKernelsPass());
  else
    return assay::engine::add_named_pass(name, passes);
  return true;
}

/// Without optimisation coroutines are split after the engine's place in the pipeline; it differentiates their parts.
void split_coroutines(ModulePassManager &passes) {
  ModulePassManager split;
  split.addPass(CoroEarlyPass());
  CGSCCPassManager parts;
  parts.addPass(CoroSplitPass());
  split.addPass(createModuleToPostOrderCGSCCPassAdaptor(std::move(parts)));
  split.addPass(CoroCleanupPass());
  passes.addPass(CoroConditionalWrapper(std::move(split)));
}

/// From clang's part of the plugin (frontend.cpp), where that is loaded.
std::string device_library_file() {
  using Ask = const char *();
  auto *ask = reinterpret_cast<Ask *>(dlsym(RTLD_DEFAULT, "assay_device_library"));
  return ask ? ask() : "";
}

void register_callbacks(PassBuilder &builder) {
  if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks()) {
    assay::engine::choose_vectors_of_straight_code(*callbacks);
    assay::engine::guard_vectors_of_straight_code(*callbacks);
    assay::engine::register_pass_names(*callbacks);
  }
  builder.registerPipelineParsingCallback(parse_pass_name);
  builder.registerPipelineStartEPCallback([](ModulePassManager &passes, OptimizationLevel) {
    passes.addPass(assay::plugin::TestedKernelsPass());
    passes.addPass(assay::engine::DeviceVariablesPass());
    passes.addPass(assay::engine::ProtectPass());
  });
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager &passes, OptimizationLevel level, ThinOrFullLTOPhase) {
    if (level == OptimizationLevel::O0)
      split_coroutines(passes);
    passes.addPass(assay::engine::AssayWithRemarksPass());
    passes.addPass(assay::engine::LinkDeviceLibraryPass(device_library_file()));
    passes.addPass(assay::widen::TwinsPass());
    if (level == OptimizationLevel::O0)
      return;
    for (const assay::engine::ModulePass &pass : assay::engine::passes_over_derivatives())
      pass.add(passes);
  });
  builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, OptimizationLevel level) {
    if (level.getSpeedupLevel() < 2)
      return;
    for (const assay::engine::LatePass &pass : assay::engine::passes_before_vectorisers())
      pass.add(passes);
  });
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel level, ThinOrFullLTOPhase) {
    if (level == OptimizationLevel::O0)
      return;
    FunctionPassManager last;
    for (const assay::engine::LatePass &pass : assay::engine::passes_at_the_end())
      pass.add(last);
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(last)));
  });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "assay", LLVM_VERSION_STRING, register_callbacks};
}
