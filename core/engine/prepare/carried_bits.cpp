#include "core/engine/prepare/carried_bits.hpp"
#include "core/engine/prepare/bit_slopes.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::size_t most_operations = 128;
using Values = SmallSetVector<Value *, 16>;

/// Operations after which the bits still are those of a number near by. A product is none: it mixes them, as hashes do.
bool keeps_number(const Instruction &operation) {
  switch (operation.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::PHI:
    return true;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return isa<Constant>(operation.getOperand(1));
  default:
    return false;
  }
}

/// What the integer is computed from by such operations, itself included.
Values computed_from(Value &integer) {
  Values values;
  values.insert(&integer);
  for (std::size_t next = 0; next < values.size() && next < most_operations; ++next)
    if (auto *operation = dyn_cast<Instruction>(values[next]); operation && keeps_number(*operation))
      values.insert_range(make_filter_range(operation->operand_values(), [&](const Value *operand) {
        return operand->getType() == integer.getType() && !isa<Constant>(operand);
      }));
  return values;
}

/// Nothing is there but such operations, bits of floats, and integers from elsewhere.
bool is_followed(const Values &values) {
  return values.size() < most_operations && none_of(
                                                values,
                                                [](const Value *value) {
                                                  const auto *operation = dyn_cast<BinaryOperator>(value);
                                                  return operation && !keeps_number(*operation);
                                                });
}

bool is_from_float(Value &integer) {
  return any_of(computed_from(integer), [](Value *value) { return as_bits_of_float(value) != nullptr; });
}

void carry_as_float(PHINode &phi, Type &type) {
  IRBuilder<> builder(&phi);
  PHINode *number = builder.CreatePHI(&type, phi.getNumIncomingValues(), phi.getName() + ".number");
  builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  phi.replaceAllUsesWith(builder.CreateBitCast(number, phi.getType(), phi.getName() + ".bits"));
  for (unsigned index = 0; index < phi.getNumIncomingValues(); ++index) {
    BasicBlock *from = phi.getIncomingBlock(index);
    const int known = number->getBasicBlockIndex(from); // a switch comes in several times
    builder.SetInsertPoint(from->getTerminator());
    number->addIncoming(known >= 0 ? number->getIncomingValue(static_cast<unsigned>(known))
                                   : builder.CreateBitCast(phi.getIncomingValue(index), &type),
                        from);
  }
  phi.eraseFromParent();
}

bool makes_float_of_bits(const Instruction &instruction) {
  const Type *type = instruction.getType();
  return isa<BitCastInst>(instruction) && (type->isFloatTy() || type->isDoubleTy()) &&
         instruction.getOperand(0)->getType()->isIntegerTy();
}

} // namespace

bool carry_bits_as_floats(Function &function) {
  MapVector<PHINode *, Type *> carried;
  for (Instruction &root : instructions(function)) {
    if (!makes_float_of_bits(root))
      continue;
    const Values values = computed_from(*root.getOperand(0));
    if (!is_followed(values))
      continue;
    for (Value *value : values)
      if (auto *phi = dyn_cast<PHINode>(value); phi && is_from_float(*phi))
        carried.insert({phi, root.getType()});
  }
  for (auto [phi, type] : carried)
    carry_as_float(*phi, *type);
  return !carried.empty();
}

} // namespace assay::engine
