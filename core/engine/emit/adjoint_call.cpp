#include "core/engine/emit/adjoint_call.hpp"
#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/emit/rule_template_call.hpp"
#include "core/engine/support/diagnostics.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// Every scalar and vector in `value`, in memory order.
void flatten(IRBuilder<> &builder, Value *value, SmallVectorImpl<Value *> &parts) {
  Type *type = value->getType();
  if (!type->isAggregateType()) {
    parts.push_back(value);
    return;
  }
  const unsigned count = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned index = 0; index < count; ++index)
    flatten(builder, builder.CreateExtractValue(value, index), parts);
}

/// Every floating-point scalar in `value`, in memory order: gradients come back packed in whatever the C ABI makes of a
/// struct.
void flatten_floats(IRBuilder<> &builder, Value *value, SmallVectorImpl<Value *> &scalars) {
  SmallVector<Value *, 4> parts;
  flatten(builder, value, parts);
  for (Value *part : parts) {
    auto *vector = dyn_cast<FixedVectorType>(part->getType());
    if (part->getType()->isFloatingPointTy())
      scalars.push_back(part);
    else if (vector && vector->getElementType()->isFloatingPointTy())
      for (unsigned index = 0; index < vector->getNumElements(); ++index)
        scalars.push_back(builder.CreateExtractElement(part, index));
  }
}

/// As the rule takes it: a struct by value is spread over several parameters, or lies in memory of the caller.
void append_tape(IRBuilder<> &builder, const Function &rule, Value *tape, SmallVectorImpl<Value *> &arguments) {
  const unsigned position = arguments.size();
  if (rule.arg_size() > position + 1) {
    flatten(builder, tape, arguments);
  } else if (rule.arg_size() > position && rule.getArg(position)->hasByValAttr() && !tape->getType()->isPointerTy()) {
    BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
    Value *memory = IRBuilder<>(&entry, entry.begin()).CreateAlloca(tape->getType(), nullptr, "tape");
    builder.CreateStore(tape, memory);
    arguments.push_back(memory);
  } else {
    arguments.push_back(tape);
  }
}

Expected<CallInst *> call_rule(ReverseEmitter &emitter, const CallBase &call, const AugmentedCall &record,
                               unsigned index) {
  const RuleLane &lane = record.rule_lanes[index];
  SmallVector<Value *, 8> arguments;
  for (Value *argument : lane.arguments)
    arguments.push_back(emitter.lookup(argument));
  Value *adjoint = nullptr;
  if (record.takes_seed)
    adjoint = emitter.sweep().activity.carries_derivative(call) ? emitter.take_adjoint(&call, index)
                                                                : Constant::getNullValue(call.getType());
  if (record.takes_seed)
    arguments.push_back(adjoint);
  if (lane.tape)
    append_tape(emitter.builder(), *record.reverse, emitter.lookup(lane.tape), arguments);
  FunctionType *type = record.reverse->getFunctionType();
  for (unsigned parameter = 0; parameter < arguments.size(); ++parameter)
    if (arguments[parameter]->getType() != type->getParamType(parameter))
      return unsupported(call,
                         "the registered reverse rule '" + source_name(*record.reverse) +
                             "' has another type at parameter " + Twine(parameter + 1),
                         "see the convention of __enzyme_register_gradient");
  const bool keeps = record.keeping_reverse && index + 1 < record.rule_lanes.size();
  CallInst *result = emitter.builder().CreateCall(type, keeps ? record.keeping_reverse : record.reverse, arguments);
  result->setCallingConv(record.reverse->getCallingConv());
  for (unsigned parameter = 0; parameter < arguments.size(); ++parameter)
    if (const Type *object = record.reverse->getParamByValType(parameter))
      result->addParamAttr(parameter, Attribute::getWithByValType(call.getContext(), const_cast<Type *>(object)));
  return result;
}

