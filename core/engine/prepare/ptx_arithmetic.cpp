// Arithmetic and conversions of PTX. What LLVM's own instructions do the same way is theirs; the rest is the intrinsic
// of that name, which is selected as the very instruction.

#include "core/engine/prepare/ptx_instructions.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The device's intrinsic of a name, or null.
Value *device_intrinsic(IRBuilderBase &builder, const Twine &name, ArrayRef<Value *> operands) {
  const Intrinsic::ID id = Intrinsic::lookupIntrinsicID(("llvm.nvvm." + name).str());
  if (id == Intrinsic::not_intrinsic)
    return nullptr;
  Type *type = operands.front()->getType();
  return Intrinsic::isOverloaded(id) ? builder.CreateIntrinsic(id, {type}, operands)
                                     : builder.CreateIntrinsic(id, operands);
}

/// How names of intrinsics end; one of them is there for all types.
StringRef suffix_of(const PtxForm &form) {
  const StringRef type = form.types.front();
  return form.operation == "ex2" ? type : type == "f32" ? "f" : type == "f64" ? "d" : type;
}

Value *special_intrinsic(IRBuilderBase &builder, const PtxForm &form, ArrayRef<Value *> x) {
  SmallVector<Value *, 3> operands(x);
  StringRef operation = StringSwitch<StringRef>(form.operation)
                            .Case("max", "fmax")
                            .Case("min", "fmin")
                            .Case("sub", "add")
                            .Default(form.operation);
  if (form.operation == "sub")
    operands[1] = builder.CreateFNeg(operands[1]);
  std::string name = operation.str();
  if (!form.rounding.empty() || form.approximate)
    name += "." + (form.approximate ? "approx" : form.rounding.str());
  if (form.flushes)
    name += ".ftz";
  if (form.keeps_nan)
    name += ".nan";
  return device_intrinsic(builder, name + "." + suffix_of(form), operands);
}

Value *unary(IRBuilderBase &builder, StringRef operation, Value *x) {
  return operation == "neg"    ? builder.CreateFNeg(x)
         : operation == "sqrt" ? builder.CreateUnaryIntrinsic(Intrinsic::sqrt, x)
         : operation == "rcp"  ? builder.CreateFDiv(ConstantFP::get(x->getType(), 1), x)
                               : nullptr;
}

Value *binary(IRBuilderBase &builder, const PtxForm &form, Value *x, Value *y) {
  const StringRef operation = form.operation;
  if (operation == "min" || operation == "max") {
    const bool is_min = operation == "min";
    const Intrinsic::ID id = form.keeps_nan ? (is_min ? Intrinsic::minimum : Intrinsic::maximum)
                                            : (is_min ? Intrinsic::minnum : Intrinsic::maxnum);
    return builder.CreateBinaryIntrinsic(id, x, y);
  }
  return operation == "add"   ? builder.CreateFAdd(x, y)
         : operation == "sub" ? builder.CreateFSub(x, y)
         : operation == "mul" ? builder.CreateFMul(x, y)
         : operation == "div" ? builder.CreateFDiv(x, y)
                              : nullptr;
}

Value *exact(IRBuilderBase &builder, const PtxForm &form, ArrayRef<Value *> x) {
  if (x.size() == 3)
    return form.operation == "fma" ? builder.CreateIntrinsic(Intrinsic::fma, {x[0]->getType()}, x) : nullptr;
  if (x.size() == 2)
    return binary(builder, form, x[0], x[1]);
  return unary(builder, form.operation, x[0]);
}

/// There are no intrinsics for these; LLVM's functions become the instruction where they may be approximate.
Value *approximate_function(IRBuilderBase &builder, const PtxForm &form, ArrayRef<Value *> x) {
  IRBuilderBase::FastMathFlagGuard guard(builder);
  FastMathFlags approximate;
  approximate.setApproxFunc();
  builder.setFastMathFlags(approximate);
  if (form.flushes || x.size() != 1)
    return nullptr;
  return form.operation == "tanh" ? builder.CreateUnaryIntrinsic(Intrinsic::tanh, x[0])
         : form.operation == "rcp" && x[0]->getType()->isFloatTy()
             ? builder.CreateFDiv(ConstantFP::get(x[0]->getType(), 1), x[0])
             : nullptr;
}

/// `.sat`: between zero and one, what is no number being zero. `.relu`: not below zero, what is no number staying so.
Value *limited(IRBuilderBase &builder, const PtxForm &form, Value *value) {
  if (!value || (!form.clamps && !form.drops_negative))
    return value;
  Constant *zero = ConstantFP::get(value->getType(), 0);
  if (form.drops_negative)
    return builder.CreateBinaryIntrinsic(Intrinsic::maximum, value, zero);
  Value *positive = builder.CreateBinaryIntrinsic(Intrinsic::maxnum, value, zero);
  return builder.CreateBinaryIntrinsic(Intrinsic::minnum, positive, ConstantFP::get(value->getType(), 1));
}

