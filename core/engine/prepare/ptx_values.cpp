#include "core/engine/prepare/ptx_values.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace assay::engine {

Type *ptx_type(StringRef name, LLVMContext &context) {
  Type *half = Type::getHalfTy(context), *brain = Type::getBFloatTy(context);
  Type *number = StringSwitch<Type *>(name)
                     .Case("pred", Type::getInt1Ty(context))
                     .Case("f16", half)
                     .Case("bf16", brain)
                     .Case("f16x2", FixedVectorType::get(half, 2))
                     .Case("bf16x2", FixedVectorType::get(brain, 2))
                     .Case("f32", Type::getFloatTy(context))
                     .Case("f64", Type::getDoubleTy(context))
                     .Default(nullptr);
  if (number)
    return number;
  unsigned width = 0;
  if (name.empty() || !StringRef("bus").contains(name.front()) || name.drop_front().getAsInteger(10, width))
    return nullptr;
  return is_contained({8U, 16U, 32U, 64U}, width) ? Type::getIntNTy(context, width) : nullptr;
}

unsigned ptx_bits(const Type &type) {
  return type.getPrimitiveSizeInBits().getFixedValue();
}

PtxValues::PtxValues(IRBuilderBase &builder, const CallInst &call, const PtxBlock &block) : builder_(builder) {
  for (StringRef type : block.register_types)
    registers_.push_back({.type = ptx_type(type, builder.getContext())});
  const auto *several = dyn_cast<StructType>(call.getType());
  for (const AssemblyOperand &operand : assembly_operands(call, *cast<InlineAsm>(call.getCalledOperand()))) {
    Type *type = !operand.is_output ? operand.value->getType()
                 : several          ? several->getElementType(outputs_.size())
                                    : call.getType();
    if (operand.is_output)
      outputs_.push_back(operands_.size());
    operands_.push_back({type, operand.value});
  }
}

PtxValues::Place *PtxValues::place(const PtxOperand &operand) {
  if (operand.kind != PtxOperand::Kind::assembly && operand.kind != PtxOperand::Kind::reg)
    return nullptr;
  std::vector<Place> &places = operand.kind == PtxOperand::Kind::reg ? registers_ : operands_;
  return operand.number < places.size() ? &places[operand.number] : nullptr;
}

