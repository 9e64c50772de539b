#include "core/engine/tidy/inline_derivatives.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/tidy/passes.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

using Functions = SmallVector<Function *, 8>;

Functions derivatives_of(Module &module) {
  Functions derivatives;
  for (Function &function : module)
    if (function.hasFnAttribute(derivative_attribute) && !function.isDeclaration())
      derivatives.push_back(&function);
  return derivatives;
}

/// Functions with rules, which stayed calls until now.
Functions kept_functions(Module &module) {
  Functions kept;
  for (Function &function : module)
    if (function.hasFnAttribute(inline_late_attribute)) {
      function.removeFnAttr(inline_late_attribute);
      const bool is_derivative = function.hasFnAttribute(derivative_attribute); // of a clone that took the attribute
      if (!function.isDeclaration() && !function.isInterposable() && !is_derivative)
        kept.push_back(&function);
    }
  return kept;
}

void infer_attributes(Module &module, ModuleAnalysisManager &analyses) {
  ModulePassManager passes;
  passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
  passes.run(module, analyses);
}

SmallVector<CallBase *, 16> calls_of(const Functions &derivatives) {
  SmallVector<CallBase *, 16> calls;
  for (Function *derivative : derivatives)
    for (User *user : derivative->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == derivative && call->getFunction() != derivative)
        calls.push_back(call);
  return calls;
}

bool worth_inlining(CallBase &call, FunctionAnalysisManager &analyses) {
  const auto assumptions = [&](Function &function) -> AssumptionCache & {
    return analyses.getResult<AssumptionAnalysis>(function);
  };
  const auto library = [&](Function &function) -> const TargetLibraryInfo & {
    return analyses.getResult<TargetLibraryAnalysis>(function);
  };
  auto &target = analyses.getResult<TargetIRAnalysis>(*call.getCalledFunction());
  return bool(getInlineCost(call, getInlineParams(), target, assumptions, library));
}

/// Beside what a large function does, a call costs nothing; as a part of its caller it would be simplified once more.
bool is_large(const Function &derivative) {
  constexpr unsigned large = 400; // instructions
  return derivative.getInstructionCount() > large;
}

/// In a kernel the kinds of memory that its parameters lead to are known, and with them which sums are atomic.
bool is_only_one_of_kernel(const CallBase &call) {
  const Function &derivative = *call.getCalledFunction();
  return is_device_code(call) && call.getFunction()->getCallingConv() == CallingConv::PTX_Kernel &&
         derivative.hasLocalLinkage() && derivative.hasOneUse() && !derivative.hasFnAttribute(Attribute::NoInline);
}

/// True when the call is gone.
bool inline_call(CallBase &call, FunctionAnalysisManager &analyses) {
  if (call.getFunction()->hasOptNone())
    return false;
  if (!is_only_one_of_kernel(call) && (is_large(*call.getCalledFunction()) || !worth_inlining(call, analyses)))
    return false;
  InlineFunctionInfo information;
  return InlineFunction(call, information).isSuccess();
}

/// Callers that a derivative became part of.
SetVector<Function *> inline_into_callers(const Functions &derivatives, FunctionAnalysisManager &analyses) {
  SetVector<Function *> changed;
  for (CallBase *call : calls_of(derivatives)) {
    Function *caller = call->getFunction();
    if (!inline_call(*call, analyses))
      continue;
    analyses.invalidate(*caller, PreservedAnalyses::none());
    changed.insert(caller);
  }
  return changed;
}

void remove_unused(const Functions &derivatives, SetVector<Function *> &changed, FunctionAnalysisManager &analyses) {
  for (Function *derivative : derivatives) {
    if (!derivative->use_empty() || !derivative->hasLocalLinkage())
      continue;
    changed.remove(derivative);
    analyses.clear(*derivative, derivative->getName());
    derivative->eraseFromParent();
  }
}

} // namespace

PreservedAnalyses InlineDerivativesPass::run(Module &module, ModuleAnalysisManager &analyses) {
  const Functions derivatives = derivatives_of(module);
  Functions inlined = kept_functions(module);
  if (derivatives.empty() && inlined.empty())
    return PreservedAnalyses::all();
  append_range(inlined, derivatives);
  infer_attributes(module, analyses);
  auto &function_analyses = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SetVector<Function *> changed = inline_into_callers(inlined, function_analyses);
  remove_unused(derivatives, changed, function_analyses);
  for (Function *caller : changed)
    tidy(*caller, function_analyses);
  return PreservedAnalyses::none();
}

} // namespace assay::engine
