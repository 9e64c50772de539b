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

SignOperation classify(BinaryOperator &operation) {
  using namespace PatternMatch;
  const APInt *mask = nullptr;
  if (!match(operation.getOperand(1), m_APInt(mask)))
    return SignOperation::none;
  if (operation.getOpcode() == Instruction::And && mask->isMaxSignedValue())
    return SignOperation::clear;
  if (operation.getOpcode() == Instruction::Or && mask->isSignMask())
    return SignOperation::set;
  if (operation.getOpcode() == Instruction::Xor && mask->isSignMask())
    return SignOperation::flip;
  return SignOperation::none;
}

/// Vectors only element by element: the sign of one double is not the signs of two floats.
bool same_shape(Type *integer, Type *floating) {
  return integer->getScalarSizeInBits() == floating->getScalarSizeInBits() &&
         integer->isVectorTy() == floating->isVectorTy() && !floating->getScalarType()->isPPC_FP128Ty();
}

bool rewrite(BinaryOperator &operation) {
  const SignOperation kind = classify(operation);
  Type *type = kind == SignOperation::none ? nullptr : float_behind(operation);
  if (!type || !same_shape(operation.getType(), type))
    return false;
  IRBuilder<> builder(&operation);
  Value *value = builder.CreateBitCast(operation.getOperand(0), type);
  if (kind != SignOperation::flip)
    value = builder.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  if (kind != SignOperation::clear)
    value = builder.CreateFNeg(value);
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
