#include "core/engine/explain/remarks.hpp"
#include "core/engine/explain/collector.hpp"
#include "core/engine/lowering/lower_calls.hpp"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;
using ore::NV;

namespace assay::engine {
namespace {

constexpr const char *pass_name = "assay";

/// A place of the function's own, or in what was inlined into it.
DiagnosticLocation location_of(const Function &function, const SourcePlace &place) {
  DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return {};
  if (place.line == 0)
    return subprogram;
  LLVMContext &context = function.getContext();
  DILocalScope *scope = subprogram;
  if (place.file != subprogram->getFilename())
    scope =
        DILexicalBlockFile::get(context, subprogram, DIFile::get(context, place.file, subprogram->getDirectory()), 0);
  return DebugLoc(DILocation::get(context, place.line, place.column, scope));
}

class RemarkWriter {
public:
  RemarkWriter(Function &function, const Explanation &explanation)
      : function_(function), explanation_(explanation), emitter_(&function) {}

  void run() {
    if (!explanation_.refusal.empty()) {
      OptimizationRemarkMissed remark(pass_name, "NoDerivative", own_place(), block());
      emitter_.emit(remark << "no derivative of " << NV("Function", explanation_.function) << ": "
                           << NV("Reason", explanation_.refusal));
      for (const ExplainedStep &step : explanation_.chain)
        say("ReasonOfRefusal", step);
      return;
    }
    OptimizationRemark remark(pass_name, "Derivative", own_place(), block());
    remark << NV("Mode", explanation_.mode) << " derivative of " << NV("Function", explanation_.function)
           << NV("Activities", explanation_.activities);
    if (explanation_.is_planned)
      remark << ": " << NV("TapeBytes", explanation_.tape.text()) << " bytes of tape";
    emitter_.emit(remark);
    for (const ExplainedLoop &loop : explanation_.loops)
      if (loop.bytes > 0)
        say_loop(loop);
    for (const ExplainedValue &value : explanation_.values)
      if (value.storage == ExplainedStorage::tape || value.storage == ExplainedStorage::restored)
        say_value(value);
    for (const ExplainedStep &step : explanation_.surprises)
      say("TakesNoPart", step);
  }

private:
  const BasicBlock *block() const { return &function_.getEntryBlock(); }
  DiagnosticLocation own_place() const { return location_of(function_, {explanation_.file, explanation_.line, 0}); }

  void say(const char *name, const ExplainedStep &step) {
    const DiagnosticLocation place = step.place.line > 0 ? location_of(function_, step.place) : own_place();
    OptimizationRemarkAnalysis remark(pass_name, name, place, block());
    emitter_.emit(remark << NV("Text", step.text));
  }

  void say_loop(const ExplainedLoop &loop) {
    OptimizationRemarkAnalysis remark(pass_name, "TapeOfLoop", location_of(function_, loop.place), block());
    emitter_.emit(remark << "tape of the loop: " << NV("TapeBytes", loop.tape.text()) << " bytes, "
                         << NV("BytesInEach", loop.bytes) << " in each iteration");
  }

  void say_value(const ExplainedValue &value) {
    const bool is_taped = value.storage == ExplainedStorage::tape;
    OptimizationRemarkAnalysis remark(pass_name, is_taped ? "Taped" : "Restored", location_of(function_, value.place),
                                      block());
    remark << NV("Value", value.name) << " is " << name_of(value.storage) << " (" << NV("Bytes", value.bytes)
           << " bytes): " << NV("Reason", value.storage_reason);
    if (!value.needed_for.empty())
      remark << "; needed " << NV("Need", value.needed_for.back().text);
    emitter_.emit(remark);
  }

  Function &function_;
  const Explanation &explanation_;
  OptimizationRemarkEmitter emitter_;
};

} // namespace

void emit_remarks(Function &function, const Explanation &explanation) {
  RemarkWriter(function, explanation).run();
}

PreservedAnalyses AssayWithRemarksPass::run(Module &module, ModuleAnalysisManager &analyses) {
  if (!OptimizationRemarkEmitter::allowExtraAnalysis(module.getContext(), pass_name))
    return AssayPass().run(module, analyses);
  ExplanationCollector collector(Detail::names);
  TestHooks test_hooks;
  test_hooks.observer = &collector;
  PreservedAnalyses preserved = AssayPass(test_hooks).run(module, analyses);
  for (const Explanation &explanation : collector.take())
    if (Function *function = module.getFunction(explanation.linkage_name); function && !function->isDeclaration())
      emit_remarks(*function, explanation);
  return preserved;
}

} // namespace assay::engine