Error emit_user_rule(ReverseEmitter &emitter, const CallBase &call, const AugmentedCall &record, unsigned lane) {
  Expected<CallInst *> result = call_rule(emitter, call, record, lane);
  if (!result)
    return result.takeError();
  SmallVector<Value *, 4> gradients;
  if (!(*result)->getType()->isVoidTy())
    flatten_floats(emitter.builder(), *result, gradients);
  unsigned next = 0;
  for (const Use &argument : call.args()) {
    if (!argument->getType()->isFPOrFPVectorTy())
      continue;
    auto *vector = dyn_cast<FixedVectorType>(argument->getType());
    const unsigned count = vector ? vector->getNumElements() : 1;
    if (gradients.size() - next < count)
      return unsupported(call,
                         "the registered reverse rule '" + source_name(*record.reverse) +
                             "' returns fewer gradients than there are scalar arguments",
                         "return one gradient for each floating-point argument, in order");
    Value *gradient = vector ? PoisonValue::get(vector) : gradients[next];
    for (unsigned index = 0; vector && index < count; ++index)
      gradient = emitter.builder().CreateInsertElement(gradient, gradients[next + index], index);
    next += count;
    if (!isa<Constant>(argument.get()) && emitter.sweep().activity.carries_derivative(*argument.get()))
      emitter.add_adjoint(argument.get(), lane, gradient);
  }
  return Error::success();
}

Error emit_engine_reverse(ReverseEmitter &emitter, const CallBase &call, const AugmentedCall &record) {
  IRBuilder<> &builder = emitter.builder();
  FunctionType *type = record.reverse->getFunctionType();
  SmallVector<Value *, 8> arguments;
  for (Value *argument : record.reverse_arguments)
    arguments.push_back(argument ? emitter.lookup(argument) : PoisonValue::get(type->getParamType(arguments.size())));
  if (record.takes_seed)
    for (unsigned lane = 0; lane < emitter.width(); ++lane) {
      Value *seed = emitter.take_adjoint(&call, lane);
      arguments.push_back(call.getType()->isIntegerTy() ? builder.CreateBitCast(seed, call.getType()) : seed);
    }
  arguments.push_back(record.tape ? emitter.lookup(record.tape) : PoisonValue::get(builder.getPtrTy()));
  CallInst *result = builder.CreateCall(type, record.reverse, arguments);

  unsigned next = 0;
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    if (record.activities[index] != Activity::active)
      continue;
    for (unsigned lane = 0; lane < emitter.width(); ++lane)
      emitter.add_adjoint(call.getArgOperand(index), lane, builder.CreateExtractValue(result, next++));
  }
  return Error::success();
}

Error emit_release(ReverseEmitter &emitter, const CallBase &allocation, const Release &release) {
  if (emitter.sweep().split && !emitter.sweep().request.options.free_tape)
    return Error::success(); // it belongs to the tape, which is read again
  SmallVector<Value *, 2> memory;
  for (Value *shadow : emitter.sweep().shadows.lookup(&allocation))
    memory.push_back(emitter.lookup(shadow));
  memory.push_back(emitter.lookup_primal(&allocation));
  Release here = release;
  for (Value *&other : here.others)
    other = emitter.lookup(other);
  for (Value *block : memory)
    emitter.builder().CreateCall(here.function, here.arguments(block));
  return Error::success();
}

} // namespace

bool has_call_adjoint(const ForwardSweep &sweep, const CallBase &call) {
  return sweep.calls.contains(&call) || sweep.deferred.contains(&call);
}

void call_needs(const ForwardSweep &sweep, const CallBase &call, function_ref<void(Value *)> need) {
  if (auto found = sweep.deferred.find(&call); found != sweep.deferred.end()) {
    need(sweep.primal(&call));
    for (Value *shadow : sweep.shadows.lookup(&call))
      need(shadow);
    for (Value *other : found->second.others)
      need(other);
    return;
  }
  const AugmentedCall &record = sweep.calls.find(&call)->second;
  for (Value *argument : record.reverse_arguments)
    if (argument)
      need(argument);
  if (record.tape)
    need(record.tape);
  if (record.log_position.list) {
    need(record.log_position.list);
    need(record.log_position.changes);
  }
  for (const RuleLane &lane : record.rule_lanes) {
    for_each(lane.arguments, need);
    if (lane.tape)
      need(lane.tape);
  }
}

Error emit_call_adjoint(ReverseEmitter &emitter, const CallBase &call) {
  const ForwardSweep &sweep = emitter.sweep();
  if (auto found = sweep.deferred.find(&call); found != sweep.deferred.end())
    return emit_release(emitter, call, found->second);
  const AugmentedCall &record = sweep.calls.find(&call)->second;
  if (record.rule_use)
    return emit_template_reverse(emitter, call, record);
  if (!record.by_user_rule)
    return emit_engine_reverse(emitter, call, record);
  for (unsigned lane = 0; lane < emitter.width(); ++lane)
    if (Error error = emit_user_rule(emitter, call, record, lane))
      return error;
  return Error::success();
}

} // namespace assay::engine