/// The number of the lane, masks of lanes, the place of the thread.
Value *PtxValues::special_register(StringRef name) {
  const auto read = StringSwitch<Intrinsic::ID>(name)
                        .Case("laneid", Intrinsic::nvvm_read_ptx_sreg_laneid)
                        .Case("lanemask_eq", Intrinsic::nvvm_read_ptx_sreg_lanemask_eq)
                        .Case("lanemask_lt", Intrinsic::nvvm_read_ptx_sreg_lanemask_lt)
                        .Case("lanemask_le", Intrinsic::nvvm_read_ptx_sreg_lanemask_le)
                        .Case("lanemask_gt", Intrinsic::nvvm_read_ptx_sreg_lanemask_gt)
                        .Case("lanemask_ge", Intrinsic::nvvm_read_ptx_sreg_lanemask_ge)
                        .Case("tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x)
                        .Case("tid.y", Intrinsic::nvvm_read_ptx_sreg_tid_y)
                        .Case("tid.z", Intrinsic::nvvm_read_ptx_sreg_tid_z)
                        .Case("ntid.x", Intrinsic::nvvm_read_ptx_sreg_ntid_x)
                        .Case("ntid.y", Intrinsic::nvvm_read_ptx_sreg_ntid_y)
                        .Case("ntid.z", Intrinsic::nvvm_read_ptx_sreg_ntid_z)
                        .Case("ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x)
                        .Case("ctaid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y)
                        .Case("ctaid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z)
                        .Case("nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x)
                        .Case("nctaid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y)
                        .Case("nctaid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z)
                        .Case("smid", Intrinsic::nvvm_read_ptx_sreg_smid)
                        .Default(Intrinsic::not_intrinsic);
  return read == Intrinsic::not_intrinsic ? nullptr : builder_.CreateIntrinsic(read, {});
}

Value *PtxValues::bits(const PtxOperand &operand, unsigned count) {
  if (operand.kind == PtxOperand::Kind::special)
    return count == 32 ? special_register(operand.name) : nullptr;
  if (operand.kind == PtxOperand::Kind::immediate)
    return builder_.getInt(APInt(count, operand.number, false, true));
  if (operand.kind == PtxOperand::Kind::tuple)
    return packed(operand.parts, count);
  const Place *from = place(operand);
  return from && from->value && ptx_bits(*from->value->getType()) == count ? from->value : nullptr;
}

/// The high half of a float whose low half is zero is the same number as a bfloat.
static Value *bfloat_in_high_half(Value *value) {
  using namespace PatternMatch;
  Value *high = nullptr;
  return match(value, m_Shl(m_ZExt(m_Value(high)), m_SpecificInt(16))) && high->getType()->isIntegerTy(16) ? high
                                                                                                           : nullptr;
}

Value *PtxValues::as_type(Value *value, Type *type) {
  if (value->getType() == type)
    return value;
  if (const auto *cast = dyn_cast<BitCastInst>(value); cast && cast->getSrcTy() == type)
    return cast->getOperand(0);
  if (auto *constant = dyn_cast<Constant>(value))
    return ConstantFoldCastOperand(Instruction::BitCast, constant, type, builder_.GetInsertBlock()->getDataLayout());
  if (Value *high = type->isFloatTy() ? bfloat_in_high_half(value) : nullptr)
    return builder_.CreateFPExt(as_type(high, builder_.getBFloatTy()), type);
  return builder_.CreateBitCast(value, type);
}

Value *PtxValues::read(const PtxOperand &operand, Type *type) {
  Value *value = bits(operand, ptx_bits(*type));
  return value ? as_type(value, type) : nullptr;
}

Value *PtxValues::packed(ArrayRef<PtxOperand> parts, unsigned count) {
  const unsigned width = count / parts.size();
  SmallVector<Value *, 4> values;
  Type *type = builder_.getIntNTy(width);
  for (const PtxOperand &part : parts) {
    values.push_back(bits(part, width));
    if (!values.back())
      return nullptr;
    if (values.back()->getType()->isFloatingPointTy())
      type = values.back()->getType();
  }
  const auto *low = dyn_cast<ConstantInt>(values.front());
  if (values.size() == 2 && low && low->isZero()) {
    Type *whole = builder_.getIntNTy(count);
    return builder_.CreateShl(builder_.CreateZExt(as_type(values[1], builder_.getIntNTy(width)), whole), width);
  }
  Value *vector = PoisonValue::get(FixedVectorType::get(type, values.size()));
  for (unsigned lane = 0; lane < values.size(); ++lane)
    vector = builder_.CreateInsertElement(vector, as_type(values[lane], type), lane);
  return vector;
}

bool PtxValues::unpack(ArrayRef<PtxOperand> parts, Value *value) {
  const unsigned width = ptx_bits(*value->getType()) / parts.size();
  const auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!vector || vector->getNumElements() != parts.size())
    value = as_type(value, FixedVectorType::get(builder_.getIntNTy(width), parts.size()));
  for (unsigned lane = 0; lane < parts.size(); ++lane)
    if (!write(parts[lane], builder_.CreateExtractElement(value, lane)))
      return false;
  return true;
}

bool PtxValues::write(const PtxOperand &operand, Value *value, bool is_signed) {
  if (operand.kind == PtxOperand::Kind::tuple)
    return unpack(operand.parts, value);
  Place *to = place(operand);
  if (!to || !to->type)
    return false;
  const unsigned width = ptx_bits(*to->type), bits = ptx_bits(*value->getType());
  if (value->getType()->isIntegerTy() && bits < width)
    value = builder_.CreateIntCast(value, builder_.getIntNTy(width), is_signed);
  else if (bits != width)
    return false;
  to->value = to->type->isFPOrFPVectorTy() ? as_type(value, to->type) : value;
  return true;
}

Value *PtxValues::result(Type *type) {
  SmallVector<Value *, 2> values;
  for (const unsigned output : outputs_) {
    const Place &place = operands_[output];
    if (!place.value)
      return nullptr;
    values.push_back(as_type(place.value, place.type));
  }
  if (!type->isStructTy())
    return values.size() == 1 ? values.front() : nullptr;
  Value *result = PoisonValue::get(type);
  for (unsigned index = 0; index < values.size(); ++index)
    result = builder_.CreateInsertValue(result, values[index], index);
  return result;
}

} // namespace assay::engine
