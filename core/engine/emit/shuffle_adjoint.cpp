#include "core/engine/emit/shuffle_adjoint.hpp"
#include "core/engine/rules/shuffles.hpp"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned last_lane = 31;

/// Surely the same in all lanes that get here together: built from constants, also by a loop that counts.
bool is_uniform(const Value &value, SmallPtrSetImpl<const Value *> &seen) {
  if (isa<Constant>(value) || !seen.insert(&value).second)
    return true;
  const auto all_uniform = [&](const User &user) {
    return all_of(user.operand_values(), [&](const Value *operand) { return is_uniform(*operand, seen); });
  };
  if (const auto *phi = dyn_cast<PHINode>(&value)) {
    const DominatorTree dominators(*const_cast<Function *>(phi->getFunction()));
    const LoopInfo loops(dominators);
    return loops.isLoopHeader(phi->getParent()) && all_uniform(*phi);
  }
  return isa<BinaryOperator, CastInst>(value) && all_uniform(cast<User>(value));
}

bool is_uniform(const Value &value) {
  SmallPtrSet<const Value *, 8> seen;
  return is_uniform(value, seen);
}

/// The arithmetic of the instruction (PTX ISA, shfl.sync).
class ShuffleLanes {
public:
  ShuffleLanes(IRBuilder<> &builder, ShuffleKind kind, Value *distance, Value *bounds)
      : builder_(builder), kind_(kind), distance_(low_bits(distance)), clamp_(low_bits(bounds)),
        segment_(low_bits(builder.CreateLShr(bounds, 8))) {}

  Value *source(Value *lane) {
    Value *rest = builder_.CreateXor(segment_, builder_.getInt32(last_lane));
    Value *first = builder_.CreateAnd(lane, segment_);
    Value *limit = builder_.CreateOr(first, builder_.CreateAnd(clamp_, rest));
    Value *wanted = at_distance(lane, first, rest);
    Value *is_inside =
        kind_ == ShuffleKind::up ? builder_.CreateICmpSGE(wanted, limit) : builder_.CreateICmpSLE(wanted, limit);
    return builder_.CreateSelect(is_inside, wanted, lane);
  }

  /// The lane that the distance leads back to; may be outside of the warp.
  Value *back(Value *lane) {
    switch (kind_) {
    case ShuffleKind::up:
      return builder_.CreateAdd(lane, distance_);
    case ShuffleKind::down:
      return builder_.CreateSub(lane, distance_);
    default:
      return builder_.CreateXor(lane, distance_);
    }
  }

private:
  Value *low_bits(Value *value) { return builder_.CreateAnd(value, builder_.getInt32(last_lane)); }

  Value *at_distance(Value *lane, Value *first, Value *rest) {
    switch (kind_) {
    case ShuffleKind::index:
      return builder_.CreateOr(first, builder_.CreateAnd(distance_, rest));
    case ShuffleKind::up:
      return builder_.CreateSub(lane, distance_);
    case ShuffleKind::down:
      return builder_.CreateAdd(lane, distance_);
    case ShuffleKind::butterfly:
      return builder_.CreateXor(lane, distance_);
    }
    llvm_unreachable("unknown kind of shuffle");
  }

  IRBuilder<> &builder_;
  ShuffleKind kind_;
  Value *distance_, *clamp_, *segment_;
};

/// The adjoint of this lane, from two lanes at most.
Value *adjoint_at_distance(IRBuilder<> &builder, ShuffleLanes &lanes, Value *members, Value *adjoint) {
  Value *self = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  Value *other = lanes.back(self), *last = builder.getInt32(last_lane);
  Value *theirs = emit_shuffle(builder, ShuffleKind::index, {members, adjoint, builder.CreateAnd(other, last), last});
  Value *takes_part =
      builder.CreateTrunc(builder.CreateLShr(members, builder.CreateAnd(other, last)), builder.getInt1Ty());
  Value *conditions[] = {builder.CreateICmpULE(other, last), builder.CreateICmpNE(other, self), takes_part,
                         builder.CreateICmpEQ(lanes.source(other), self)};
  Value *zero = Constant::getNullValue(adjoint->getType());
  Value *from_other = builder.CreateSelect(builder.CreateAnd(conditions), theirs, zero);
  Value *from_self = builder.CreateSelect(builder.CreateICmpEQ(lanes.source(self), self), adjoint, zero);
  return builder.CreateFAdd(from_other, from_self);
}

} // namespace

bool has_shuffle_adjoint(const ForwardSweep &sweep, const Instruction &instruction) {
  return shuffle_of_numbers(instruction) && sweep.activity.carries_derivative(instruction);
}

void shuffle_needs(const ForwardSweep &sweep, const Instruction &shuffle, function_ref<void(Value *)> need) {
  const ShuffleOperands operands = shuffle_operands(cast<CallBase>(shuffle));
  for (Value *operand : {operands.members, operands.distance, operands.bounds})
    need(sweep.primal(operand));
}

void emit_shuffle_adjoint(ReverseEmitter &emitter, const Instruction &shuffle) {
  const ShuffleOperands operands = shuffle_operands(cast<CallBase>(shuffle));
  const ShuffleKind kind = *shuffle_of_numbers(shuffle);
  if (isa<Constant>(operands.value) || !emitter.sweep().activity.carries_derivative(*operands.value))
    return;
  IRBuilder<> &builder = emitter.builder();
  Value *members = emitter.lookup_primal(operands.members);
  ShuffleLanes lanes(builder, kind, emitter.lookup_primal(operands.distance), emitter.lookup_primal(operands.bounds));
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Value *adjoint = emitter.take_adjoint(&shuffle, lane);
    if (kind != ShuffleKind::index && is_uniform(*operands.distance) && isa<Constant>(operands.bounds)) {
      emitter.add_adjoint(operands.value, lane, adjoint_at_distance(builder, lanes, members, adjoint));
      continue;
    }
    Value *self = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
    emitter.add_adjoint(operands.value, lane, emit_gather_from_lanes(builder, members, adjoint, lanes.source(self)));
  }
}

} // namespace assay::engine
