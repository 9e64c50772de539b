#include "core/engine/prepare/vector_element_moves.hpp"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <numeric>

using namespace llvm;

namespace assay::engine {
namespace {

/// The floating type whose bits are shuffled: that of a bitcast to the operands or of the result.
Type *float_behind(const ShuffleVectorInst &shuffle) {
  for (const Value *operand : {shuffle.getOperand(0), shuffle.getOperand(1)})
    if (const auto *cast = dyn_cast<BitCastInst>(operand); cast && cast->getSrcTy()->isFPOrFPVectorTy())
      return cast->getSrcTy()->getScalarType();
  for (const User *user : shuffle.users())
    if (const auto *cast = dyn_cast<BitCastInst>(user); cast && cast->getType()->isFPOrFPVectorTy())
      return cast->getType()->getScalarType();
  return nullptr;
}

/// For each float of the result the number of the float that it is, -1 for any; nothing where floats are cut.
std::optional<SmallVector<int, 8>> moved_lanes(ArrayRef<int> mask, unsigned pieces) {
  if (mask.size() % pieces != 0)
    return std::nullopt;
  SmallVector<int, 8> lanes;
  for (std::size_t first = 0; first < mask.size(); first += pieces) {
    int lane = -1;
    for (unsigned piece = 0; piece < pieces; ++piece) {
      const int source = mask[first + piece];
      if (source < 0)
        continue;
      if (source % static_cast<int>(pieces) != static_cast<int>(piece))
        return std::nullopt;
      const int whole = source / static_cast<int>(pieces);
      if (lane >= 0 && lane != whole)
        return std::nullopt;
      lane = whole;
    }
    lanes.push_back(lane);
  }
  return lanes;
}

/// Float `lane` of what an operand of the shuffle is made of.
Value *take_lane(IRBuilderBase &builder, Value *operand, unsigned lane, unsigned count, Type *type) {
  auto *cast = dyn_cast<BitCastInst>(operand);
  if (cast && cast->getSrcTy() == type)
    return cast->getOperand(0);
  if (count == 1)
    return builder.CreateBitCast(operand, type);
  return builder.CreateExtractElement(builder.CreateBitCast(operand, FixedVectorType::get(type, count)),
                                      std::uint64_t(lane));
}

bool rewrite(ShuffleVectorInst &shuffle) {
  const auto *source = dyn_cast<FixedVectorType>(shuffle.getOperand(0)->getType());
  if (!source || !source->getElementType()->isIntegerTy())
    return false;
  Type *type = float_behind(shuffle);
  const unsigned width = source->getScalarSizeInBits();
  const bool holds_integers = type && (type->getPrimitiveSizeInBits() > width || type->is16bitFPTy());
  if (!holds_integers || type->getPrimitiveSizeInBits() % width != 0)
    return false;
  const auto pieces = static_cast<unsigned>(type->getPrimitiveSizeInBits() / width);
  const auto lanes = moved_lanes(shuffle.getShuffleMask(), pieces);
  if (!lanes || source->getNumElements() % pieces != 0)
    return false;
  const unsigned count = source->getNumElements() / pieces;
  IRBuilder<> builder(&shuffle);
  Value *result = PoisonValue::get(FixedVectorType::get(type, static_cast<unsigned>(lanes->size())));
  for (auto [index, lane] : enumerate(*lanes)) {
    if (lane < 0)
      continue;
    const auto number = static_cast<unsigned>(lane);
    Value *operand = shuffle.getOperand(number < count ? 0 : 1);
    result = builder.CreateInsertElement(result, take_lane(builder, operand, number % count, count, type), index);
  }
  for (User *user : make_early_inc_range(shuffle.users()))
    if (auto *cast = dyn_cast<BitCastInst>(user); cast && cast->getType() == result->getType()) {
      cast->replaceAllUsesWith(result);
      cast->eraseFromParent();
    }
  if (!shuffle.use_empty())
    shuffle.replaceAllUsesWith(builder.CreateBitCast(result, shuffle.getType()));
  shuffle.eraseFromParent();
  return true;
}

/// How many floats each of the integers holds; 0 where they hold no whole floats.
unsigned floats_in_each(const Type &floats, const Type &integers) {
  const auto *vector = dyn_cast<FixedVectorType>(&floats);
  const unsigned count = cast<FixedVectorType>(&integers)->getNumElements();
  return vector && vector->isFPOrFPVectorTy() && vector->getNumElements() % count == 0
             ? vector->getNumElements() / count
             : 0;
}

/// The vector of floats that the integers are cast to in some steps.
Type *floats_of(const Value &value, const Type &integers, unsigned steps) {
  for (const User *user : value.users()) {
    const auto *cast = dyn_cast<BitCastInst>(user);
    if (!cast)
      continue;
    if (floats_in_each(*cast->getType(), integers) != 0)
      return cast->getType();
    if (Type *found = steps > 0 ? floats_of(*cast, integers, steps - 1) : nullptr)
      return found;
  }
  return nullptr;
}

/// Integers that are put into a vector and used as floats there are put there as floats.
bool insert_floats(InsertElementInst &insert) {
  Type *type = insert.getType()->getScalarType()->isIntegerTy() ? floats_of(insert, *insert.getType(), 2) : nullptr;
  if (!type)
    return false;
  const unsigned count = floats_in_each(*type, *insert.getType());
  const auto *index = dyn_cast<ConstantInt>(insert.getOperand(2));
  if (count > 1 && !index)
    return false;
  IRBuilder<> builder(&insert);
  Value *result = builder.CreateBitCast(insert.getOperand(0), type);
  if (count == 1) {
    Value *lane = builder.CreateBitCast(insert.getOperand(1), type->getScalarType());
    result = builder.CreateInsertElement(result, lane, insert.getOperand(2));
  } else {
    Value *part = builder.CreateBitCast(insert.getOperand(1), FixedVectorType::get(type->getScalarType(), count));
    for (unsigned lane = 0; lane < count; ++lane)
      result = builder.CreateInsertElement(result, builder.CreateExtractElement(part, std::uint64_t{lane}),
                                           index->getZExtValue() * count + lane);
  }
  insert.replaceAllUsesWith(builder.CreateBitCast(result, insert.getType()));
  insert.eraseFromParent();
  return true;
}

/// The vector of floats whose bits these narrower integers are, before or after the insertion.
Type *wider_floats_of(const InsertElementInst &insert) {
  const auto holds = [&](Type *type) {
    const auto *vector = dyn_cast<FixedVectorType>(type);
    return vector && vector->isFPOrFPVectorTy() &&
           vector->getScalarSizeInBits() > insert.getType()->getScalarSizeInBits();
  };
  if (const auto *cast = dyn_cast<BitCastInst>(insert.getOperand(0)); cast && holds(cast->getSrcTy()))
    return cast->getSrcTy();
  for (const User *user : insert.users())
    if (const auto *cast = dyn_cast<BitCastInst>(user); cast && holds(cast->getType()))
      return cast->getType();
  return nullptr;
}

/// The bits of lane `lane`, from where they were put there.
Value *bits_of_lane(IRBuilderBase &builder, Value *floats, unsigned lane, Type *bits) {
  Value *element = findScalarElement(floats, lane);
  if (auto *cast = dyn_cast_or_null<BitCastInst>(element); cast && cast->getSrcTy() == bits)
    return cast->getOperand(0);
  if (!element)
    element = builder.CreateExtractElement(floats, std::uint64_t{lane});
  return builder.CreateBitCast(element, bits);
}

/// A byte that is put into a vector of floats, as for a flag behind a number, changes the one float that it is a part
/// of; the others stay what they are.
bool insert_into_float(InsertElementInst &insert) {
  Type *type = insert.getType()->getScalarType()->isIntegerTy() ? wider_floats_of(insert) : nullptr;
  const auto *index = dyn_cast<ConstantInt>(insert.getOperand(2));
  if (!type || !index || !insert.getDataLayout().isLittleEndian())
    return false;
  const unsigned part = insert.getType()->getScalarSizeInBits(), width = type->getScalarSizeInBits();
  if (width % part != 0 || index->getValue().uge(cast<FixedVectorType>(insert.getType())->getNumElements()))
    return false;
  const unsigned pieces = width / part, shift = static_cast<unsigned>(index->getZExtValue() % pieces) * part;
  const auto lane = static_cast<unsigned>(index->getZExtValue() / pieces);
  IRBuilder<> builder(&insert);
  Value *floats = builder.CreateBitCast(insert.getOperand(0), type);
  if (auto *cast = dyn_cast<BitCastInst>(insert.getOperand(0)); cast && cast->getSrcTy() == type)
    floats = cast->getOperand(0);
  Type *bits = builder.getIntNTy(width);
  Value *kept = builder.CreateAnd(bits_of_lane(builder, floats, lane, bits),
                                  ConstantInt::get(bits, ~APInt::getBitsSet(width, shift, shift + part)));
  Value *put = builder.CreateShl(builder.CreateZExt(insert.getOperand(1), bits), shift);
  Value *changed = builder.CreateBitCast(builder.CreateOr(kept, put, "", true), type->getScalarType());
  Value *result = builder.CreateInsertElement(floats, changed, std::uint64_t{lane});
  insert.replaceAllUsesWith(builder.CreateBitCast(result, insert.getType()));
  insert.eraseFromParent();
  return true;
}

Value *lanes_of(IRBuilderBase &builder, Value &floats, std::uint64_t first, unsigned count) {
  if (count == 1)
    return builder.CreateExtractElement(&floats, first);
  SmallVector<int, 8> lanes(count);
  std::iota(lanes.begin(), lanes.end(), static_cast<int>(first));
  return builder.CreateShuffleVector(&floats, lanes);
}

/// An integer that is taken out of a vector of floats is taken out as the floats that it holds.
bool extract_float(ExtractElementInst &extract) {
  const auto *cast = dyn_cast<BitCastInst>(extract.getVectorOperand());
  if (!cast || !extract.getType()->isIntegerTy() || !isa<FixedVectorType>(cast->getType()))
    return false;
  const unsigned count = floats_in_each(*cast->getSrcTy(), *cast->getType());
  const auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand());
  if (count == 0 || (count > 1 && !index))
    return false;
  IRBuilder<> builder(&extract);
  Value *lane = count == 1 ? builder.CreateExtractElement(cast->getOperand(0), extract.getIndexOperand())
                           : lanes_of(builder, *cast->getOperand(0), index->getZExtValue() * count, count);
  extract.replaceAllUsesWith(builder.CreateBitCast(lane, extract.getType()));
  extract.eraseFromParent();
  return true;
}

/// Bits that are truncated from a wide integer that is a vector of floats: GVN forwards a stored vector so to loads of
/// its parts.
bool cut_floats(TruncInst &cut) {
  using namespace PatternMatch;
  Value *wide = cut.getOperand(0);
  std::uint64_t shift = 0;
  match(wide, m_LShr(m_Value(wide), m_ConstantInt(shift)));
  const auto *cast = dyn_cast<BitCastInst>(wide);
  const auto *floats = cast ? dyn_cast<FixedVectorType>(cast->getSrcTy()) : nullptr;
  if (!floats || !floats->isFPOrFPVectorTy() || !cut.getType()->isIntegerTy() || !cut.getDataLayout().isLittleEndian())
    return false;
  const unsigned width = floats->getScalarSizeInBits(), bits = cut.getType()->getIntegerBitWidth();
  if (bits % width != 0 || shift % width != 0)
    return false;
  IRBuilder<> builder(&cut);
  Value *lanes = lanes_of(builder, *cast->getOperand(0), shift / width, bits / width);
  cut.replaceAllUsesWith(builder.CreateBitCast(lanes, cut.getType()));
  cut.eraseFromParent();
  return true;
}

bool rewrite_move(Instruction &move) {
  if (auto *insert = dyn_cast<InsertElementInst>(&move))
    return insert_floats(*insert) || insert_into_float(*insert);
  if (auto *extract = dyn_cast<ExtractElementInst>(&move))
    return extract_float(*extract);
  return cut_floats(cast<TruncInst>(move));
}

/// Through casts of bits to a value of the same type; null where there is none.
Value *same_bits(const BitCastInst &cast) {
  Value *value = cast.getOperand(0);
  while (auto *inner = dyn_cast<BitCastInst>(value)) {
    value = inner->getOperand(0);
    if (value->getType() == cast.getType())
      return value;
  }
  return nullptr;
}

/// Casts to integers and back are what the rewritten moves leave; the moves of integers are dead then.
void fold_casts(Function &function) {
  SmallVector<WeakTrackingVH, 16> dead;
  for (Instruction &instruction : instructions(function))
    if (auto *cast = dyn_cast<BitCastInst>(&instruction))
      if (Value *value = same_bits(*cast)) {
        cast->replaceAllUsesWith(value);
        dead.emplace_back(cast);
      }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

} // namespace

void rewrite_single_lanes(Function &function) {
  SmallVector<Instruction *, 8> moves;
  for (BasicBlock *block : post_order(&function)) // the last first: what one is made of becomes floats after it
    for (Instruction &instruction : reverse(*block))
      if (isa<TruncInst>(instruction) || (isa<InsertElementInst, ExtractElementInst>(instruction) &&
                                          isa<FixedVectorType>(instruction.getOperand(0)->getType())))
        moves.push_back(&instruction);
  bool changed = false;
  for (Instruction *move : moves)
    changed |= rewrite_move(*move);
  if (changed)
    fold_casts(function);
}

void rewrite_vector_element_moves(Function &function) {
  SmallVector<ShuffleVectorInst *, 8> shuffles;
  for (Instruction &instruction : instructions(function))
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
      shuffles.push_back(shuffle);
  for (ShuffleVectorInst *shuffle : reverse(shuffles)) // the last first: what one is made of becomes floats after it
    rewrite(*shuffle);
}

} // namespace assay::engine
