#include "core/engine/prepare/joined_shuffles.hpp"
#include "core/engine/prepare/packed_halves.hpp"
#include "core/engine/rules/shuffles.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

constexpr unsigned word_bits = 32;

/// The 64 bits of which `word` is the half at bit `at`, or null.
Value *whole_of(Value *word, unsigned at) {
  Value *whole = nullptr;
  std::uint64_t index = 0;
  if (at == 0 ? match(word, m_Trunc(m_Value(whole)))
              : match(word, m_Trunc(m_LShr(m_Value(whole), m_SpecificInt(word_bits)))))
    return whole->getType()->isIntegerTy(2 * word_bits) ? whole : nullptr;
  if (match(word, m_ExtractElt(m_BitCast(m_Value(whole)), m_ConstantInt(index))) && index * word_bits == at &&
      whole->getType()->getPrimitiveSizeInBits() == 2 * word_bits)
    return whole;
  return nullptr;
}

/// Puts words together that are the halves of one number on every way to where they are shuffled.
class Halves {
public:
  /// The 64 bits of both words, or null.
  Value *join(Value *low, Value *high) {
    if (Value *whole = whole_of(low, 0); whole && whole == whole_of(high, word_bits))
      return whole;
    auto *low_constant = dyn_cast<ConstantInt>(low), *high_constant = dyn_cast<ConstantInt>(high);
    if (low_constant && high_constant)
      return ConstantInt::get(Type::getInt64Ty(low->getContext()),
                              high_constant->getZExtValue() << word_bits | low_constant->getZExtValue());
    auto *low_phi = dyn_cast<PHINode>(low), *high_phi = dyn_cast<PHINode>(high);
    return low_phi && high_phi && low_phi->getParent() == high_phi->getParent() ? join_phis(*low_phi, *high_phi)
                                                                                : nullptr;
  }

private:
  Value *join_phis(PHINode &low, PHINode &high) {
    PHINode *&joined = phis_[{&low, &high}];
    if (joined)
      return joined;
    joined = PHINode::Create(Type::getInt64Ty(low.getContext()), low.getNumIncomingValues(), "", low.getIterator());
    PHINode *phi = joined;
    for (unsigned index = 0; index < low.getNumIncomingValues(); ++index) {
      BasicBlock *from = low.getIncomingBlock(index);
      Value *whole = join(low.getIncomingValue(index), high.getIncomingValueForBlock(from));
      if (!whole) { // what stays incomplete is not used
        phi->replaceAllUsesWith(PoisonValue::get(phi->getType()));
        phi->eraseFromParent();
        phis_.erase({&low, &high});
        return nullptr;
      }
      phi->addIncoming(whole, from);
    }
    return phi;
  }

  DenseMap<std::pair<PHINode *, PHINode *>, PHINode *> phis_;
};

bool move_alike(const CallInst &first, const CallInst &second) {
  const ShuffleOperands a = shuffle_operands(first), b = shuffle_operands(second);
  return first.getCalledFunction() == second.getCalledFunction() && a.members == b.members &&
         a.distance == b.distance && a.bounds == b.bounds;
}

/// The shuffle that moves the other half of the number of which `low` moves the low one, and that number's bits.
std::pair<CallInst *, Value *> other_half(CallInst &low) {
  for (Instruction &instruction : *low.getParent()) {
    auto *high = dyn_cast<CallInst>(&instruction);
    if (!high || high == &low || high->use_empty() || !shuffle_of_words(*high) || !move_alike(*high, low))
      continue;
    if (Value *whole = Halves().join(shuffle_operands(low).value, shuffle_operands(*high).value))
      return {high, whole};
  }
  return {};
}

/// Both halves of a double become those of one shuffled number.
bool join_words(CallInst &low) {
  if (!shuffle_of_words(low) || low.use_empty())
    return false;
  const auto [high, whole] = other_half(low);
  if (!high)
    return false;
  ShuffleOperands operands = shuffle_operands(low);
  IRBuilder<> builder(low.comesBefore(high) ? &low : high); // The number is there before either is moved.
  operands.value = builder.CreateBitCast(whole, builder.getDoubleTy());
  Value *moved =
      builder.CreateBitCast(emit_shuffle(builder, *shuffle_of_words(low), operands), builder.getInt64Ty(), "moved");
  low.replaceAllUsesWith(builder.CreateTrunc(moved, low.getType()));
  high->replaceAllUsesWith(builder.CreateTrunc(builder.CreateLShr(moved, word_bits), low.getType()));
  return true;
}

