#include "core/engine/emit/shadow_memory.hpp"
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/deferred_frees.hpp"
#include "core/engine/emit/memory_stack.hpp"
#include "core/engine/emit/unwind_cleanup.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/heap_shadows.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace assay::engine {

static bool is_from(const ForwardSweep &sweep, const CallBase &call, MemorySource source) {
  const auto found = sweep.memory.released_late.find(&call);
  return found != sweep.memory.released_late.end() && found->second == source;
}

static bool is_from_memory_stack(const ForwardSweep &sweep, const CallBase &call) {
  return is_from(sweep, call, MemorySource::memory_stack);
}

static Error several_other_arguments(const CallBase &call) {
  return unsupported(call, "a deallocator with several arguments besides the memory",
                     "register one that takes one more argument at most");
}

static void clear(CallBase &shadow, Value *bytes) {
  IRBuilder<> builder(shadow.getNextNode());
  builder.CreateMemSet(&shadow, builder.getInt8(0), bytes, shadow.getPointerAlignment(shadow.getDataLayout()));
}

static CallBase *copy_behind(CallBase &primal) {
  auto *shadow = cast<CallBase>(copy_for_shadow(primal));
  shadow->setName(primal.getName() + "'");
  shadow->insertAfter(primal.getIterator());
  return shadow;
}

static Value *stack_shadow(CallBase &primal) {
  CallBase *shadow = copy_behind(primal);
  clear(*shadow, primal.getArgOperand(0));
  return shadow;
}

static Value *heap_shadow(CallBase &primal, const MemoryCall &memory) {
  const bool is_zeroed = memory.action == MemoryAction::allocate_zeroed;
  Value *bytes = is_zeroed ? nullptr : primal.getArgOperand(memory.size.front());
  IRBuilder<> builder(primal.getNextNode());
  builder.SetCurrentDebugLocation(primal.getDebugLoc());
  if (CallInst *zeroed = is_zeroed || is_stack_memory(primal) ? nullptr : zeroed_shadow(builder, primal, bytes)) {
    zeroed->setName(primal.getName() + "'");
    return zeroed;
  }
  CallBase *shadow = copy_behind(primal);
  if (!is_zeroed)
    clear(*shadow, bytes);
  mark_shadow_allocation(*shadow);
  return shadow;
}

Error ShadowMemory::write_allocation(const CallBase &call, const MemoryCall &memory) {
  if (!isa<CallInst>(sweep_.primal(&call)))
    return unsupported(call, "an allocation that may throw was not simplified", "compile with -fno-exceptions");
  release_late(call);
  const bool is_on_stack = is_from_memory_stack(sweep_, call);
  auto *primal = cast<CallBase>(sweep_.primal(&call));
  Lanes lanes;
  for (unsigned lane = 0; lane < sweep_.width; ++lane)
    lanes.push_back(is_on_stack ? stack_shadow(*primal) : heap_shadow(*primal, memory));
  sweep_.shadows[&call] = std::move(lanes);
  if (is_from(sweep_, call, MemorySource::lasting_heap))
    return bury_from_the_start(call);
  return Error::success();
}

Error ShadowMemory::bury_from_the_start(const CallBase &call) {
  auto *primal = cast<CallBase>(sweep_.primal(&call));
  const Release release = release_of_allocation(*primal, sweep_.engine.function_info());
  Module &module = sweep_.engine.module();
  Function *thunk = release_thunk(module, release);
  if (!thunk)
    return several_other_arguments(call);
  SmallVector<Value *, 4> memory{primal};
  memory.append(sweep_.shadows[&call]);
  for (Value *block : memory) {
    IRBuilder<> builder(cast<Instruction>(block)->getNextNode());
    builder.CreateCall(bury_function(module), {sweep_.deferred_frees(), block, thunk, other_word(builder, release)});
  }
  return Error::success();
}

void ShadowMemory::release_late(const CallBase &call) {
  if (!sweep_.memory.released_late.contains(&call) || is_from(sweep_, call, MemorySource::lasting_heap))
    return;
  Module &module = sweep_.engine.module();
  auto *primal = cast<CallBase>(sweep_.primal(&call));
  if (!is_from_memory_stack(sweep_, call)) {
    sweep_.deferred[&call] = release_of_allocation(*primal, sweep_.engine.function_info());
    return;
  }
  IRBuilder<> builder(primal);
  const MemoryCall memory = classify_memory_call(call, sweep_.engine.function_info());
  Value *bytes = primal->getArgOperand(memory.size.front());
  for (const unsigned operand : drop_begin(memory.size))
    bytes = builder.CreateMul(bytes, primal->getArgOperand(operand));
  CallInst *taken = builder.CreateCall(stack_take_function(module), {bytes});
  taken->addRetAttr(Attribute::NoAlias);
  taken->addRetAttr(Attribute::NonNull);
  if (memory.action == MemoryAction::allocate_zeroed)
    builder.CreateMemSet(taken, builder.getInt8(0), bytes, taken->getPointerAlignment(primal->getDataLayout()));
  taken->takeName(primal);
  primal->replaceAllUsesWith(taken);
  primal->eraseFromParent();
  sweep_.map[&call] = taken;
  sweep_.deferred[&call] = Release{stack_give_function(module)};
}

