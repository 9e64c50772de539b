#include "core/engine/prepare/inline_calls.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned small_callee = 400;      // instructions that are inlined at every call
constexpr unsigned large_callee = 3000;     // instructions that are inlined only within the budget
constexpr unsigned function_budget = 12000; // instructions of the caller beyond which only tiny callees are inlined
constexpr unsigned tiny_callee = 30;

bool reads_variable_arguments(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    return intrinsic && intrinsic->getIntrinsicID() == Intrinsic::vastart;
  });
}

bool may_be_inlined(const CallBase &call, const PrepareContext &context) {
  const Function *callee = call.getCalledFunction();
  if (!callee || is_lost_call(call) || is_unlikely_candidate(call) || callee->isDeclaration() || callee->isIntrinsic())
    return false;
  if (callee->isVarArg() && reads_variable_arguments(*callee))
    return false;
  if (call.getFunctionType() != callee->getFunctionType() || call.isMustTailCall())
    return false;
  return !context.knowledge.keeps_call(*callee) && !callee->hasFnAttribute(Attribute::ReturnsTwice) &&
         !callee->isPresplitCoroutine();
}

bool within_budget(unsigned caller_size, unsigned callee_size) {
  if (callee_size <= tiny_callee)
    return true;
  if (caller_size + callee_size > function_budget)
    return false;
  return callee_size <= small_callee || (callee_size <= large_callee && caller_size < large_callee);
}

} // namespace

Error inline_calls(Function &function, const PrepareContext &context) {
  SmallVector<CallBase *, 16> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && may_be_inlined(*call, context))
      calls.push_back(call);

  unsigned size = function.getInstructionCount();
  for (CallBase *call : calls) {
    Expected<Function *> callee = context.prepared_callee(*call->getCalledFunction());
    if (!callee)
      return callee.takeError();
    if (!*callee || (*callee)->isDeclaration())
      continue; // recursion: stays a call
    if (keeps_stack_memory(**callee))
      continue;
    const unsigned callee_size = (*callee)->getInstructionCount();
    if (!within_budget(size, callee_size))
      continue;
    Function *original = call->getCalledFunction();
    call->setCalledFunction(*callee);
    call->removeFnAttr(Attribute::NoInline);
    InlineFunctionInfo info;
    if (InlineFunction(*call, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false).isSuccess())
      size += callee_size;
    else
      call->setCalledFunction(original);
  }
  return Error::success();
}

} // namespace assay::engine
