#include "core/engine/prepare/bit_slopes.hpp"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <cmath>

using namespace llvm;

namespace assay::engine {

bool has_plain_bits(const Type *type) {
  const Type *scalar = type->getScalarType();
  return scalar->isDoubleTy() || scalar->isFloatTy() || scalar->isHalfTy() || scalar->isBFloatTy();
}

unsigned mantissa_bits(const Type *type) {
  return type->getScalarType()->getFPMantissaWidth() - 1;
}

bool is_elementwise(const Type *one, const Type *other) {
  return one->getScalarSizeInBits() == other->getScalarSizeInBits() && one->isVectorTy() == other->isVectorTy();
}

BitCastInst *as_bits_of_float(Value *value) {
  auto *cast = dyn_cast<BitCastInst>(value);
  return cast && has_plain_bits(cast->getSrcTy()) && is_elementwise(cast->getType(), cast->getSrcTy()) &&
                 !isa<Constant>(cast->getOperand(0))
             ? cast
             : nullptr;
}

/// False for what moves bytes from one place to another.
static bool is_arithmetic(const Instruction &operation) {
  const APInt *constant = nullptr;
  const bool is_constant =
      isa<BinaryOperator>(operation) && PatternMatch::match(operation.getOperand(1), PatternMatch::m_APInt(constant));
  switch (operation.getOpcode()) {
  case Instruction::Shl:
  case Instruction::LShr:
    return !is_constant || constant->urem(16) != 0;
  case Instruction::And:
    return !is_constant || !constant->isShiftedMask() || constant->popcount() % 16 != 0;
  case Instruction::Or:
  case Instruction::Xor:
    return is_constant;
  default:
    return isa<BinaryOperator>(operation);
  }
}

bool is_reordering(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && is_contained({Intrinsic::bswap, Intrinsic::bitreverse, Intrinsic::fshl, Intrinsic::fshr},
                              call->getIntrinsicID());
}

std::optional<Slopes> BitSlopes::of(Value *value, unsigned depth) {
  if (auto known = known_.find(value); known != known_.end())
    return known->second;
  std::optional<Slopes> slopes = find(value, depth);
  known_.insert({value, slopes});
  return slopes;
}

std::optional<Slopes> BitSlopes::find(Value *value, unsigned depth) {
  if (BitCastInst *bits = as_bits_of_float(value)) {
    Slopes own;
    own.by_float.insert({bits->getOperand(0), {constant(1), mantissa_bits(bits->getSrcTy()) - 1}});
    own.depends = true;
    return own;
  }
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !instruction->getType()->isIntOrIntVectorTy() || depth == 0)
    return Slopes{};
  arithmetic_ |= is_arithmetic(*instruction);
  switch (instruction->getOpcode()) {
  case Instruction::Add:
    return combined(*instruction, 1, depth);
  case Instruction::Sub:
    return combined(*instruction, -1, depth);
  case Instruction::Mul:
    return multiplied(*instruction, depth);
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return shifted(*instruction, depth);
  case Instruction::And:
    return masked(*instruction, depth);
  case Instruction::Or:
  case Instruction::Xor:
    return merged(*instruction, depth);
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Freeze:
    return of(instruction->getOperand(0), depth - 1);
  case Instruction::Trunc:
    return truncated(*instruction, depth);
  case Instruction::Select:
    return selected(*cast<SelectInst>(instruction), depth);
  case Instruction::Call:
    return reordered(*instruction, depth);
  default:
    return Slopes{};
  }
}

std::optional<Slopes> BitSlopes::reordered(Instruction &call, unsigned depth) {
  if (!is_reordering(call))
    return Slopes{};
  arithmetic_ = true;
  for (Value *operand : call.operand_values())
    if (const std::optional<Slopes> slopes = of(operand, depth - 1); !slopes || slopes->depends)
      return std::nullopt;
  return Slopes{};
}

Value *BitSlopes::sum(Value *one, Value *other, double sign) {
  return sign > 0 ? builder_.CreateFAdd(one, other) : builder_.CreateFSub(one, other);
}

std::optional<Slopes> BitSlopes::combined(Instruction &operation, double sign, unsigned depth) {
  std::optional<Slopes> first = of(operation.getOperand(0), depth - 1);
  std::optional<Slopes> second = of(operation.getOperand(1), depth - 1);
  if (!first || !second)
    return std::nullopt;
  first->depends |= second->depends;
  for (auto &[source, slope] : second->by_float) {
    auto [place, fresh] = first->by_float.insert({source, {constant(0), slope.top}});
    if (place->second.top != slope.top)
      return std::nullopt;
    place->second.factor = sum(place->second.factor, slope.factor, sign);
  }
  return first;
}

