#include "core/engine/prepare/inline_ptx.hpp"
#include "core/engine/prepare/ptx_instructions.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Removes what stands between both, the last first.
void erase_between(Instruction *before, const Instruction &end) {
  while (end.getPrevNode() != before)
    const_cast<Instruction &>(end).getPrevNode()->eraseFromParent();
}

/// True when the call is instructions of LLVM now.
bool translate(CallInst &call, const PtxBlock &block) {
  Instruction *before = call.getPrevNode();
  IRBuilder<> builder(&call);
  PtxValues values(builder, call, block);
  PtxTranslation translation(builder, values);
  const bool is_known = all_of(block.statements, [&](const PtxStatement &each) { return translation.add(each); });
  const bool has_result = !call.getType()->isVoidTy();
  Value *result = is_known && has_result ? values.result(call.getType()) : nullptr;
  if (!is_known || (has_result && !result)) {
    erase_between(before, call);
    return false;
  }
  if (has_result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return true;
}

/// Comparisons, and conversions of integers, pass no derivative on.
bool passes_no_derivative(const PtxStatement &statement) {
  const PtxForm form = ptx_form(statement);
  const bool reads_integers =
      !form.types.empty() && (form.types.back().starts_with("s") || form.types.back().starts_with("u"));
  return form.operation == "set" || form.operation == "setp" || reads_integers;
}

} // namespace

Expected<bool> rewrite_inline_ptx(Function &function) {
  if (!is_device_code(*function.getParent()))
    return false;
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    if (!assembly)
      continue;
    const StringRef text = assembly->getAsmString();
    const std::optional<PtxBlock> block = parse_ptx(text);
    if (block && !block->statements.empty() && translate(*call, *block))
      changed = true;
    else if (text.contains("f16") && !(block && all_of(block->statements, passes_no_derivative)))
      return unsupported(*call, "inline PTX on numbers of half precision that is no sum, product or conversion",
                         "compute in float and convert, or give the function a rule");
  }
  return changed;
}

} // namespace assay::engine
