// Values in forward mode: how lanes are found and set, and the operations that only compute.
//
// A scalar operation r = f(a, b, ...) has the tangent r' = f_a * a' + f_b * b' + ..., over the operands that have
// tangents. Operations that move bits (casts, aggregates, vectors, address arithmetic) are repeated on the lanes.
#include "core/engine/emit/address_shadows.hpp"
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/forward_emitter.hpp"
#include "core/engine/emit/shadow_alignment.hpp"
#include "core/engine/emit/shadow_globals.hpp"
#include "core/engine/emit/table_shadows.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace assay::engine {

/// What brings lanes in; all else only passes on those of its operands. Null is its own shadow: a pointer that is null
/// or what is loaded through it (a list of nodes to use again, which is empty) has lanes too.
bool ForwardEmitter::supplies_lanes(const Instruction &original) const {
  if (isa<AllocaInst>(original) || isa<CallBase>(original))
    return true;
  const bool may_be_null = isa<PHINode>(original) && activity_.has_shadow(original);
  return any_of(original.operands(), [&](const Use &operand) {
    return (may_be_null && isa<ConstantPointerNull>(operand.get())) || supplied_.contains(operand.get()) ||
           (isa<Constant>(operand.get()) && is_shadowed(*operand.get()));
  });
}

void ForwardEmitter::find_supplied() {
  for (const auto &[argument, shadows] : lanes_)
    supplied_.insert(argument);
  SmallSetVector<Instruction *, 32> pending;
  for (Instruction &instruction : instructions(prepared_))
    pending.insert(&instruction);
  while (!pending.empty()) {
    Instruction *instruction = pending.pop_back_val();
    if (supplied_.contains(instruction) || !supplies_lanes(*instruction))
      continue;
    supplied_.insert(instruction);
    for (User *user : instruction->users())
      pending.insert(cast<Instruction>(user));
  }
}

bool ForwardEmitter::needs_lanes(const Instruction &original) const {
  return supplied_.contains(&original) && (activity_.carries_derivative(original) || activity_.has_shadow(original));
}

bool ForwardEmitter::is_shadowed(Value &original) const {
  if (isa<Constant>(original))
    return (original.getType()->isPtrOrPtrVectorTy() || isa<ConstantExpr>(original)) && activity_.has_shadow(original);
  return lanes_.contains(&original);
}

Value *ForwardEmitter::primal(Value &original) const {
  auto found = map_.find(&original);
  return found == map_.end() ? &original : static_cast<Value *>(found->second);
}

/// A constant pointer where one with a shadow is expected: its memory would be taken for its own shadow. Offsets from
/// null, as empty containers have them, are harmless, and so is the member of another alternative, which comes from
/// nothing but itself; with runtime activity so is the rest.
void ForwardEmitter::note_constant_with_shadow(const Value &original) {
  if (constant_with_shadow_ || request_.options.runtime_activity || !original.getType()->isPtrOrPtrVectorTy())
    return;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&original, objects, nullptr, 0);
  if (!all_of(objects, IsaPred<Constant>) && activity_.has_shadow(original))
    constant_with_shadow_ = &original;
}

/// Tables of floats that meet active memory in one pointer have a shadow of zeros there, not themselves.
Value *ForwardEmitter::tangent_of_constant(Constant &constant, unsigned lane) {
  const FunctionInfo &function_info = engine_.function_info();
  const ShadowSet set = shadow_set(request_, lane);
  if (!constant.getType()->isPointerTy() || request_.options.runtime_activity)
    return shadow_of_constant(constant, set, function_info);
  return zeros_of_constant(constant, set, function_info);
}

Lanes ForwardEmitter::lanes(Value &original) {
  if (auto found = lanes_.find(&original); found != lanes_.end())
    return found->second;
  note_constant_with_shadow(original);
  Lanes values;
  auto *constant = dyn_cast<Constant>(&original);
  for (unsigned lane = 0; lane < request_.width; ++lane)
    values.push_back(constant ? tangent_of_constant(*constant, lane) : lane_of_inactive(original));
  return values;
}

