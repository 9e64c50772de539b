#include "core/engine/prepare/sign_bits.hpp"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The type that `user` takes the memory behind `address` for, if it does.
Type *type_behind(const User &user, const Value &address) {
  if (const auto *element = dyn_cast<GetElementPtrInst>(&user))
    return element->getPointerOperand() == &address ? element->getSourceElementType() : nullptr;
  const auto *access = dyn_cast<Instruction>(&user);
  return access && getLoadStorePointerOperand(access) == &address ? getLoadStoreType(access) : nullptr;
}

/// The floating type that a type consists of: a number, or as many as a complex number or an array has.
Type *only_number_of(Type &type) {
  if (type.isFPOrFPVectorTy())
    return type.getScalarType();
  if (auto *array = dyn_cast<ArrayType>(&type))
    return only_number_of(*array->getElementType());
  const auto *structure = dyn_cast<StructType>(&type);
  if (!structure || structure->elements().empty())
    return nullptr;
  Type *first = only_number_of(*structure->getElementType(0));
  const bool is_only = all_of(structure->elements(), [&](Type *part) { return only_number_of(*part) == first; });
  return is_only ? first : nullptr;
}

/// As many floats as the integers have bits, if a number of the type has the size of one.
Type *numbers_like(Type *type, Type &integers) {
  Type *floating = type ? only_number_of(*type) : nullptr;
  if (!floating || floating->getPrimitiveSizeInBits() != integers.getScalarSizeInBits())
    return nullptr;
  const auto *vector = dyn_cast<FixedVectorType>(&integers);
  return vector ? FixedVectorType::get(floating, vector->getNumElements()) : floating;
}

/// The same, where the memory behind the address holds floats elsewhere.
Type *floats_at(const Value &address, Type &integers) {
  if (const auto *element = dyn_cast<GEPOperator>(&address))
    if (Type *floating = numbers_like(element->getSourceElementType(), integers))
      return floating;
  for (const User *user : address.users())
    if (Type *floating = numbers_like(type_behind(*user, address), integers))
      return floating;
  return nullptr;
}

/// The floating type that `operation` works on the bits of: that of a bitcast to or from it, or of the memory that the
/// bits are in.
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
  if (const auto *load = dyn_cast<LoadInst>(operation.getOperand(0)))
    if (Type *type = floats_at(*load->getPointerOperand(), *operation.getType()))
      return type;
  for (const User *user : operation.users())
    if (const auto *store = dyn_cast<StoreInst>(user); store && store->getValueOperand() == &operation)
      if (Type *type = floats_at(*store->getPointerOperand(), *operation.getType()))
        return type;
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

SignChange change_of(unsigned opcode, Constant &mask) {
  using namespace PatternMatch;
  const APInt *splat = nullptr;
  if (match(&mask, m_APInt(splat)))
    return {classify(opcode, *splat), {}};
  const auto *masks = dyn_cast<ConstantDataVector>(&mask);
  if (!masks || !masks->getElementType()->isIntegerTy())
    return {};
  SignChange change;
  for (unsigned lane = 0; lane < masks->getNumElements(); ++lane) {
    const APInt lane_mask = masks->getElementAsAPInt(lane);
    const SignOperation kind = classify(opcode, lane_mask);
    if (kind == SignOperation::none && !is_neutral(opcode, lane_mask))
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

/// The mask, cut as the floats are: the sign of one of two doubles may be flipped in one of four integers.
Constant *mask_for(const BinaryOperator &operation, Type &floating) {
  auto *mask = dyn_cast<Constant>(operation.getOperand(1));
  if (!mask || floating.getScalarType()->isPPC_FP128Ty())
    return nullptr;
  Type *integer = floating.isVectorTy()
                      ? VectorType::getInteger(cast<VectorType>(&floating))
                      : static_cast<Type *>(Type::getIntNTy(floating.getContext(), floating.getPrimitiveSizeInBits()));
  if (mask->getType() == integer)
    return mask;
  return ConstantFoldCastOperand(Instruction::BitCast, mask, integer, operation.getDataLayout());
}

bool rewrite(BinaryOperator &operation) {
  Type *type = float_behind(operation);
  Constant *mask = type ? mask_for(operation, *type) : nullptr;
  if (!mask)
    return false;
  const auto [kind, lanes] = change_of(operation.getOpcode(), *mask);
  if (kind == SignOperation::none)
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
