#include "core/engine/prepare/fold_rule.hpp"
#include "core/engine/prepare/simplify.hpp"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned largest_inlined = 300;
constexpr unsigned most_inlined = 4000; // instructions of an instance

bool may_be_inlined(const CallBase &call, const FunctionInfo &function_info) {
  const Function *callee = call.getCalledFunction();
  if (!callee || callee->isDeclaration() || callee->isVarArg() || function_info.keeps_call(*callee) ||
      callee->getFunctionType() != call.getFunctionType() || callee == call.getFunction())
    return false;
  const bool is_wish = callee->hasFnAttribute(Attribute::NoInline) && !callee->hasOptNone();
  return !is_wish && callee->getInstructionCount() <= largest_inlined;
}

/// Without optimisation the rule is spread over many small functions.
void inline_all(Function &function, const FunctionInfo &function_info) {
  SmallVector<CallBase *, 16> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      calls.push_back(call);
  unsigned size = function.getInstructionCount();
  while (!calls.empty()) {
    CallBase *call = calls.pop_back_val();
    if (size > most_inlined || !may_be_inlined(*call, function_info))
      continue;
    size += call->getCalledFunction()->getInstructionCount();
    InlineFunctionInfo info;
    call->removeFnAttr(Attribute::NoInline);
    if (InlineFunction(*call, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false).isSuccess())
      calls.append(info.InlinedCallSites.begin(), info.InlinedCallSites.end());
  }
}

void unroll_lanes(Function &function, FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  passes.addPass(LoopUnrollPass(LoopUnrollOptions(3).setPartial(false).setPeeling(false).setRuntime(false)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());
}

} // namespace

void fold_rule(Function &function, unsigned width, const FunctionInfo &function_info,
               FunctionAnalysisManager &analyses) {
  inline_all(function, function_info);
  stripDebugInfo(function);
  simplify(function, analyses);
  if (width > 1)
    unroll_lanes(function, analyses);
  simplify(function, analyses);
}

} // namespace assay::engine
