#include "core/engine/prepare/atomic_floats.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The float that `bits` are those of, or null.
Value *float_of(Value &bits) {
  auto *cast = dyn_cast<BitCastInst>(&bits);
  return cast && cast->getOperand(0)->getType()->isFloatingPointTy() ? cast->getOperand(0) : nullptr;
}

Type *exchanged_float(AtomicCmpXchgInst &exchange) {
  for (Value *operand : {exchange.getNewValOperand(), exchange.getCompareOperand()})
    if (Value *number = float_of(*operand))
      return number->getType();
  return nullptr;
}

void rewrite(AtomicCmpXchgInst &exchange, Type *type) {
  IRBuilder<> builder(&exchange);
  Value *place = exchange.getPointerOperand();
  Value *before = builder.CreateAlignedLoad(type, place, exchange.getAlign());
  Value *bits = builder.CreateBitCast(before, exchange.getCompareOperand()->getType());
  Value *is_expected = builder.CreateICmpEQ(bits, exchange.getCompareOperand());
  Value *desired = float_of(*exchange.getNewValOperand());
  if (!desired)
    desired = builder.CreateBitCast(exchange.getNewValOperand(), type);
  builder.CreateAlignedStore(builder.CreateSelect(is_expected, desired, before), place, exchange.getAlign());
  Value *pair = builder.CreateInsertValue(PoisonValue::get(exchange.getType()), bits, 0);
  exchange.replaceAllUsesWith(builder.CreateInsertValue(pair, is_expected, 1));
  exchange.eraseFromParent();
}

/// The type of the float that a plain exchange of bits takes, or whose old value is used.
Type *exchanged_float(AtomicRMWInst &exchange) {
  if (exchange.getType()->isFloatingPointTy())
    return exchange.getType();
  if (Value *number = float_of(*exchange.getValOperand()))
    return number->getType();
  for (const User *user : exchange.users())
    if (isa<BitCastInst>(user) && user->getType()->isFloatingPointTy())
      return user->getType();
  return nullptr;
}

void rewrite(AtomicRMWInst &exchange, Type *type) {
  IRBuilder<> builder(&exchange);
  Value *before = builder.CreateAlignedLoad(type, exchange.getPointerOperand(), exchange.getAlign());
  builder.CreateAlignedStore(builder.CreateBitCast(exchange.getValOperand(), type), exchange.getPointerOperand(),
                             exchange.getAlign());
  exchange.replaceAllUsesWith(builder.CreateBitCast(before, exchange.getType()));
  exchange.eraseFromParent();
}

/// The same exchange, of numbers.
void retype(AtomicRMWInst &exchange, Type *type) {
  IRBuilder<> builder(&exchange);
  AtomicRMWInst *numbers = builder.CreateAtomicRMW(
      AtomicRMWInst::Xchg, exchange.getPointerOperand(), builder.CreateBitCast(exchange.getValOperand(), type),
      exchange.getAlign(), exchange.getOrdering(), exchange.getSyncScopeID());
  numbers->setVolatile(exchange.isVolatile());
  exchange.replaceAllUsesWith(builder.CreateBitCast(numbers, exchange.getType()));
  exchange.eraseFromParent();
}

bool retype_exchanges(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction);
        update && update->getOperation() == AtomicRMWInst::Xchg && !update->getType()->isFloatingPointTy())
      if (Type *type = exchanged_float(*update)) {
        retype(*update, type);
        changed = true;
      }
  return changed;
}

} // namespace

bool rewrite_atomic_floats(Function &function) {
  if (is_device_code(*function.getParent())) // other threads of the launch run the same code
    return retype_exchanges(function);
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction); update && update->getOperation() == AtomicRMWInst::Xchg)
      if (Type *type = exchanged_float(*update)) {
        rewrite(*update, type);
        changed = true;
        continue;
      }
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      if (Type *type = exchanged_float(*exchange)) {
        rewrite(*exchange, type);
        changed = true;
      }
  }
  return changed;
}

} // namespace assay::engine