std::optional<Slopes> BitSlopes::multiplied(Instruction &operation, unsigned depth) {
  std::optional<Slopes> first = of(operation.getOperand(0), depth - 1);
  std::optional<Slopes> second = of(operation.getOperand(1), depth - 1);
  if (first && second && !first->depends && !second->depends)
    return first;
  const APInt *factor = nullptr;
  if (!first || !PatternMatch::match(operation.getOperand(1), PatternMatch::m_APInt(factor)))
    return std::nullopt;
  return scaled(*first, factor->signedRoundToDouble());
}

std::optional<Slopes> BitSlopes::scaled(Slopes slopes, double factor) {
  for (auto &[source, slope] : slopes.by_float)
    slope.factor = builder_.CreateFMul(slope.factor, constant(factor));
  return slopes;
}

std::optional<Slopes> BitSlopes::shifted(Instruction &operation, unsigned depth) {
  std::optional<Slopes> slopes = of(operation.getOperand(0), depth - 1);
  if (!slopes || !slopes->depends)
    return slopes;
  const APInt *amount = nullptr;
  const unsigned width = operation.getType()->getScalarSizeInBits();
  if (!PatternMatch::match(operation.getOperand(1), PatternMatch::m_APInt(amount)) || amount->uge(width))
    return std::nullopt;
  const bool left = operation.getOpcode() == Instruction::Shl;
  const auto distance = static_cast<int>(amount->getZExtValue());
  Slopes moved;
  moved.depends = true;
  for (auto &[source, slope] : slopes->by_float) {
    const int top = static_cast<int>(slope.top) + (left ? distance : -distance);
    if (top >= 0 && top < static_cast<int>(width))
      moved.by_float.insert({source, {slope.factor, static_cast<unsigned>(top)}});
  }
  return scaled(moved, std::ldexp(1.0, left ? distance : -distance));
}

std::optional<Slopes> BitSlopes::truncated(Instruction &operation, unsigned depth) {
  std::optional<Slopes> slopes = of(operation.getOperand(0), depth - 1);
  if (slopes)
    slopes->by_float.remove_if(
        [&](auto &entry) { return entry.second.top >= operation.getType()->getScalarSizeInBits(); });
  return slopes;
}

std::optional<Slopes> BitSlopes::masked(Instruction &operation, unsigned depth) {
  Slopes result;
  for (unsigned side : {0u, 1u}) {
    std::optional<Slopes> slopes = of(operation.getOperand(side), depth - 1);
    if (!slopes)
      return std::nullopt;
    const KnownBits mask = slopes->by_float.empty() ? KnownBits() : bits_of(operation.getOperand(1 - side));
    result.depends |= slopes->depends;
    for (auto &[source, slope] : slopes->by_float) {
      if (mask.Zero[slope.top])
        continue;
      if (!mask.One[slope.top] || !result.by_float.insert({source, slope}).second)
        return std::nullopt;
    }
  }
  return result;
}

std::optional<Slopes> BitSlopes::merged(Instruction &operation, unsigned depth) {
  Slopes result;
  for (unsigned side : {0u, 1u}) {
    std::optional<Slopes> slopes = of(operation.getOperand(side), depth - 1);
    if (!slopes)
      return std::nullopt;
    const KnownBits mask = slopes->by_float.empty() ? KnownBits() : bits_of(operation.getOperand(1 - side));
    result.depends |= slopes->depends;
    for (auto &[source, slope] : slopes->by_float) {
      Value *factor = slope.factor;
      if (mask.One[slope.top] && operation.getOpcode() == Instruction::Or)
        continue;
      if (mask.One[slope.top])
        factor = builder_.CreateFNeg(factor);
      else if (!mask.Zero[slope.top])
        return std::nullopt;
      auto [place, fresh] = result.by_float.insert({source, {factor, slope.top}});
      if (!fresh && place->second.top != slope.top)
        return std::nullopt;
      if (!fresh)
        place->second.factor = builder_.CreateFAdd(place->second.factor, factor);
    }
  }
  return result;
}

std::optional<Slopes> BitSlopes::selected(SelectInst &select, unsigned depth) {
  std::optional<Slopes> chosen = of(select.getTrueValue(), depth - 1);
  std::optional<Slopes> other = of(select.getFalseValue(), depth - 1);
  if (!chosen || !other)
    return std::nullopt;
  chosen->depends |= other->depends;
  if (chosen->depends && select.getCondition()->getType()->isVectorTy() && !type_->isVectorTy())
    return std::nullopt;
  for (auto &[source, slope] : other->by_float)
    chosen->by_float.insert({source, {constant(0), slope.top}});
  for (auto &[source, slope] : chosen->by_float) {
    auto *found = other->by_float.find(source);
    if (found != other->by_float.end() && found->second.top != slope.top)
      return std::nullopt;
    Value *otherwise = found != other->by_float.end() ? found->second.factor : constant(0);
    slope.factor = builder_.CreateSelect(select.getCondition(), slope.factor, otherwise);
  }
  return chosen;
}

} // namespace assay::engine
