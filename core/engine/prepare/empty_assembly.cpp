#include "core/engine/prepare/empty_assembly.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The operand of `call` that is tied to each direct output, in order; nothing when an output has none.
std::optional<SmallVector<Value *, 2>> tied_operands(const CallInst &call, const InlineAsm &assembly) {
  const InlineAsm::ConstraintInfoVector constraints = assembly.ParseConstraints();
  SmallVector<Value *, 2> outputs;
  SmallVector<unsigned, 4> operand_of(constraints.size(), 0);
  unsigned operand = 0;
  for (auto [index, constraint] : enumerate(constraints))
    if (constraint.Type == InlineAsm::isInput || (constraint.Type == InlineAsm::isOutput && constraint.isIndirect))
      operand_of[index] = operand++;
  for (const InlineAsm::ConstraintInfo &constraint : constraints) {
    if (constraint.Type != InlineAsm::isOutput || constraint.isIndirect)
      continue;
    if (!constraint.hasMatchingInput())
      return std::nullopt;
    outputs.push_back(call.getArgOperand(operand_of[constraint.MatchingInput]));
  }
  return outputs;
}

/// The result of the assembly: its one output, or the struct of all.
Value *result_of(CallInst &call, ArrayRef<Value *> outputs) {
  if (outputs.size() == 1)
    return outputs.front()->getType() == call.getType() ? outputs.front() : nullptr;
  IRBuilder<> builder(&call);
  Value *result = PoisonValue::get(call.getType());
  for (auto [index, output] : enumerate(outputs)) {
    if (output->getType() != call.getType()->getStructElementType(index))
      return nullptr;
    result = builder.CreateInsertValue(result, output, index);
  }
  return result;
}

} // namespace

void remove_empty_assembly(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    if (!assembly || !StringRef(assembly->getAsmString()).trim().empty())
      continue;
    const auto outputs = tied_operands(*call, *assembly);
    if (!outputs)
      continue;
    if (!outputs->empty()) {
      Value *result = result_of(*call, *outputs);
      if (!result)
        continue;
      call->replaceAllUsesWith(result);
    }
    call->eraseFromParent();
  }
}

} // namespace assay::engine
