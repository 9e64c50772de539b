#include "core/engine/emit/address_log.hpp"
#include "core/engine/rules/deferred_free_calls.hpp"
#include "core/engine/support/library_bodies.hpp"

using namespace llvm;

namespace assay::engine {

static CallInst *call(IRBuilderBase &builder, StringRef name, ArrayRef<Value *> arguments) {
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(library_helper(module, (list_prefix + name).str()), arguments);
}

bool keeps_address_log(const ForwardSweep &sweep) {
  return sweep.engine.function_info().keeps_address_log();
}

void note_address_change(ForwardSweep &sweep, IRBuilderBase &builder, Value *place, Value *bytes, Beside beside) {
  if (keeps_address_log(sweep))
    call(builder, address_note_name,
         {sweep.deferred_frees(), place, bytes, builder.getInt1(beside == Beside::numbers)});
}

void note_address_store(ForwardSweep &sweep, const StoreInst &store, Value *place) {
  if (!keeps_address_log(sweep))
    return;
  auto *primal = cast<StoreInst>(sweep.primal(&store));
  IRBuilder<> builder(primal);
  const TypeSize bytes = store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  const bool holds_numbers = sweep.types.is_number_or_address(*store.getPointerOperand());
  note_address_change(sweep, builder,
                      unless_own_shadow(sweep, builder, place, primal->getPointerOperand(),
                                        Constant::getNullValue(place->getType()), place),
                      builder.getInt64(bytes.getFixedValue()), holds_numbers ? Beside::numbers : Beside::nothing);
}

Error note_shadows_of_change(ForwardSweep &sweep, const CallBase &note) {
  const Value *place = note.getArgOperand(1);
  if (isa<Constant>(place) || !sweep.activity.has_shadow(*place))
    return Error::success();
  Expected<Lanes> shadow = shadow_of(sweep, place, note);
  if (!shadow)
    return shadow.takeError();
  auto *primal = cast<CallBase>(sweep.primal(&note));
  for (Value *lane : *shadow) {
    auto *copy = cast<CallBase>(primal->clone());
    copy->setArgOperand(1, lane);
    copy->insertBefore(primal->getIterator());
  }
  return Error::success();
}

LogPosition note_log_position(ForwardSweep &sweep, IRBuilderBase &builder) {
  if (!keeps_address_log(sweep))
    return {};
  Value *list = sweep.deferred_frees();
  return {list, call(builder, "addresses.position", {list})};
}

void seek_log(IRBuilderBase &builder, Value *list, Value *changes) {
  call(builder, "addresses.seek", {list, changes});
}

void finish_log(IRBuilderBase &builder, Value *list) {
  call(builder, "addresses.finish", {list});
}

Value *begin_log(IRBuilderBase &builder, Value *list) {
  return call(builder, "addresses.begin", {list});
}

} // namespace assay::engine
