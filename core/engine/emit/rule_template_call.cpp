#include "core/engine/emit/rule_template_call.hpp"
#include "core/engine/emit/address_log.hpp"
#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/emit/unwind_cleanup.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// The arguments of an instance up to its shadows.
Expected<SmallVector<Value *, 8>> passed(ForwardSweep &sweep, const CallBase &call, const RuleUse &use) {
  SmallVector<Value *, 8> arguments;
  for (const Use &argument : call.args())
    arguments.push_back(sweep.primal(argument.get()));
  for (auto [index, shadow] : enumerate(use.shadows)) {
    if (shadow != RuleUse::Shadow::passed)
      continue;
    Expected<Lanes> lanes = shadow_of(sweep, call.getArgOperand(unsigned(index)), call);
    if (!lanes)
      return lanes.takeError();
    arguments.append(lanes->begin(), lanes->end());
  }
  return arguments;
}

struct Placed {
  CallBase *call = nullptr; ///< Null where the instance's instructions were written in place.
  SmallVector<Value *, 8> results;
};

Placed place(const RuleInstance &instance, CallBase &old_call, ArrayRef<Value *> arguments) {
  IRBuilder<> builder(&old_call);
  if (instance.is_straight && !isa<InvokeInst>(old_call))
    return {nullptr, place_straight(instance, builder, arguments)};
  Placed placed;
  if (auto *invoke = dyn_cast<InvokeInst>(&old_call))
    placed.call = builder.CreateInvoke(instance.function, invoke->getNormalDest(), invoke->getUnwindDest(), arguments);
  else
    placed.call = builder.CreateCall(instance.function, arguments);
  placed.call->setDebugLoc(old_call.getDebugLoc());
  builder.SetInsertPoint(&**placed.call->getInsertionPointAfterDef());
  for (unsigned index = 0; index < placed.call->getType()->getStructNumElements(); ++index)
    placed.results.push_back(builder.CreateExtractValue(placed.call, index));
  return placed;
}

} // namespace

Error augment_by_template(ForwardSweep &sweep, const CallBase &call, const CallPlan &plan) {
  const RuleUse &use = plan.use;
  Expected<SmallVector<Value *, 8>> arguments = passed(sweep, call, use);
  if (!arguments)
    return arguments.takeError();

  auto *old_call = cast<CallBase>(sweep.primal(&call));
  const Placed placed = place(plan.augmented_instance, *old_call, *arguments);
  ArrayRef<Value *> results(placed.results);
  Value *primal = nullptr;
  if (!call.getType()->isVoidTy()) {
    primal = results.front();
    results = results.drop_front();
  }
  if (use.needs_shadow && !use.rule->returns_in_memory()) {
    sweep.shadows[&call] = Lanes(results.take_front(sweep.width));
    results = results.drop_front(sweep.width);
  }
  if (use.rule->release) { // The tape is a pointer; behind an invoke it is known in the normal destination alone.
    auto &tape = *cast<Instruction>(results.front());
    IRBuilder<> builder(tape.getParent(), *tape.getInsertionPointAfterDef());
    add_unwind_cleanup(sweep, builder, results.front(), *use.rule->release);
  }
  AugmentedCall record;
  if (use.rule->leads_to_others) {
    IRBuilder<> builder(placed.call ? &**placed.call->getInsertionPointAfterDef() : old_call);
    record.log_position = note_log_position(sweep, builder);
  }
  record.call = placed.call;
  record.rule_use = use;
  record.reverse = plan.reverse_instance.function;
  record.takes_seed = !call.getType()->isVoidTy() && use.result != Activity::constant;
  record.reverse_arguments = *arguments;
  append_range(record.reverse_arguments, results);
  for (auto [index, argument] : enumerate(record.reverse_arguments))
    if (!plan.kept_arguments.test(unsigned(index)))
      argument = nullptr; // the rule does not read it
  if (primal)
    old_call->replaceAllUsesWith(primal);
  if (primal && isa<Instruction>(primal) && !primal->hasName())
    primal->takeName(old_call);
  old_call->eraseFromParent();
  sweep.map[&call] = primal;
  sweep.calls[&call] = std::move(record);
  return Error::success();
}

Error emit_template_reverse(ReverseEmitter &emitter, const CallBase &call, const AugmentedCall &record) {
  IRBuilder<> &builder = emitter.builder();
  const RuleUse &use = *record.rule_use;
  FunctionType *type = record.reverse->getFunctionType();
  SmallVector<Value *, 8> arguments;
  for (Value *argument : record.reverse_arguments)
    arguments.push_back(argument ? emitter.lookup(argument) : PoisonValue::get(type->getParamType(arguments.size())));
  const bool is_seeded = record.takes_seed && emitter.sweep().activity.carries_derivative(call);
  for (unsigned lane = 0; record.takes_seed && lane < emitter.width(); ++lane)
    arguments.push_back(is_seeded ? emitter.take_adjoint(&call, lane) : Constant::getNullValue(call.getType()));
  if (const LogPosition &position = record.log_position; position.list)
    seek_log(builder, emitter.lookup(position.list), emitter.lookup(position.changes));
  SmallVector<Value *, 8> results;
  const RuleInstance &instance = emitter.sweep().call_plans.calls.find(&call)->second.reverse_instance;
  if (instance.is_straight) {
    results = place_straight(instance, builder, arguments);
  } else {
    CallInst *made = builder.CreateCall(record.reverse, arguments);
    for (unsigned index = 0; index < made->getType()->getStructNumElements(); ++index)
      results.push_back(builder.CreateExtractValue(made, index));
  }
  unsigned next = 0;
  for (auto [index, shadow] : enumerate(use.shadows)) {
    if (shadow != RuleUse::Shadow::returned)
      continue;
    const Value *argument = call.getArgOperand(unsigned(index));
    const bool is_wanted = !isa<Constant>(argument) && emitter.sweep().activity.carries_derivative(*argument);
    for (unsigned lane = 0; lane < emitter.width(); ++lane, ++next)
      if (is_wanted)
        emitter.add_adjoint(argument, lane, results[next]);
  }
  return Error::success();
}

} // namespace assay::engine
