#include "core/jit/pipeline.hpp"

#include "core/engine/lowering/lower_calls.hpp"
#include "core/engine/tidy/vector_guard.hpp"
#include "core/jit/effort.hpp"
#include "core/passes/module_analyses.hpp"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"

namespace assay::jit {

namespace {

/// Collects errors while it lives and leaves out everything else.
class ErrorCollector {
public:
  explicit ErrorCollector(llvm::LLVMContext &context) : context_(context) {
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *info, void *self) { static_cast<ErrorCollector *>(self)->take(*info); }, this);
  }
  ~ErrorCollector() { context_.setDiagnosticHandlerCallBack(nullptr); }
  ErrorCollector(const ErrorCollector &) = delete;
  ErrorCollector &operator=(const ErrorCollector &) = delete;

  std::vector<std::string> errors;

private:
  void take(const llvm::DiagnosticInfo &info) {
    if (info.getSeverity() != llvm::DS_Error)
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    if (const auto *unsupported = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info))
      stream
          << unsupported->getMessage(); // Has its own place; what would come before is the entry's, which nobody wrote.
    else
      info.print(printer);
    errors.push_back(llvm::StringRef(text).trim().str());
  }

  llvm::LLVMContext &context_;
};

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

std::vector<std::string> run_pipeline(llvm::Module &module, llvm::TargetMachine &machine, OptimizationLevel level,
                                      const engine::Alterations &alterations, const PipelineChanges &changes) {
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
        passes.addPass(engine::AssayPass(alterations));
        if (changes.differentiated)
          passes.addPass(ChangePass(changes.differentiated));
      });

  ModuleAnalyses analyses(builder);

  llvm::ModulePassManager passes = level == OptimizationLevel::none
                                       ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                                       : builder.buildPerModuleDefaultPipeline(level_of(level));
  passes.run(module, analyses.modules);
  if (changes.finished && collector.errors.empty())
    changes.finished(module);
  return collector.errors;
}

} // namespace assay::jit
