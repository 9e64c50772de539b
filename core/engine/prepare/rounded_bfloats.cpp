#include "core/engine/prepare/rounded_bfloats.hpp"
#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

constexpr unsigned half_of_float = 16;

/// One, minus one, or a condition as one of these or zero.
bool is_last_bit(const Value *value) {
  Value *condition = nullptr;
  return match(value, m_One()) || match(value, m_AllOnes()) ||
         (match(value, m_ZExtOrSExt(m_Value(condition))) && condition->getType()->isIntegerTy(1));
}

/// The float whose bits an integer is, up to the last one: a double is made a float so, for what is rounded next. Null
/// where there is none, or more than one.
Value *float_near(Value *bits, unsigned most_steps) {
  Value *before = nullptr;
  if (match(bits, m_BitCast(m_Value(before))))
    return before->getType()->isFloatTy() ? before : nullptr;
  if (most_steps == 0)
    return nullptr;
  if (auto *operation = dyn_cast<BinaryOperator>(bits);
      operation && (operation->getOpcode() == Instruction::Add || operation->getOpcode() == Instruction::Or))
    for (const unsigned side : {0U, 1U})
      if (is_last_bit(operation->getOperand(side)))
        return float_near(operation->getOperand(1 - side), most_steps - 1);
  if (!isa<PHINode, SelectInst>(bits))
    return nullptr;
  const auto *choice = cast<Instruction>(bits);
  Value *number = nullptr;
  for (const Use &use : drop_begin(choice->operands(), isa<SelectInst>(choice) ? 1 : 0)) {
    Value *own = float_near(use.get(), most_steps - 1);
    if (!own || (number && own != number))
      return nullptr;
    number = own;
  }
  return number;
}

constexpr unsigned most_steps = 12;

/// A float that is made of the changed bits of another grows as that one does.
bool rewrite_neighbours(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *cast = dyn_cast<BitCastInst>(&instruction);
    Value *bits = cast && cast->getType()->isFloatTy() ? cast->getOperand(0) : nullptr;
    Value *number =
        bits && bits->getType()->isIntegerTy() && !isa<BitCastInst>(bits) ? float_near(bits, most_steps) : nullptr;
    if (!number)
      continue;
    IRBuilder<> builder(cast);
    cast->replaceAllUsesWith(growing_as(builder, bits, number));
    cast->eraseFromParent();
    changed = true;
  }
  return changed;
}

/// The float of whose bits this is the high half, or null.
Value *float_cut_to(Value &bits) {
  Value *whole = nullptr;
  return match(&bits, m_Trunc(m_LShr(m_Value(whole), m_SpecificInt(half_of_float)))) &&
                 bits.getType()->isIntegerTy(half_of_float) && whole->getType()->isIntegerTy(2 * half_of_float)
             ? float_near(whole, most_steps)
             : nullptr;
}

/// The number of which these are the bits, or null.
Value *number_behind(Instruction &bits) {
  const auto *cast = dyn_cast<BitCastInst>(&bits);
  return cast && cast->getSrcTy()->isBFloatTy() && cast->getType()->isIntegerTy() ? cast->getOperand(0) : nullptr;
}

bool is_next(Instruction &bits) {
  return match(&bits, m_Add(m_Value(), m_One()));
}

/// The bits of bfloats, and the same as numbers.
class RoundedBfloats {
public:
  explicit RoundedBfloats(Function &function) : function_(function) {}

  bool rewrite() {
    collect();
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
      for (Instruction &instruction : make_early_inc_range(*block))
        if (bits_.contains(&instruction))
          numbers_[&instruction] = number_for(instruction);
    for (auto &[bits, number] : numbers_)
      if (const auto *phi = dyn_cast<PHINode>(bits))
        fill(*cast<PHINode>(number), *phi);
    for (auto &[bits, number] : numbers_)
      replace(*bits, *number);
    return changed_;
  }

private:
  void collect() {
    for (Instruction &instruction : instructions(function_))
      if (number_behind(instruction) || (float_cut_to(instruction) && none_of(instruction.users(), is_part_of_number)))
        bits_.insert(&instruction);
    for (std::size_t next = 0; next < bits_.size(); ++next)
      for (User *user : bits_[next]->users())
        if (auto *instruction = dyn_cast<Instruction>(user);
            instruction && (isa<PHINode, SelectInst>(instruction) || is_next(*instruction)))
          bits_.insert(instruction);
  }

  Value *number_for(Instruction &bits) {
    if (Value *number = number_behind(bits))
      return number;
    IRBuilder<> builder(&bits);
    Type *type = builder.getBFloatTy();
    if (const auto *phi = dyn_cast<PHINode>(&bits))
      return builder.CreatePHI(type, phi->getNumIncomingValues());
    if (auto *select = dyn_cast<SelectInst>(&bits))
      return builder.CreateSelect(select->getCondition(), operand(builder, select->getTrueValue()),
                                  operand(builder, select->getFalseValue()));
    Value *number = float_cut_to(bits);
    Value *source = number ? builder.CreateFPTrunc(number, type) : operand(builder, bits.getOperand(0));
    builder.SetInsertPoint(bits.getNextNode());
    return growing_as(builder, &bits, source);
  }

  Value *operand(IRBuilder<> &builder, Value *bits) {
    if (auto *instruction = dyn_cast<Instruction>(bits))
      if (Value *number = numbers_.lookup(instruction))
        return number;
    return builder.CreateBitCast(bits, builder.getBFloatTy());
  }

  void fill(PHINode &number, const PHINode &bits) {
    for (unsigned index = 0; index < bits.getNumIncomingValues(); ++index) {
      BasicBlock *from = bits.getIncomingBlock(index);
      IRBuilder<> builder(from->getTerminator());
      number.addIncoming(operand(builder, bits.getIncomingValue(index)), from);
    }
  }

  /// Whoever takes the bits from here takes those of the number; the bits themselves are still counted up with.
  void replace(Instruction &bits, Value &number) {
    if (number_behind(bits))
      return;
    const auto is_elsewhere = [&](const Use &use) {
      auto *user = cast<Instruction>(use.getUser());
      return !bits_.contains(user) && !is_part_of_number(user);
    };
    if (none_of(bits.uses(), is_elsewhere))
      return;
    changed_ = true;
    IRBuilder<> builder(&bits);
    if (auto *made = dyn_cast<Instruction>(&number); made && !isa<PHINode>(made))
      builder.SetInsertPoint(made->getNextNode());
    else
      builder.SetInsertPoint(bits.getParent(), bits.getParent()->getFirstInsertionPt());
    bits.replaceUsesWithIf(builder.CreateBitCast(&number, bits.getType()), is_elsewhere);
  }

  /// The call that makes the number of the bits.
  static bool is_part_of_number(const User *user) {
    const auto *call = dyn_cast<CallBase>(user);
    return call && call->getCalledFunction() && is_of_bits(*call->getCalledFunction());
  }

  Function &function_;
  bool changed_ = false;
  SetVector<Instruction *> bits_;
  MapVector<Instruction *, Value *> numbers_;
};

} // namespace

bool rewrite_rounded_bfloats(Function &function) {
  if (!is_device_code(*function.getParent()))
    return false;
  const bool has_neighbours = rewrite_neighbours(function);
  return RoundedBfloats(function).rewrite() || has_neighbours;
}

} // namespace assay::engine