/// What stands for a value without derivative where its lane is stored or passed: zero for floats, itself for the rest.
Value *ForwardEmitter::lane_of_inactive(Value &original) {
  Type *type = original.getType();
  if (type->isFPOrFPVectorTy())
    return Constant::getNullValue(type);
  if (type->isIntOrIntVectorTy())
    return types_.of(original).kind == ByteKind::floating ? Constant::getNullValue(type) : primal(original);
  if (!type->isAggregateType())
    return primal(original);
  SmallVector<unsigned, 4> path;
  return zero_floats(*type, path, primal(original));
}

Value *ForwardEmitter::zero_floats(Type &type, SmallVectorImpl<unsigned> &path, Value *whole) {
  if (type.isFPOrFPVectorTy())
    return builder_.CreateInsertValue(whole, Constant::getNullValue(&type), path);
  if (!type.isAggregateType())
    return whole;
  const unsigned count = isa<StructType>(type) ? type.getStructNumElements() : type.getArrayNumElements();
  for (unsigned index = 0; index < count; ++index) {
    path.push_back(index);
    whole = zero_floats(*ExtractValueInst::getIndexedType(&type, index), path, whole);
    path.pop_back();
  }
  return whole;
}

void ForwardEmitter::set_lanes(Instruction &original, Lanes values) {
  for (Value *value : values)
    if (auto *instruction = dyn_cast<Instruction>(value); instruction && !value->hasName() && original.hasName())
      value->setName(original.getName() + "'");
  lanes_[&original] = std::move(values);
}

Instruction *ForwardEmitter::mirror_lane(Instruction &original, unsigned lane) {
  Instruction *copy = copy_for_shadow(*cast<Instruction>(primal(original)));
  for (Use &use : original.operands()) {
    Value *operand = use.get();
    if (isa<BasicBlock>(operand) || isa<MetadataAsValue>(operand))
      continue;
    Type *type = operand->getType();
    const bool carries =
        is_shadowed(*operand) || type->isFPOrFPVectorTy() || type->isPtrOrPtrVectorTy() || type->isAggregateType();
    if (carries && !(isa<CallBase>(original) && cast<CallBase>(original).isCallee(&use)))
      copy->setOperand(use.getOperandNo(), lanes(*operand)[lane]);
  }
  // What is known of the primal value (its range, that it is not null or NaN) need not hold for its lane.
  copy->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa, LLVMContext::MD_tbaa_struct});
  if (scopes_)
    scopes_->mark_lane(*copy, original, lane);
  if (!isa<GetElementPtrInst>(copy))
    copy->dropPoisonGeneratingFlags();
  builder_.Insert(copy);
  relax_alignment(*copy);
  return copy;
}

Lanes ForwardEmitter::mirror(Instruction &original) {
  Lanes values;
  for (unsigned lane = 0; lane < request_.width; ++lane)
    values.push_back(mirror_lane(original, lane));
  return values;
}

/// Nothing asks for an order of tangents: sums over loops may be vectorised.
Value *ForwardEmitter::add_tangents(Value &left, Value &right) {
  Value *sum = builder_.CreateFAdd(&left, &right);
  if (auto *operation = dyn_cast<Instruction>(sum))
    operation->setHasAllowReassoc(true);
  return sum;
}