Value *whole_number(IRBuilderBase &builder, StringRef rounding, Value *x) {
  const auto function = StringSwitch<Intrinsic::ID>(rounding)
                            .Case("rni", Intrinsic::roundeven)
                            .Case("rzi", Intrinsic::trunc)
                            .Case("rmi", Intrinsic::floor)
                            .Case("rpi", Intrinsic::ceil)
                            .Default(Intrinsic::not_intrinsic);
  return function == Intrinsic::not_intrinsic ? nullptr : builder.CreateUnaryIntrinsic(function, x);
}

/// The nearest integer that there is. All halves are floats.
Value *integer_of(IRBuilderBase &builder, const PtxForm &form, Value *number, Type *type) {
  if (number->getType()->getPrimitiveSizeInBits() < 32)
    number = builder.CreateFPExt(number, builder.getFloatTy());
  Value *whole = whole_number(builder, form.rounding, number);
  const bool is_signed = form.types.front().starts_with("s");
  return whole ? builder.CreateIntrinsic(is_signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                         {type, number->getType()}, {whole})
               : nullptr;
}

Value *number_of(IRBuilderBase &builder, const PtxForm &form, Value *integer, Type *type) {
  if (form.rounding != "rn")
    return nullptr;
  return form.types.back().starts_with("s")   ? builder.CreateSIToFP(integer, type)
         : form.types.back().starts_with("u") ? builder.CreateUIToFP(integer, type)
                                              : nullptr;
}

/// From one floating-point type to another.
Value *converted(IRBuilderBase &builder, const PtxForm &form, Value *x, Type *to) {
  Type *from = x->getType();
  if (from == to)
    return form.rounding.empty() ? x : whole_number(builder, form.rounding, x);
  const bool widens = ptx_bits(*to) > ptx_bits(*from);
  if (ptx_bits(*to) == ptx_bits(*from) || form.rounding.empty() != widens)
    return nullptr;
  if (widens || form.rounding == "rn")
    return builder.CreateFPCast(x, to);
  const StringRef name = from->isDoubleTy() && to->isFloatTy() ? "d2f"
                         : from->isFloatTy() && to->isHalfTy() ? "f2f16"
                         : from->isFloatTy()                   ? "f2bf16"
                                                               : "";
  return device_intrinsic(builder, name + "." + form.rounding, {x});
}

} // namespace

/// The first source is the high half.
Value *PtxTranslation::conversion_of_pair(const PtxStatement &statement, const PtxForm &form) {
  auto *pair = dyn_cast<FixedVectorType>(ptx_type(form.types.front(), builder_.getContext()));
  if (!pair || form.types.back() != "f32")
    return nullptr;
  Value *result = PoisonValue::get(pair);
  for (unsigned lane = 0; lane < 2; ++lane) {
    Value *number = values_.read(statement.operands[2 - lane], builder_.getFloatTy());
    Value *part = number ? converted(builder_, form, number, pair->getElementType()) : nullptr;
    if (!part)
      return nullptr;
    result = builder_.CreateInsertElement(result, part, lane);
  }
  return limited(builder_, form, result);
}

Value *PtxTranslation::conversion(const PtxStatement &statement, const PtxForm &form) {
  if (form.types.size() != 2 || form.flushes || !form.others.empty())
    return nullptr;
  Type *to = ptx_type(form.types.front(), builder_.getContext());
  Type *from = ptx_type(form.types.back(), builder_.getContext());
  if (!to || !from || from->isVectorTy())
    return nullptr;
  if (statement.operands.size() == 3)
    return conversion_of_pair(statement, form);
  Value *x = values_.read(statement.operands[1], from);
  if (!x || to->isVectorTy())
    return nullptr;
  if (!to->isFloatingPointTy())
    return from->isFloatingPointTy() ? integer_of(builder_, form, x, to) : nullptr;
  return limited(builder_, form,
                 from->isFloatingPointTy() ? converted(builder_, form, x, to) : number_of(builder_, form, x, to));
}

/// `mul.lo`, `mul.wide`, and with a sum `mad`.
Value *PtxTranslation::integer_product(const PtxStatement &statement, const PtxForm &form, Type *type) {
  const bool is_wide = form.others.size() == 1 && form.others.front() == "wide";
  const bool adds = form.operation == "mad";
  if (statement.operands.size() != (adds ? 4 : 3) ||
      (!is_wide && !(form.others.size() == 1 && form.others.front() == "lo")))
    return nullptr;
  Type *result = is_wide ? builder_.getIntNTy(2 * ptx_bits(*type)) : type;
  Value *x = values_.read(statement.operands[1], type), *y = values_.read(statement.operands[2], type);
  Value *addend = adds ? values_.read(statement.operands[3], result) : nullptr;
  if (!x || !y || (adds && !addend))
    return nullptr;
  const bool is_signed = form.types.front().starts_with("s");
  Value *product =
      builder_.CreateMul(builder_.CreateIntCast(x, result, is_signed), builder_.CreateIntCast(y, result, is_signed));
  return adds ? builder_.CreateAdd(product, addend) : product;
}

