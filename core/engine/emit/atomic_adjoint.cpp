#include "core/engine/emit/atomic_adjoint.hpp"
#include "core/engine/emit/device_choices.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

using Form = AtomicUpdate::Form;

bool carries_derivative(const ForwardSweep &sweep, const Value &value) {
  return !isa<Constant>(value) && sweep.activity.carries_derivative(value);
}

void emit_sum(ReverseEmitter &emitter, const AtomicRMWInst &sum, const AtomicUpdate &update, unsigned lane,
              Value *shadow) {
  IRBuilder<> &builder = emitter.builder();
  LoadInst *adjoint = builder.CreateAlignedLoad(update.number->getType(), shadow, sum.getAlign());
  emitter.sweep().shadow_accesses.insert(adjoint);
  if (carries_derivative(emitter.sweep(), *update.number))
    emitter.add_adjoint(update.number, lane, update.form == Form::difference ? builder.CreateFNeg(adjoint) : adjoint);
  if (!carries_derivative(emitter.sweep(), sum))
    return;
  Value *total = builder.CreateFAdd(adjoint, emitter.take_adjoint(&sum, lane));
  emitter.sweep().shadow_accesses.insert(builder.CreateAlignedStore(total, shadow, sum.getAlign()));
}

void emit_exchange(ReverseEmitter &emitter, const Instruction &exchange, const AtomicUpdate &update, unsigned lane,
                   Value *shadow) {
  Value *of_old = carries_derivative(emitter.sweep(), exchange) ? emitter.take_adjoint(&exchange, lane)
                                                                : Constant::getNullValue(exchange.getType());
  Value *taken = exchange_number(emitter.builder(), shadow, of_old);
  if (carries_derivative(emitter.sweep(), *update.number))
    emitter.add_adjoint(update.number, lane, taken);
}

void emit_choice(ReverseEmitter &emitter, const AtomicUpdate &update, unsigned lane, Value *shadow) {
  Value *taken = take_if_chosen(emitter.builder(), emitter.lookup_primal(update.place), shadow,
                                emitter.lookup_primal(update.number));
  if (carries_derivative(emitter.sweep(), *update.number))
    emitter.add_adjoint(update.number, lane, taken);
}

} // namespace

Error atomic_needs(ForwardSweep &sweep, const Instruction &instruction, const AtomicUpdate &update,
                   function_ref<void(Value *)> need) {
  Expected<Lanes> shadow = shadow_of(sweep, update.place, instruction);
  if (!shadow)
    return shadow.takeError();
  for (Value *lane : *shadow)
    need(lane);
  if (update.form == Form::choice) {
    need(sweep.primal(update.place));
    need(sweep.primal(update.number));
  }
  return Error::success();
}

Error emit_atomic_adjoint(ReverseEmitter &emitter, const Instruction &instruction, const AtomicUpdate &update) {
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Expected<Value *> shadow = emitter.lookup_shadow(update.place, lane, instruction);
    if (!shadow)
      return shadow.takeError();
    switch (update.form) {
    case Form::sum:
    case Form::difference:
      emit_sum(emitter, cast<AtomicRMWInst>(instruction), update, lane, *shadow);
      break;
    case Form::exchange:
      emit_exchange(emitter, instruction, update, lane, *shadow);
      break;
    case Form::choice:
      emit_choice(emitter, update, lane, *shadow);
      break;
    }
  }
  return Error::success();
}

} // namespace assay::engine
