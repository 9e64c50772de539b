#include "core/jit/pipeline.hpp"

#include "core/engine/lowering/lower_calls.hpp"
#include "core/engine/tidy/vector_guard.hpp"
#include "core/jit/effort.hpp"
#include "core/jit/error_collector.hpp"
#include "core/passes/module_analyses.hpp"

namespace assay::jit {

namespace {

struct ChangePass : llvm::PassInfoMixin<ChangePass> {
  explicit ChangePass(std::function<void(llvm::Module &)> change) : change(std::move(change)) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    change(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

  std::function<void(llvm::Module &)> change;
};

} // namespace

llvm::OptimizationLevel level_of(OptimizationLevel level) {
  switch (level) {
  case OptimizationLevel::none:
    return llvm::OptimizationLevel::O0;
  case OptimizationLevel::little:
    return llvm::OptimizationLevel::O1;
  case OptimizationLevel::normal:
    return llvm::OptimizationLevel::O2;
  case OptimizationLevel::most:
    return llvm::OptimizationLevel::O3;
  }
  return llvm::OptimizationLevel::O2;
}

/// The default pipeline of a level, with the callbacks that the builder has.
static void run_default(llvm::PassBuilder &builder, llvm::Module &module, OptimizationLevel level) {
  ModuleAnalyses analyses(builder);
  llvm::ModulePassManager passes = level == OptimizationLevel::none
                                       ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                                       : builder.buildPerModuleDefaultPipeline(level_of(level));
  passes.run(module, analyses.modules);
}

std::vector<std::string> run_pipeline(llvm::Module &module, llvm::TargetMachine &machine, OptimizationLevel level,
                                      const engine::TestHooks &test_hooks, const PipelineChanges &changes) {
  ErrorCollector collector(module.getContext());
  llvm::PassInstrumentationCallbacks callbacks;
  engine::guard_vectors_of_straight_code(callbacks);
  skip_passes_on_what_is_left(callbacks);
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(engine::ProtectPass()); });
  builder.registerOptimizerEarlyEPCallback(
      [&](llvm::ModulePassManager &passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        if (changes.simplified)
          passes.addPass(ChangePass(changes.simplified));
        passes.addPass(engine::AssayPass(test_hooks));
        if (changes.differentiated)
          passes.addPass(ChangePass(changes.differentiated));
      });

  run_default(builder, module, level);
  if (changes.finished && collector.errors.empty())
    changes.finished(module);
  return collector.errors;
}

std::vector<std::string> optimise(llvm::Module &module, llvm::TargetMachine &machine, OptimizationLevel level,
                                  const PipelineChanges &changes) {
  ErrorCollector collector(module.getContext());
  llvm::PassInstrumentationCallbacks callbacks;
  skip_passes_on_what_is_left(callbacks);
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  run_default(builder, module, level);
  if (changes.finished && collector.errors.empty())
    changes.finished(module);
  return collector.errors;
}

} // namespace assay::jit