/// The lowest bits of a word, as many as `count` says; all where it says more than there are.
static Value *lowest_bits(IRBuilderBase &builder, Value *count) {
  Value *many = builder.CreateICmpUGT(count, builder.getInt32(31));
  Value *some =
      builder.CreateSub(builder.CreateShl(builder.getInt32(1), builder.CreateAnd(count, 31)), builder.getInt32(1));
  return builder.CreateSelect(many, builder.getInt32(-1), some);
}

/// `bfe.u32 field, word, first, count;` and `bmsk.clamp.b32 mask, first, count;`
Value *PtxTranslation::bit_field(const PtxStatement &statement, const PtxForm &form) {
  const bool extracts = form.operation == "bfe";
  const bool is_known = extracts
                            ? form.types.front() == "u32" && form.others.empty()
                            : form.types.front() == "b32" && form.others.size() == 1 && form.others.front() == "clamp";
  if (!is_known || statement.operands.size() != (extracts ? 4 : 3))
    return nullptr;
  SmallVector<Value *, 3> read;
  for (const PtxOperand &operand : drop_begin(statement.operands)) {
    read.push_back(values_.read(operand, builder_.getInt32Ty()));
    if (!read.back())
      return nullptr;
  }
  if (extracts) // Of both numbers only the lowest byte counts.
    for (Value *&number : MutableArrayRef(read).drop_front())
      number = builder_.CreateAnd(number, 255);
  Value *first = read[extracts ? 1 : 0], *mask = lowest_bits(builder_, read.back());
  Value *is_outside = builder_.CreateICmpUGT(first, builder_.getInt32(31));
  Value *by = builder_.CreateAnd(first, 31);
  Value *field = extracts ? builder_.CreateAnd(builder_.CreateLShr(read[0], by), mask) : builder_.CreateShl(mask, by);
  return builder_.CreateSelect(is_outside, builder_.getInt32(0), field);
}

/// Of one number: bits that are set, zeros at its upper end, its bits the other way round.
static Value *bit_count(IRBuilderBase &builder, StringRef operation, Value *x) {
  if (operation == "popc")
    return builder.CreateTrunc(builder.CreateUnaryIntrinsic(Intrinsic::ctpop, x), builder.getInt32Ty());
  if (operation == "clz")
    return builder.CreateTrunc(builder.CreateIntrinsic(Intrinsic::ctlz, {x->getType()}, {x, builder.getFalse()}),
                               builder.getInt32Ty());
  return operation == "brev"  ? builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, x)
         : operation == "not" ? builder.CreateNot(x)
         : operation == "neg" ? builder.CreateNeg(x)
                              : nullptr;
}

Value *PtxTranslation::integer_arithmetic(const PtxStatement &statement, const PtxForm &form, Type *type) {
  if (statement.operands.size() == 2) {
    Value *only = values_.read(statement.operands[1], type);
    return only ? bit_count(builder_, form.operation, only) : nullptr;
  }
  if (statement.operands.size() != 3)
    return nullptr;
  Value *x = values_.read(statement.operands[1], type), *y = values_.read(statement.operands[2], type);
  if (!x || !y)
    return nullptr;
  const bool is_signed = form.types.front().starts_with("s");
  const StringRef operation = form.operation;
  return operation == "add"   ? builder_.CreateAdd(x, y)
         : operation == "sub" ? builder_.CreateSub(x, y)
         : operation == "min" ? builder_.CreateBinaryIntrinsic(is_signed ? Intrinsic::smin : Intrinsic::umin, x, y)
         : operation == "max" ? builder_.CreateBinaryIntrinsic(is_signed ? Intrinsic::smax : Intrinsic::umax, x, y)
                              : nullptr;
}

Value *PtxTranslation::arithmetic(const PtxStatement &statement, const PtxForm &form) {
  Type *type = type_of(form);
  if (type && type->isIntegerTy())
    return integer_arithmetic(statement, form, type);
  if (!type || !type->isFPOrFPVectorTy())
    return nullptr;
  if (form.operation == "abs")
    return !form.flushes && statement.operands.size() == 2 ? magnitude(statement, form) : nullptr;
  SmallVector<Value *, 3> operands;
  for (const PtxOperand &operand : drop_begin(statement.operands)) {
    operands.push_back(values_.read(operand, type));
    if (!operands.back())
      return nullptr;
  }
  const bool is_exact = !form.approximate && !form.flushes && (form.rounding.empty() || form.rounding == "rn");
  Value *result = is_exact ? exact(builder_, form, operands) : special_intrinsic(builder_, form, operands);
  if (!result && form.approximate)
    result = approximate_function(builder_, form, operands);
  return limited(builder_, form, result);
}

} // namespace assay::engine