/// The bits of which `joined` puts both halves together again, or null.
Value *joined_words(Instruction &joined) {
  Value *high = nullptr, *low = nullptr;
  if (!joined.getType()->isIntegerTy(2 * word_bits) ||
      !match(&joined, m_c_Or(m_Shl(m_ZExt(m_Value(high)), m_SpecificInt(word_bits)), m_ZExt(m_Value(low)))))
    return nullptr;
  return Halves().join(low, high);
}

/// The bits of a float, shuffled as a word.
Value *float_shuffle(Instruction &instruction) {
  const std::optional<ShuffleKind> kind = shuffle_of_words(instruction);
  if (!kind)
    return nullptr;
  ShuffleOperands operands = shuffle_operands(cast<CallInst>(instruction));
  Value *number = nullptr;
  if (!match(operands.value, m_BitCast(m_Value(number))) || !number->getType()->isFloatTy())
    return nullptr;
  IRBuilder<> builder(&instruction);
  operands.value = number;
  return builder.CreateBitCast(emit_shuffle(builder, *kind, operands), instruction.getType());
}

/// Whether anything but the low half of a word is used.
bool uses_high_half(const Instruction &word) {
  return !all_of(word.users(),
                 [](const User *user) { return isa<TruncInst>(user) && user->getType()->isIntegerTy(16); });
}

/// A number of 16 bits goes as a float, which holds it exactly; what is the same constant in all lanes stays.
Value *moved_half(IRBuilder<> &builder, ShuffleKind kind, ShuffleOperands operands, HalfLane half, Type *type) {
  Value *number = emit_half(builder, half, type);
  if (isa<Constant>(number))
    return number;
  operands.value = builder.CreateFPExt(number, builder.getFloatTy());
  return builder.CreateFPTrunc(emit_shuffle(builder, kind, operands), type);
}

/// A word of one or two numbers of 16 bits. All that it moves has to be known as numbers: others would not keep their
/// bits.
Value *half_shuffle(Instruction &word) {
  const std::optional<ShuffleKind> kind = shuffle_of_words(word);
  if (!kind)
    return nullptr;
  const ShuffleOperands operands = shuffle_operands(cast<CallInst>(word));
  SmallVector<HalfLane, 2> halves;
  Type *type = nullptr;
  for (unsigned lane = 0; lane < (uses_high_half(word) ? 2U : 1U); ++lane) {
    halves.push_back(origin_of({operands.value, lane}));
    if (isa<Constant>(halves.back().value))
      continue;
    Type *before = half_type(halves.back()), *after = half_type({&word, lane});
    Type *own = before ? before : after;
    if (!own || (type && own != type) || (after && own != after))
      return nullptr;
    type = own;
  }
  if (!type)
    return nullptr;
  IRBuilder<> builder(&word);
  if (halves.size() == 1) {
    Value *moved = moved_half(builder, *kind, operands, halves[0], type);
    return builder.CreateZExt(builder.CreateBitCast(moved, builder.getInt16Ty()), word.getType());
  }
  Value *moved = PoisonValue::get(FixedVectorType::get(type, 2));
  for (unsigned lane = 0; lane < 2; ++lane)
    moved = builder.CreateInsertElement(moved, moved_half(builder, *kind, operands, halves[lane], type), lane);
  return builder.CreateBitCast(moved, word.getType());
}

} // namespace

bool join_shuffles(Function &function) {
  if (!is_device_code(*function.getParent()))
    return false;
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      changed |= join_words(*call);
  const bool joins = changed;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    Value *number = joins ? joined_words(instruction) : nullptr;
    if (!number)
      number = float_shuffle(instruction);
    if (!number)
      number = half_shuffle(instruction);
    if (!number)
      continue;
    instruction.replaceAllUsesWith(number);
    changed = true;
  }
  if (!changed)
    return false;
  // The words are moved no more; shuffles do not count as dead by themselves.
  for (bool again = true; again;) {
    again = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (instruction.use_empty() && (isInstructionTriviallyDead(&instruction) || shuffle_of_words(instruction))) {
        instruction.eraseFromParent();
        again = true;
      }
  }
  return true;
}

} // namespace assay::engine