void ForwardEmitter::emit_scalar(Instruction &original, const ScalarRule &rule) {
  SmallVector<Value *, 4> operands;
  for (unsigned index = 0; index < rule.operand_count(); ++index)
    operands.push_back(primal(*rule.operand(index)));
  IRBuilderBase::FastMathFlagGuard guard(builder_);
  if (isa<FPMathOperator>(original))
    builder_.setFastMathFlags(original.getFastMathFlags());
  Lanes sums(request_.width, nullptr); // null: no operand has a tangent yet
  for (unsigned index = 0; index < rule.operand_count(); ++index) {
    Value &operand = *rule.operand(index);
    if (!rule.has_partial(index) || !is_shadowed(operand))
      continue;
    const auto terms = rule.emit_products(builder_, index, operands, primal(original), lanes(operand),
                                          zero_times_infinity(request_.options));
    for (auto [sum, term] : zip(sums, terms))
      sum = sum ? add_tangents(*sum, *term) : term;
  }
  for (Value *&sum : sums)
    if (!sum)
      sum = Constant::getNullValue(original.getType());
  set_lanes(original, sums);
}

/// Operations on the sign bit of a float that is held as an integer: |x|, -|x| and -x.
/// The tangent of |x| is x' with the sign of x applied to it, hence t ^ (x & sign).
bool ForwardEmitter::emit_sign_bit(BinaryOperator &original) {
  using namespace PatternMatch;
  const BasicType type = types_.of(original);
  const unsigned bits = original.getType()->getScalarSizeInBits();
  if (type.kind == ByteKind::floating && type.floating->getPrimitiveSizeInBits() != bits)
    return false;
  const APInt sign = APInt::getSignMask(bits);
  const APInt *constant = nullptr;
  Value *value = nullptr;
  const bool clears = match(&original, m_And(m_Value(value), m_APInt(constant))) && *constant == ~sign;
  const bool sets = !clears && match(&original, m_Or(m_Value(value), m_APInt(constant))) && *constant == sign;
  if (!clears && !sets)
    return false;
  Value *mask = ConstantInt::get(original.getType(), sign);
  Value *flip = builder_.CreateAnd(primal(*value), mask);
  if (sets)
    flip = builder_.CreateXor(flip, mask);
  Lanes values;
  for (Value *tangent : lanes(*value))
    values.push_back(builder_.CreateXor(tangent, flip));
  set_lanes(original, values);
  return true;
}

Error ForwardEmitter::emit_address(BinaryOperator &original) {
  const auto has_lanes = [&](Value &operand) { return is_shadowed(operand) && activity_.has_shadow(operand); };
  if (Error unknown =
          check_arithmetic(original, has_lanes(*original.getOperand(0)), has_lanes(*original.getOperand(1))))
    return unknown;
  const auto lanes_of = [&](Value &operand) {
    return has_lanes(operand) ? lanes(operand) : Lanes(request_.width, nullptr);
  };
  auto &computed = cast<BinaryOperator>(*primal(original));
  Lanes values;
  for (auto [left, right] : zip_equal(lanes_of(*original.getOperand(0)), lanes_of(*original.getOperand(1))))
    values.push_back(left || right ? shadow_of_arithmetic(builder_, computed, left, right) : &computed);
  set_lanes(original, values);
  return Error::success();
}

/// Integers that carry floats: bits may be moved, combined and masked.
Error ForwardEmitter::emit_bits(BinaryOperator &original) {
  if (!activity_.carries_derivative(original)) {
    return emit_address(original);
  }
  switch (original.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
    if (emit_sign_bit(original))
      return Error::success();
    break;
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
    break;
  default:
    return unsupported(original, "integer arithmetic on the bits of a floating-point value with a derivative",
                       "write it as floating-point arithmetic, or register a derivative for the function");
  }
  Lanes values;
  Value &left = *original.getOperand(0), &right = *original.getOperand(1);
  const Lanes left_lanes = lanes(left);
  const bool shifts = original.isShift();
  const Lanes right_lanes = shifts ? Lanes(request_.width, primal(right)) : lanes(right);
  for (unsigned lane = 0; lane < request_.width; ++lane)
    values.push_back(builder_.CreateBinOp(original.getOpcode(), left_lanes[lane], right_lanes[lane]));
  set_lanes(original, values);
  return Error::success();
}

} // namespace assay::engine
