#include "core/engine/emit/atomic_adjoint.hpp"
#include "core/engine/analysis/atomic_choice.hpp"
#include "core/engine/emit/device_choices.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

const Value *pointer_of(const Instruction &update) {
  const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&update);
  return exchange ? exchange->getPointerOperand() : cast<AtomicRMWInst>(update).getPointerOperand();
}

const Value *stored_by(const Instruction &update) {
  const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&update);
  return exchange ? exchange->getNewValOperand() : cast<AtomicRMWInst>(update).getValOperand();
}

bool carries_derivative(const ForwardSweep &sweep, const Value &value) {
  return !isa<Constant>(value) && sweep.activity.carries_derivative(value);
}

bool updates_numbers(const ForwardSweep &sweep, const Instruction &update) {
  const Value &stored = *stored_by(update);
  return stored.getType()->isFPOrFPVectorTy() || sweep.types.of(stored).kind == ByteKind::floating ||
         sweep.types.of(update).kind == ByteKind::floating || carries_derivative(sweep, stored);
}

bool is_exchange_of_numbers(const Instruction &update) {
  const auto *exchange = dyn_cast<AtomicRMWInst>(&update);
  return exchange && exchange->getOperation() == AtomicRMWInst::Xchg && exchange->getType()->isFloatingPointTy() &&
         is_device_code(update);
}

bool is_sum(const Instruction &update) {
  const auto *sum = dyn_cast<AtomicRMWInst>(&update);
  return sum && is_contained({AtomicRMWInst::FAdd, AtomicRMWInst::FSub}, sum->getOperation());
}

/// The final number has to be there in the reverse sweep: no other thread may still be in its forward sweep, and
/// nothing may have overwritten it.
Error check_choice(const ForwardSweep &sweep, const Instruction &update) {
  if (const Instruction *user =
          active_user_of_found(update, [&](const Instruction &value) { return carries_derivative(sweep, value); }))
    return unsupported(*user,
                       "the old value of an atomic update takes part in the derivative: it depends on the order of "
                       "the threads",
                       "use the value that all threads find behind a barrier");
  const bool has_launches_of_their_own = sweep.split && sweep.request.caller == Caller::program;
  if (!is_in_shared_memory(*pointer_of(update)) && !has_launches_of_their_own)
    return unsupported(update,
                       "the adjoint of an atomic maximum, minimum or swap in global memory needs the final number, "
                       "which other blocks may not have written yet",
                       "use the split form with a launch for each sweep, or reduce in shared memory");
  if (later_writer(update))
    return unsupported(update,
                       "the place of an atomic maximum, minimum or swap is written again later: its adjoint needs the "
                       "final number",
                       "use another place behind the barrier");
  return Error::success();
}

Error check(const ForwardSweep &sweep, const Instruction &update) {
  if (is_exchange_of_numbers(update))
    return Error::success();
  if (chosen_number(update))
    return check_choice(sweep, update);
  if (!is_sum(update))
    return unsupported(update,
                       "an atomic update of active memory that is neither a sum, a maximum, a minimum nor an exchange: "
                       "its adjoint depends on the order of the threads",
                       "use an atomic addition, or reduce through shared memory or shuffles");
  if (is_device_code(update) && carries_derivative(sweep, update))
    return unsupported(
        update, "the old value of an atomic sum takes part in the derivative: it depends on the order of the threads",
        "use the value that all threads find behind a barrier");
  return Error::success();
}

} // namespace

bool has_atomic_adjoint(const ForwardSweep &sweep, const Instruction &update) {
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(update) && sweep.activity.has_shadow(*pointer_of(update)) &&
         updates_numbers(sweep, update);
}

Error atomic_needs(ForwardSweep &sweep, const Instruction &update, function_ref<void(Value *)> need) {
  if (Error error = check(sweep, update))
    return error;
  Expected<Lanes> shadow = shadow_of(sweep, pointer_of(update), update);
  if (!shadow)
    return shadow.takeError();
  for (Value *lane : *shadow)
    need(lane);
  if (!is_sum(update) && !is_exchange_of_numbers(update)) {
    need(sweep.primal(pointer_of(update)));
    need(sweep.primal(chosen_number(update)));
  }
  return Error::success();
}

static void emit_sum(ReverseEmitter &emitter, const AtomicRMWInst &sum, unsigned lane, Value *shadow) {
  const Value *added = sum.getValOperand();
  IRBuilder<> &builder = emitter.builder();
  LoadInst *adjoint = builder.CreateAlignedLoad(added->getType(), shadow, sum.getAlign());
  emitter.sweep().shadow_accesses.insert(adjoint);
  if (carries_derivative(emitter.sweep(), *added))
    emitter.add_adjoint(added, lane, sum.getOperation() == AtomicRMWInst::FSub ? builder.CreateFNeg(adjoint) : adjoint);
  if (!carries_derivative(emitter.sweep(), sum))
    return;
  Value *total = builder.CreateFAdd(adjoint, emitter.take_adjoint(&sum, lane));
  emitter.sweep().shadow_accesses.insert(builder.CreateAlignedStore(total, shadow, sum.getAlign()));
}

static void emit_exchange(ReverseEmitter &emitter, const AtomicRMWInst &exchange, unsigned lane, Value *shadow) {
  IRBuilder<> &builder = emitter.builder();
  Value *of_old = carries_derivative(emitter.sweep(), exchange) ? emitter.take_adjoint(&exchange, lane)
                                                                : Constant::getNullValue(exchange.getType());
  Value *taken = exchange_number(builder, shadow, of_old);
  if (carries_derivative(emitter.sweep(), *exchange.getValOperand()))
    emitter.add_adjoint(exchange.getValOperand(), lane, taken);
}

static void emit_choice(ReverseEmitter &emitter, const Instruction &update, unsigned lane, Value *shadow) {
  const Value *number = chosen_number(update);
  Value *taken = take_if_chosen(emitter.builder(), emitter.lookup_primal(pointer_of(update)), shadow,
                                emitter.lookup_primal(number));
  if (carries_derivative(emitter.sweep(), *number))
    emitter.add_adjoint(number, lane, taken);
}

Error emit_atomic_adjoint(ReverseEmitter &emitter, const Instruction &update) {
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Expected<Value *> shadow = emitter.lookup_shadow(pointer_of(update), lane, update);
    if (!shadow)
      return shadow.takeError();
    if (is_sum(update))
      emit_sum(emitter, cast<AtomicRMWInst>(update), lane, *shadow);
    else if (is_exchange_of_numbers(update))
      emit_exchange(emitter, cast<AtomicRMWInst>(update), lane, *shadow);
    else
      emit_choice(emitter, update, lane, *shadow);
  }
  return Error::success();
}

} // namespace assay::engine
