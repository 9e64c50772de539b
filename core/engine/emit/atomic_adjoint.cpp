#include "core/engine/emit/atomic_adjoint.hpp"
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

Error check(const ForwardSweep &sweep, const Instruction &update) {
  const auto *update_in_place = dyn_cast<AtomicRMWInst>(&update);
  const auto operation = update_in_place ? update_in_place->getOperation() : AtomicRMWInst::BAD_BINOP;
  if (operation != AtomicRMWInst::FAdd && operation != AtomicRMWInst::FSub)
    return unsupported(
        update, "an atomic update of active memory that is no sum: its adjoint depends on the order of the threads",
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
  return Error::success();
}

Error emit_atomic_adjoint(ReverseEmitter &emitter, const Instruction &update) {
  const auto &sum = cast<AtomicRMWInst>(update);
  const Value *added = sum.getValOperand();
  IRBuilder<> &builder = emitter.builder();
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Expected<Value *> shadow = emitter.lookup_shadow(sum.getPointerOperand(), lane, update);
    if (!shadow)
      return shadow.takeError();
    LoadInst *adjoint = builder.CreateAlignedLoad(added->getType(), *shadow, sum.getAlign());
    emitter.sweep().shadow_accesses.insert(adjoint);
    if (carries_derivative(emitter.sweep(), *added))
      emitter.add_adjoint(added, lane,
                          sum.getOperation() == AtomicRMWInst::FSub ? builder.CreateFNeg(adjoint) : adjoint);
    if (!carries_derivative(emitter.sweep(), update))
      continue;
    Value *total = builder.CreateFAdd(adjoint, emitter.take_adjoint(&update, lane));
    emitter.sweep().shadow_accesses.insert(builder.CreateAlignedStore(total, *shadow, sum.getAlign()));
  }
  return Error::success();
}

} // namespace assay::engine
