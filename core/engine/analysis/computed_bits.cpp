#include "core/engine/analysis/computed_bits.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool can_be_undone(const Instruction &operation) {
  switch (operation.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Xor:
  case Instruction::Or:
  case Instruction::And:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Freeze:
  case Instruction::Select:
  case Instruction::PHI:
    return true;
  default:
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&operation);
    return intrinsic &&
           (intrinsic->getIntrinsicID() == Intrinsic::bswap || intrinsic->getIntrinsicID() == Intrinsic::bitreverse ||
            intrinsic->getIntrinsicID() == Intrinsic::fshl || intrinsic->getIntrinsicID() == Intrinsic::fshr);
  }
}

} // namespace

ComputedBits computed_bits(const Value &integer) {
  constexpr std::size_t most_operations = 64;
  ComputedBits found;
  SmallSetVector<const Value *, 16> pending;
  pending.insert(&integer);
  for (std::size_t next = 0; next < std::min(pending.size(), most_operations); ++next) {
    const auto *instruction = dyn_cast<Instruction>(pending[next]);
    if (!instruction || !instruction->getType()->isIntOrIntVectorTy())
      continue;
    if (const auto *load = dyn_cast<LoadInst>(instruction))
      found.loads.push_back(load);
    else if (isa<BitCastInst>(instruction) && instruction->getOperand(0)->getType()->isFPOrFPVectorTy())
      found.numbers.push_back(instruction->getOperand(0));
    else if (can_be_undone(*instruction))
      for (const Value *operand : instruction->operand_values())
        if (!isa<Constant>(operand))
          pending.insert(operand);
  }
  return found;
}

} // namespace assay::engine
