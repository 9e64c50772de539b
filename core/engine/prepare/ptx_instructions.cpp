#include "core/engine/prepare/ptx_instructions.hpp"
#include "core/engine/rules/shuffles.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace assay::engine {

PtxForm ptx_form(const PtxStatement &statement) {
  PtxForm form;
  form.operation = statement.operation();
  for (StringRef word : drop_begin(statement.words)) {
    if (StringSwitch<bool>(word).Cases({"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"}, true).Default(false))
      form.rounding = word;
    else if (bool *mark = StringSwitch<bool *>(word)
                              .Case("approx", &form.approximate)
                              .Case("ftz", &form.flushes)
                              .Case("sat", &form.clamps)
                              .Case("relu", &form.drops_negative)
                              .Case("NaN", &form.keeps_nan)
                              .Default(nullptr))
      *mark = true;
    else if (word == "pred" || (!word.empty() && isDigit(word.back()) && !word.starts_with("v")))
      form.types.push_back(word);
    else
      form.others.push_back(word);
  }
  return form;
}

bool PtxTranslation::add(const PtxStatement &statement) {
  const PtxForm form = ptx_form(statement);
  if (is_memory_operation(form))
    return statement.guard ? access_where_guarded(statement, form) : access(statement, form);
  if (statement.operands.size() < 2 || (statement.guard && (form.operation == "shfl" || form.operation == "vote")))
    return false;
  Value *value = value_of(statement, form);
  if (statement.predicate) {
    Value *predicate = form.operation == "shfl" ? source_lane_in_range(statement, form) : nullptr;
    if (!predicate || !values_.write(*statement.predicate, predicate))
      return false;
  }
  if (value && statement.guard)
    value = guarded(statement, value);
  return value && values_.write(statement.operands.front(), value, form.types.front().starts_with("s"));
}

/// The instruction has no effect but on its destination, which keeps its value where the guard does not hold.
Value *PtxTranslation::guarded(const PtxStatement &statement, Value *value) {
  Value *holds = values_.read(*statement.guard, builder_.getInt1Ty());
  Value *before = values_.read(statement.operands.front(), value->getType());
  if (!holds || !before)
    return nullptr;
  return statement.is_guard_negated ? builder_.CreateSelect(holds, before, value)
                                    : builder_.CreateSelect(holds, value, before);
}

Value *PtxTranslation::value_of(const PtxStatement &statement, const PtxForm &form) {
  if (form.types.empty())
    return nullptr;
  const StringRef operation = form.operation;
  if (operation == "shfl")
    return shuffle(statement, form);
  if (operation == "set" || operation == "setp")
    return truth(statement, form);
  if (operation == "cvt")
    return conversion(statement, form);
  if (operation == "vote")
    return vote(statement, form);
  if (operation == "bfe" || operation == "bmsk")
    return bit_field(statement, form);
  if (operation == "mul" || operation == "mad")
    if (Type *type = type_of(form); type && type->isIntegerTy())
      return integer_product(statement, form, type);
  if (!form.others.empty())
    return nullptr;
  if (operation == "mov") {
    Type *type = type_of(form);
    return type && statement.operands.size() == 2 ? values_.bits(statement.operands[1], ptx_bits(*type)) : nullptr;
  }
  if (operation == "selp")
    return choice(statement, form);
  if (is_contained({"and", "or", "xor", "shl", "shr"}, operation))
    return bit_operation(statement, form);
  return arithmetic(statement, form);
}

