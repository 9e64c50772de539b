#include "core/engine/lowering/dispatch.hpp"
#include "core/engine/rules/stop_program.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

std::string no_candidate_message(const CallBase &call) {
  std::string text;
  raw_string_ostream out(text);
  out << "assay: ";
  if (const DebugLoc &place = call.getDebugLoc())
    out << cast<DIScope>(place.getScope())->getFilename() << ':' << place.getLine() << ": ";
  out << "the function pointer given to " << call.getCalledOperand()->stripPointerCasts()->getName()
      << " points to a function whose derivative was not made in this file\n";
  return text;
}

void emit_abort(IRBuilderBase &builder, CallBase &call) {
  emit_stop_with_message(builder, no_candidate_message(call));
  builder.CreateUnreachable();
}

} // namespace

SmallVector<Function *, 8> address_taken_functions(Module &module) {
  SmallVector<Function *, 8> functions;
  for (Function &function : module)
    if (!function.isIntrinsic() && !convention_call(function) &&
        function.hasAddressTaken(nullptr, false, false, /*IgnoreLLVMUsed=*/true))
      functions.push_back(&function);
  return functions;
}

Value *emit_choice(CallBase &call, unsigned count, function_ref<Value *(IRBuilderBase &, unsigned)> emit_condition,
                   function_ref<Value *(IRBuilderBase &, unsigned)> emit_arm) {
  LLVMContext &context = call.getContext();
  BasicBlock *head = call.getParent();
  Function *function = head->getParent();
  BasicBlock *tail = SplitBlock(head, &call);
  head->getTerminator()->eraseFromParent();

  IRBuilder<> builder(context);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  SmallVector<std::pair<Value *, BasicBlock *>, 4> results;
  BasicBlock *test = head;
  for (unsigned index = 0; index < count; ++index) {
    BasicBlock *arm = BasicBlock::Create(context, "", function, tail);
    BasicBlock *next = BasicBlock::Create(context, "", function, tail);
    builder.SetInsertPoint(test);
    builder.CreateCondBr(emit_condition(builder, index), arm, next);
    builder.SetInsertPoint(arm);
    Value *result = emit_arm(builder, index);
    results.push_back({result, builder.GetInsertBlock()});
    builder.CreateBr(tail);
    test = next;
  }
  builder.SetInsertPoint(test);
  emit_abort(builder, call);

  if (results.empty() || !results[0].first)
    return nullptr;
  builder.SetInsertPoint(tail, tail->begin());
  PHINode *chosen = builder.CreatePHI(results[0].first->getType(), results.size());
  for (auto [result, block] : results)
    chosen->addIncoming(result, block);
  return chosen;
}

Value *emit_dispatch(CallBase &call, Value *pointer, ArrayRef<Function *> candidates,
                     function_ref<Value *(IRBuilderBase &, unsigned)> emit_arm) {
  return emit_choice(
      call, candidates.size(),
      [&](IRBuilderBase &builder, unsigned index) { return builder.CreateICmpEQ(pointer, candidates[index]); },
      emit_arm);
}

} // namespace assay::engine
