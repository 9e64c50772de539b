#include "core/engine/analysis/pointer_carriers.hpp"
#include "core/engine/analysis/call_tree.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

namespace assay::engine {

bool is_tracked_integer(const llvm::Type &type) {
  return type.isIntOrIntVectorTy() && type.getScalarSizeInBits() >= pointer_bytes * 8;
}

bool moves_integers(const llvm::Value &value) {
  if (llvm::isa<llvm::Argument>(value))
    return true;
  const auto *operation = llvm::dyn_cast<llvm::Operator>(&value);
  if (operation == nullptr)
    return false;
  switch (operation->getOpcode()) {
  case llvm::Instruction::Load:
  case llvm::Instruction::PHI:
  case llvm::Instruction::Select:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ShuffleVector:
  case llvm::Instruction::Call:
  case llvm::Instruction::Invoke:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::PtrToAddr:
  case llvm::Instruction::AtomicRMW:
    return true;
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    return is_address(value) && llvm::isa<llvm::ConstantInt>(operation->getOperand(1));
  case llvm::Instruction::BitCast:
    return operation->getOperand(0)->getType()->isIntOrIntVectorTy();
  default:
    return false;
  }
}

bool may_carry_pointer(const llvm::Type &type) {
  return type.isPtrOrPtrVectorTy() || type.isAggregateType() || is_tracked_integer(type);
}

} // namespace assay::engine