/// `shfl.sync.bfly.b32 value,word,distance,bounds,members;`
Value *PtxTranslation::shuffle(const PtxStatement &statement, const PtxForm &form) {
  if (statement.operands.size() != 5 || form.others.size() != 2 || form.others.front() != "sync" ||
      form.types.front() != "b32")
    return nullptr;
  const auto kind = StringSwitch<std::optional<ShuffleKind>>(form.others.back())
                        .Case("idx", ShuffleKind::index)
                        .Case("up", ShuffleKind::up)
                        .Case("down", ShuffleKind::down)
                        .Case("bfly", ShuffleKind::butterfly)
                        .Default(std::nullopt);
  SmallVector<Value *, 4> read{values_.bits(statement.operands[1], 32)};
  for (const PtxOperand &operand : drop_begin(statement.operands, 2))
    read.push_back(values_.read(operand, builder_.getInt32Ty()));
  if (is_contained(read, nullptr))
    return nullptr;
  if (!read.front()->getType()->isFloatTy())
    read.front() = values_.as_type(read.front(), builder_.getInt32Ty());
  return kind ? emit_shuffle(builder_, *kind, {read[3], read[0], read[1], read[2]}) : nullptr;
}

/// `vote.sync.ballot.b32 lanes, predicate, members;`
Value *PtxTranslation::vote(const PtxStatement &statement, const PtxForm &form) {
  const auto kind = [&] {
    for (StringRef word : form.others)
      if (const auto named = StringSwitch<Intrinsic::ID>(word)
                                 .Case("ballot", Intrinsic::nvvm_vote_ballot_sync)
                                 .Case("any", Intrinsic::nvvm_vote_any_sync)
                                 .Case("all", Intrinsic::nvvm_vote_all_sync)
                                 .Case("uni", Intrinsic::nvvm_vote_uni_sync)
                                 .Default(Intrinsic::not_intrinsic))
        return named;
    return Intrinsic::ID(Intrinsic::not_intrinsic);
  }();
  if (kind == Intrinsic::not_intrinsic || statement.operands.size() != 3 || !is_contained(form.others, "sync"))
    return nullptr;
  Value *predicate = values_.read(statement.operands[1], builder_.getInt1Ty());
  Value *members = values_.read(statement.operands[2], builder_.getInt32Ty());
  return predicate && members ? builder_.CreateIntrinsic(kind, {members, predicate}) : nullptr;
}

/// Whether the source lane of `shfl.sync` is in range, by the formulas of the PTX manual for its predicate.
/// The bounds hold the mask of what is the same in a segment above bit 8, and the last lane of it, or the first for
/// `up`, below.
Value *PtxTranslation::source_lane_in_range(const PtxStatement &statement, const PtxForm &form) {
  Value *distance = values_.read(statement.operands[2], builder_.getInt32Ty());
  Value *bounds = values_.read(statement.operands[3], builder_.getInt32Ty());
  if (!distance || !bounds)
    return nullptr;
  constexpr std::uint64_t lane_bits = 31;
  Value *lane = builder_.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  Value *by = builder_.CreateAnd(distance, lane_bits);
  Value *mask = builder_.CreateAnd(builder_.CreateLShr(bounds, 8), lane_bits);
  Value *inside = builder_.CreateAnd(builder_.getInt32(lane_bits), builder_.CreateNot(mask));
  Value *first = builder_.CreateAnd(lane, mask);
  Value *last = builder_.CreateOr(first, builder_.CreateAnd(builder_.CreateAnd(bounds, lane_bits), inside));
  const StringRef kind = form.others.back();
  if (kind == "up")
    return builder_.CreateICmpSGE(builder_.CreateSub(lane, by), last);
  Value *from = kind == "down"   ? builder_.CreateAdd(lane, by)
                : kind == "bfly" ? builder_.CreateXor(lane, by)
                                 : builder_.CreateOr(first, builder_.CreateAnd(by, inside));
  return builder_.CreateICmpSLE(from, last);
}

