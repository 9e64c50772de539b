#include "core/engine/prepare/inline_ptx.hpp"
#include "core/engine/prepare/ptx_instructions.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// True when the call is instructions of LLVM now. What was written before an instruction that is not known is removed.
bool translate(CallInst &call, const PtxBlock &block) {
  SmallVector<Instruction *, 16> written;
  IRBuilder<ConstantFolder, IRBuilderCallbackInserter> builder(
      call.getContext(), ConstantFolder(),
      IRBuilderCallbackInserter([&](Instruction *instruction) { written.push_back(instruction); }));
  builder.SetInsertPoint(&call);
  PtxValues values(builder, call, block);
  PtxTranslation translation(builder, values);
  const bool is_known = all_of(block.statements, [&](const PtxStatement &each) { return translation.add(each); });
  const bool has_result = !call.getType()->isVoidTy();
  Value *result = is_known && has_result ? values.result(call.getType()) : nullptr;
  if (!is_known || (has_result && !result)) {
    translation.close_guards();
    for (Instruction *instruction : reverse(written)) {
      instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
    return false;
  }
  if (has_result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return true;
}

/// Addresses of shared memory are integers, which unoptimised code keeps in variables.
bool promote_integers(Function &function) {
  SmallVector<AllocaInst *, 16> variables;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && variable->getAllocatedType()->isIntegerTy() && isAllocaPromotable(variable))
      variables.push_back(variable);
  if (variables.empty())
    return false;
  DominatorTree tree(function);
  PromoteMemToReg(variables, tree);
  return true;
}

/// Comparisons, and conversions of integers, pass no derivative on.
bool passes_no_derivative(const PtxStatement &statement) {
  const PtxForm form = ptx_form(statement);
  const bool reads_integers =
      !form.types.empty() && (form.types.back().starts_with("s") || form.types.back().starts_with("u"));
  return form.operation == "set" || form.operation == "setp" || reads_integers;
}

bool has_integer_address(const CallInst *call) {
  return StringRef(cast<InlineAsm>(call->getCalledOperand())->getAsmString()).contains('[') &&
         any_of(call->args(), [](const Value *argument) { return argument->getType()->isIntegerTy(); });
}

} // namespace

Expected<bool> rewrite_inline_ptx(Function &function) {
  if (!is_device_code(*function.getParent()))
    return false;
  SmallVector<CallInst *, 8> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isInlineAsm())
      calls.push_back(call);
  bool changed = any_of(calls, has_integer_address) && promote_integers(function);
  for (CallInst *call : calls) {
    const StringRef text = cast<InlineAsm>(call->getCalledOperand())->getAsmString();
    const std::optional<PtxBlock> block = parse_ptx(text);
    const bool is_tried = block && !block->statements.empty();
    changed = changed || is_tried; // Blocks stay split where a text with guards is not known.
    if (is_tried && translate(*call, *block))
      continue;
    if (text.contains("f16") && !(block && all_of(block->statements, passes_no_derivative)))
      return unsupported(*call, "inline PTX on numbers of half precision that is no sum, product or conversion",
                         "compute in float and convert, or give the function a rule");
  }
  return changed;
}

} // namespace assay::engine
