#include "core/engine/prepare/sign_bits.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The floating type that `operation` works on the bits of: that of a bitcast to or from it.
Type *float_behind(BinaryOperator &operation) {
  const auto is_float = [](const Value *value) {
    return isa<BitCastInst>(value) && value->getType()->isFPOrFPVectorTy();
  };
  for (const User *user : operation.users())
    if (is_float(user))
      return user->getType();
  if (auto *cast = dyn_cast<BitCastInst>(operation.getOperand(0)))
    if (cast->getSrcTy()->isFPOrFPVectorTy())
      return cast->getSrcTy();
  return nullptr;
}

enum class SignOperation : std::uint8_t { none, clear, set, flip };

SignOperation classify(unsigned opcode, const APInt &mask) {
  if (opcode == Instruction::And && mask.isMaxSignedValue())
    return SignOperation::clear;
  if (opcode == Instruction::Or && mask.isSignMask())
    return SignOperation::set;
  if (opcode == Instruction::Xor && mask.isSignMask())
    return SignOperation::flip;
  return SignOperation::none;
}

/// What is done, and with which lanes: complex products and quaternions turn the signs of some.
struct SignChange {
  SignOperation kind = SignOperation::none;
  SmallVector<bool, 8> lanes; ///< Empty: all.
};

/// Nothing happens to a lane of all ones (and) or of zeros (or, xor).
bool is_neutral(unsigned opcode, const APInt &mask) {
  return opcode == Instruction::And ? mask.isAllOnes() : mask.isZero();
}

SignChange change_of(BinaryOperator &operation) {
  using namespace PatternMatch;
  const unsigned opcode = operation.getOpcode();
  const APInt *splat = nullptr;
  if (match(operation.getOperand(1), m_APInt(splat)))
    return {classify(opcode, *splat), {}};
  const auto *masks = dyn_cast<ConstantDataVector>(operation.getOperand(1));
  if (!masks || !masks->getElementType()->isIntegerTy())
    return {};
  SignChange change;
  for (unsigned lane = 0; lane < masks->getNumElements(); ++lane) {
    const APInt mask = masks->getElementAsAPInt(lane);
    const SignOperation kind = classify(opcode, mask);
    if (kind == SignOperation::none && !is_neutral(opcode, mask))
      return {};
    change.lanes.push_back(kind != SignOperation::none);
    if (kind != SignOperation::none)
      change.kind = kind;
  }
  return change;
}

Value *blend(IRBuilderBase &builder, Value *unchanged, Value *changed, ArrayRef<bool> lanes) {
  SmallVector<int, 8> mask;
  for (unsigned lane = 0; lane < lanes.size(); ++lane)
    mask.push_back(static_cast<int>(lanes[lane] ? lanes.size() + lane : lane));
  return builder.CreateShuffleVector(unchanged, changed, mask);
}

/// Vectors only element by element: the sign of one double is not the signs of two floats.
bool same_shape(Type *integer, Type *floating) {
  return integer->getScalarSizeInBits() == floating->getScalarSizeInBits() &&
         integer->isVectorTy() == floating->isVectorTy() && !floating->getScalarType()->isPPC_FP128Ty();
}

bool rewrite(BinaryOperator &operation) {
  const auto [kind, lanes] = change_of(operation);
  Type *type = kind == SignOperation::none ? nullptr : float_behind(operation);
  if (!type || !same_shape(operation.getType(), type))
    return false;
  IRBuilder<> builder(&operation);
  Value *unchanged = builder.CreateBitCast(operation.getOperand(0), type), *value = unchanged;
  if (kind != SignOperation::flip)
    value = builder.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  if (kind != SignOperation::clear)
    value = builder.CreateFNeg(value);
  if (!lanes.empty())
    value = blend(builder, unchanged, value, lanes);
  operation.replaceAllUsesWith(builder.CreateBitCast(value, operation.getType()));
  return true;
}

} // namespace

bool rewrite_sign_bits(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction); operation && rewrite(*operation)) {
      operation->eraseFromParent();
      changed = true;
    }
  return changed;
}

} // namespace assay::engine