bool ShadowMemory::may_be_from_memory_stack(const Value &memory) const {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&memory, objects, nullptr, 0);
  return any_of(objects, [&](const Value *object) {
    const auto *allocation = dyn_cast<CallBase>(object);
    return allocation && is_from_memory_stack(sweep_, *allocation);
  });
}

Error ShadowMemory::write_release(const CallBase &call, unsigned pointer) {
  if (sweep_.memory.left_out.contains(&call)) {
    add_unwind_cleanup(call, pointer);
    cast<CallBase>(sweep_.primal(&call))->eraseFromParent();
    return Error::success();
  }
  const bool is_of_row = sweep_.memory.deferred_rows.contains(&call);
  if (!is_of_row && !sweep_.memory.deferred_frees.contains(&call))
    return Error::success();
  Expected<Lanes> shadow = shadow_of(sweep_, call.getArgOperand(pointer), call);
  if (!shadow)
    return shadow.takeError();
  if (Error error = bury(call, pointer, *shadow, When::later))
    return error;
  if (is_of_row)
    bury_primal(call, pointer);
  return Error::success();
}

/// The row lasts as long as its shadows.
void ShadowMemory::bury_primal(const CallBase &call, unsigned pointer) {
  auto *primal = cast<CallBase>(sweep_.primal(&call));
  IRBuilder<> builder(primal);
  const Release release = same_release(*primal, sweep_.engine.function_info());
  Module &module = sweep_.engine.module();
  builder.CreateCall(bury_function(module), {sweep_.deferred_frees(), primal->getArgOperand(pointer),
                                             release_thunk(module, release), other_word(builder, release)});
  primal->eraseFromParent();
}

void ShadowMemory::add_unwind_cleanup(const CallBase &call, unsigned pointer) {
  if (may_be_from_memory_stack(*call.getArgOperand(pointer)))
    return; // it ends with the stack
  auto *primal = cast<CallBase>(sweep_.primal(&call));
  SmallVector<Value *, 2> memory{primal->getArgOperand(pointer)};
  if (Expected<Lanes> shadow = shadow_of(sweep_, call.getArgOperand(pointer), call))
    memory.append(shadow->begin(), shadow->end());
  else
    consumeError(shadow.takeError());
  note_unwind_cleanup(sweep_, *primal, *primal->getNextNode(), memory);
}

Error ShadowMemory::bury(const CallBase &call, unsigned pointer, const Lanes &shadow, When when) {
  auto *primal = cast<CallBase>(sweep_.primal(&call));
  IRBuilder<> builder(primal);
  const Release release = same_release(*primal, sweep_.engine.function_info());
  Function *thunk = release_thunk(sweep_.engine.module(), release);
  if (!thunk)
    return several_other_arguments(call);
  Value *other = other_word(builder, release);
  for (Value *lane : shadow) {
    // Memory without a derivative may be its own shadow; it is released once.
    Value *is_own = builder.CreateICmpEQ(lane, primal->getArgOperand(pointer));
    Value *due = builder.CreateSelect(is_own, Constant::getNullValue(lane->getType()), lane);
    if (when == When::now)
      builder.CreateCall(thunk, {due, other});
    else
      builder.CreateCall(bury_function(sweep_.engine.module()), {sweep_.deferred_frees(), due, thunk, other});
  }
  return Error::success();
}

Error ShadowMemory::bury_shadows(const CallBase &call) {
  const Value *memory = call.getArgOperand(1);
  if (isa<Constant>(memory) || !sweep_.activity.has_shadow(*memory))
    return Error::success();
  Expected<Lanes> shadow = shadow_of(sweep_, memory, call);
  if (!shadow)
    return shadow.takeError();
  auto *primal = cast<CallBase>(sweep_.primal(&call));
  IRBuilder<> builder(primal);
  for (Value *lane : *shadow) {
    Value *is_own = builder.CreateICmpEQ(lane, primal->getArgOperand(1));
    Value *due = builder.CreateSelect(is_own, Constant::getNullValue(lane->getType()), lane);
    builder.CreateCall(bury_function(sweep_.engine.module()),
                       {sweep_.deferred_frees(), due, primal->getArgOperand(2), primal->getArgOperand(3)});
  }
  return Error::success();
}

void ShadowMemory::keep_buried(const CallBase &call) {
  auto *primal = cast<CallBase>(sweep_.primal(&call));
  IRBuilder<> builder(primal);
  builder.CreateCall(move_buried_function(sweep_.engine.module()), {primal->getArgOperand(0), sweep_.deferred_frees()});
  primal->eraseFromParent();
}

void ShadowMemory::write_lost_release(const CallBase &call, unsigned pointer) {
  const Value *memory = call.getArgOperand(pointer);
  if (may_be_from_memory_stack(*memory))
    cast<Instruction>(sweep_.primal(&call))->eraseFromParent(); // it ends with the stack
  else if (auto shadow = sweep_.shadows.find(memory); shadow != sweep_.shadows.end())
    consumeError(bury(call, pointer, shadow->second, sweep_.split ? When::later : When::now));
}

} // namespace assay::engine
