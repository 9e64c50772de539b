// Values of the forward sweep in the reverse sweep: from the tape, from the iteration, or computed again.
#include "core/engine/emit/reverse_emitter.hpp"

using namespace llvm;

namespace assay::engine {

Expected<Value *> ReverseEmitter::lookup_shadow(const Value *prepared_value, unsigned lane, const Instruction &user) {
  Expected<Lanes> shadow = shadow_of(sweep_, prepared_value, user);
  if (!shadow)
    return shadow.takeError();
  return lookup((*shadow)[lane]);
}

Value *ReverseEmitter::lookup(Value *value) {
  return lookup_at(value, {builder_, loop_});
}

Value *ReverseEmitter::lookup_check(unsigned check) {
  if (!plan_.overlap_checks[check].is_kept)
    return checks_[check];
  return tape_.read(builder_, *checks_[check], [&](const Loop &loop) { return iteration_of(builder_, loop); });
}

Value *ReverseEmitter::lookup_argument(Argument &argument) const {
  if (!sweep_.split)
    return &argument;
  // Both halves take the primal arguments and their shadows first and in the same order.
  return reverse_.getArg(argument.getArgNo());
}

Value *ReverseEmitter::iteration_of(IRBuilder<> &builder, const Loop &loop) {
  return builder.CreateLoad(builder.getInt64Ty(), iteration_slot(loop), "iteration");
}

/// A value of an outer loop that is read in an inner one is fetched once, on the way into the inner loop's reverse.
Value *ReverseEmitter::lookup_at(Value *value, Place place) {
  if (auto *argument = dyn_cast<Argument>(value))
    return lookup_argument(*argument);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return value;
  if (Value *address = tape_.frame_address(*instruction))
    return address;
  auto storage = plan_.storage.find(instruction);
  if (storage == plan_.storage.end()) {
    if (!missing_)
      missing_ = instruction;
    return PoisonValue::get(instruction->getType());
  }
  if (storage->second == Storage::direct)
    return instruction;

  const Loop *home = loops_.getLoopFor(instruction->getParent());
  SmallVector<const Loop *, 4> between;
  for (const Loop *loop = place.loop; loop && loop != home; loop = loop->getParentLoop())
    between.push_back(loop);
  for (const Loop *loop : reverse(between))
    if (BasicBlock *entry = loop_entries_.lookup(loop); entry && entry->getTerminator()) {
      IRBuilder<> early(entry->getTerminator());
      early.SetCurrentDebugLocation(place.builder.getCurrentDebugLocation());
      return materialise(*instruction, {early, loop->getParentLoop()});
    }
  return materialise(*instruction, place);
}

Value *ReverseEmitter::materialise(Instruction &value, Place place) {
  const auto key = std::pair<const Value *, const BasicBlock *>(&value, place.builder.GetInsertBlock());
  if (Value *known = looked_up_.lookup(key))
    return known;
  Value *result = nullptr;
  switch (plan_.storage.at(&value)) {
  case Storage::tape:
    result = tape_.read(place.builder, value, [&](const Loop &loop) { return iteration_of(place.builder, loop); });
    break;
  case Storage::iteration:
    // Not remembered: within one reverse block the counter may step.
    return iteration_of(place.builder, *loops_.getLoopFor(value.getParent()));
  case Storage::closed_form:
    result = closed_form(cast<PHINode>(value), place);
    break;
  case Storage::recompute:
    result = recompute(value, place);
    break;
  case Storage::direct:
  case Storage::frame:
    llvm_unreachable("needs no code");
  }
  looked_up_[key] = result;
  return result;
}

/// `start`, doubled or halved as often as the iteration says.
static Value *geometric_form(IRBuilder<> &builder, const ClosedForm &form, Value *start, Value *iteration) {
  using Kind = ClosedForm::Kind;
  Type *type = start->getType();
  const unsigned bits = type->getIntegerBitWidth();
  Value *amount = builder.CreateMul(iteration, builder.getInt64(cast<ConstantInt>(form.step)->getZExtValue()));
  const auto at_most = [&](unsigned most) {
    return builder.CreateZExtOrTrunc(builder.CreateBinaryIntrinsic(Intrinsic::umin, amount, builder.getInt64(most)),
                                     type);
  };
  if (form.kind == Kind::sign_shift)
    return builder.CreateAShr(start, at_most(bits - 1));
  Value *vanishes = builder.CreateICmpUGE(amount, builder.getInt64(bits));
  const auto unless_vanished = [&](Value *shifted) {
    return builder.CreateSelect(vanishes, Constant::getNullValue(type), shifted);
  };
  if (form.kind == Kind::left_shift)
    return unless_vanished(builder.CreateShl(start, at_most(bits - 1)));
  if (form.kind == Kind::right_shift)
    return unless_vanished(builder.CreateLShr(start, at_most(bits - 1)));
  Value *is_negative = builder.CreateICmpSLT(start, Constant::getNullValue(type));
  Value *magnitude = builder.CreateSelect(is_negative, builder.CreateNeg(start), start);
  Value *quotient = unless_vanished(builder.CreateLShr(magnitude, at_most(bits - 1)));
  return builder.CreateSelect(is_negative, builder.CreateNeg(quotient), quotient);
}

Value *ReverseEmitter::closed_form(PHINode &phi, Place place) {
  const ClosedForm &form = control_.closed_forms.at(&phi);
  Value *start = lookup_at(form.start, place);
  if (form.kind != ClosedForm::Kind::sum)
    return geometric_form(place.builder, form, start, iteration_of(place.builder, *form.loop));
  Value *step = lookup_at(form.step, place);
  Value *iteration = iteration_of(place.builder, *form.loop);
  iteration = place.builder.CreateZExtOrTrunc(iteration, step->getType());
  Value *distance = place.builder.CreateMul(iteration, step);
  if (phi.getType()->isPointerTy())
    return place.builder.CreatePtrAdd(start, distance, phi.getName());
  return place.builder.CreateAdd(start, place.builder.CreateZExtOrTrunc(distance, phi.getType()), phi.getName());
}

Value *ReverseEmitter::recompute(Instruction &value, Place place) {
  if (auto *phi = dyn_cast<PHINode>(&value))
    return lookup_at(phi->getIncomingValue(0), place);
  SmallVector<Value *, 4> operands;
  for (Value *operand : value.operand_values())
    operands.push_back(lookup_at(operand, place));
  Instruction *copy = value.clone();
  for (unsigned index = 0; index < operands.size(); ++index)
    copy->setOperand(index, operands[index]);
  copy->setDebugLoc(here(value.getDebugLoc()));
  if (!isa<CallBase>(copy)) // remarks about a call name its location
    copy->dropLocation();
  place.builder.Insert(copy, value.getName());
  if (sweep_.shadow_accesses.contains(&value))
    sweep_.shadow_accesses.insert(copy);
  return copy;
}

} // namespace assay::engine