static Value *integer_comparison(IRBuilderBase &builder, StringRef name, bool is_signed, Value *left, Value *right) {
  const auto predicate = StringSwitch<CmpInst::Predicate>(name)
                             .Case("eq", CmpInst::ICMP_EQ)
                             .Case("ne", CmpInst::ICMP_NE)
                             .Case("lt", is_signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
                             .Case("le", is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                             .Case("gt", is_signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
                             .Case("ge", is_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                             .Case("lo", CmpInst::ICMP_ULT)
                             .Case("ls", CmpInst::ICMP_ULE)
                             .Case("hi", CmpInst::ICMP_UGT)
                             .Case("hs", CmpInst::ICMP_UGE)
                             .Default(CmpInst::BAD_ICMP_PREDICATE);
  return predicate == CmpInst::BAD_ICMP_PREDICATE ? nullptr : builder.CreateICmp(predicate, left, right);
}

/// Names with a `u` hold for what is not ordered, too.
static CmpInst::Predicate predicate_named(StringRef name) {
  return StringSwitch<CmpInst::Predicate>(name)
      .Case("eq", CmpInst::FCMP_OEQ)
      .Case("ne", CmpInst::FCMP_ONE)
      .Case("lt", CmpInst::FCMP_OLT)
      .Case("le", CmpInst::FCMP_OLE)
      .Case("gt", CmpInst::FCMP_OGT)
      .Case("ge", CmpInst::FCMP_OGE)
      .Case("equ", CmpInst::FCMP_UEQ)
      .Case("neu", CmpInst::FCMP_UNE)
      .Case("ltu", CmpInst::FCMP_ULT)
      .Case("leu", CmpInst::FCMP_ULE)
      .Case("gtu", CmpInst::FCMP_UGT)
      .Case("geu", CmpInst::FCMP_UGE)
      .Case("num", CmpInst::FCMP_ORD)
      .Case("nan", CmpInst::FCMP_UNO)
      .Default(CmpInst::BAD_FCMP_PREDICATE);
}

Value *PtxTranslation::comparison(const PtxStatement &statement, const PtxForm &form) {
  Type *type = ptx_type(form.types.back(), builder_.getContext());
  if (!type || statement.operands.size() != 3 || form.others.size() != 1 || form.flushes)
    return nullptr;
  const CmpInst::Predicate predicate = predicate_named(form.others.front());
  Value *left = values_.read(statement.operands[1], type), *right = values_.read(statement.operands[2], type);
  if (left && right && type->isIntegerTy())
    return integer_comparison(builder_, form.others.front(), form.types.back().starts_with("s"), left, right);
  return left && right && predicate != CmpInst::BAD_FCMP_PREDICATE ? builder_.CreateFCmp(predicate, left, right)
                                                                   : nullptr;
}

/// `setp` gives a predicate; `set` the numbers one and zero, or all bits and none.
Value *PtxTranslation::truth(const PtxStatement &statement, const PtxForm &form) {
  Value *is_true = comparison(statement, form);
  if (!is_true || form.operation == "setp")
    return is_true && form.types.size() == 1 && is_true->getType()->isIntegerTy(1) ? is_true : nullptr;
  Type *type = form.types.size() == 2 ? ptx_type(form.types.front(), builder_.getContext()) : nullptr;
  if (!type)
    return nullptr;
  const auto *lanes = dyn_cast<FixedVectorType>(is_true->getType());
  if (type->isFPOrFPVectorTy())
    return type->isVectorTy() == (lanes != nullptr)
               ? builder_.CreateSelect(is_true, ConstantFP::get(type, 1), ConstantFP::get(type, 0))
               : nullptr;
  if (!lanes)
    return builder_.CreateSExt(is_true, type);
  return builder_.CreateSExt(
      is_true, FixedVectorType::get(builder_.getIntNTy(ptx_bits(*type) / lanes->getNumElements()), lanes));
}

Value *PtxTranslation::choice(const PtxStatement &statement, const PtxForm &form) {
  Type *type = type_of(form);
  if (!type || statement.operands.size() != 4)
    return nullptr;
  Value *first = values_.read(statement.operands[1], type), *second = values_.read(statement.operands[2], type),
        *condition = values_.read(statement.operands[3], builder_.getInt1Ty());
  return first && second && condition ? builder_.CreateSelect(condition, first, second) : nullptr;
}

/// Whether a word has the sign bits of two halves, or of one number, and nothing else.
static bool is_sign_mask(const Value *value) {
  const auto *mask = dyn_cast<ConstantInt>(value);
  return mask && (mask->getValue().isSignMask() || (mask->getBitWidth() == 32 && mask->getValue().isSplat(16) &&
                                                    mask->getValue().trunc(16).isSignMask()));
}

/// By an amount of at most all bits: more shift out no more than these.
static Value *shift(IRBuilderBase &builder, const PtxForm &form, Value *value, Value *amount) {
  Type *type = value->getType();
  const unsigned bits = ptx_bits(*type);
  const bool keeps_sign = form.operation == "shr" && form.types.front().starts_with("s");
  Value *last = builder.getInt32(bits - 1);
  Value *by = builder.CreateIntCast(builder.CreateBinaryIntrinsic(Intrinsic::umin, amount, last), type, false);
  if (keeps_sign)
    return builder.CreateAShr(value, by);
  Value *result = form.operation == "shl" ? builder.CreateShl(value, by) : builder.CreateLShr(value, by);
  return builder.CreateSelect(builder.CreateICmpUGT(amount, last), Constant::getNullValue(type), result);
}

Value *PtxTranslation::bit_operation(const PtxStatement &statement, const PtxForm &form) {
  Type *type = type_of(form);
  if (!type || !type->isIntegerTy() || statement.operands.size() != 3)
    return nullptr;
  if (Value *number = form.operation == "or" ? with_sign(statement, type) : nullptr)
    return number;
  const bool shifts = form.operation.starts_with("sh");
  Value *left = values_.read(statement.operands[1], type);
  Value *right = values_.read(statement.operands[2], shifts ? builder_.getInt32Ty() : type);
  if (!left || !right)
    return nullptr;
  if (shifts)
    return shift(builder_, form, left, right);
  Value *result = form.operation == "and"  ? builder_.CreateAnd(left, right)
                  : form.operation == "or" ? builder_.CreateOr(left, right)
                                           : builder_.CreateXor(left, right);
  if (form.operation == "and" && is_sign_mask(right))
    sign_of_[result] = values_.bits(statement.operands[1], ptx_bits(*type));
  return result;
}

static Value *is_signed(IRBuilderBase &builder, Value *number) {
  Type *integer = number->getType()->getWithNewType(builder.getIntNTy(number->getType()->getScalarSizeInBits()));
  return builder.CreateICmpSLT(builder.CreateBitCast(number, integer), Constant::getNullValue(integer));
}

static Value *sign_as_factor(IRBuilderBase &builder, Value *number) {
  return builder.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::get(number->getType(), 1), number);
}

/// `number | (other & sign bits)`, as a number. It is written as a product: its derivative is not lost where the number
/// is zero.
Value *PtxTranslation::with_sign(const PtxStatement &statement, Type *type) {
  Value *number = values_.bits(statement.operands[1], ptx_bits(*type));
  Value *signs = values_.bits(statement.operands[2], ptx_bits(*type));
  Value *other = sign_of_.lookup(signs);
  if (!number || !other || !number->getType()->isFPOrFPVectorTy())
    return nullptr;
  Value *factor = sign_as_factor(builder_, values_.as_type(other, number->getType()));
  return builder_.CreateSelect(is_signed(builder_, number), number, builder_.CreateFMul(number, factor));
}

/// The magnitude of a number whose sign is given to another one later is written as a product, too.
Value *PtxTranslation::magnitude(const PtxStatement &statement, const PtxForm &form) {
  Type *type = type_of(form);
  Value *bits = values_.bits(statement.operands[1], ptx_bits(*type));
  if (!bits)
    return nullptr;
  Value *number = values_.as_type(bits, type);
  if (any_of(sign_of_, [&](const auto &sign) { return sign.second == bits; }))
    return builder_.CreateFMul(number, sign_as_factor(builder_, number));
  return builder_.CreateUnaryIntrinsic(Intrinsic::fabs, number);
}

} // namespace assay::engine
