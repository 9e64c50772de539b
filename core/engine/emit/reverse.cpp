#include "core/engine/emit/reverse.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/emit/address_log.hpp"
#include "core/engine/emit/adjoint.hpp"
#include "core/engine/emit/alias_scopes.hpp"
#include "core/engine/emit/deferred_frees.hpp"
#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/emit/overlap_checks.hpp"
#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/emit/tape.hpp"
#include "core/engine/emit/undo.hpp"
#include "core/engine/emit/unwind_cleanup.hpp"
#include "core/engine/emit/unwinding.hpp"
#include "core/engine/plan/block_order.hpp"
#include "core/engine/plan/control.hpp"
#include "core/engine/plan/kept_arguments.hpp"
#include "core/engine/plan/plan.hpp"
#include "core/engine/plan/reload.hpp"
#include "core/engine/plan/undoable_stores.hpp"
#include "core/engine/rules/deferred_free_calls.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/observer.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// Blocks of the sweep whose reverse does something, and those whose phis carry adjoints. What an invoke did is undone
/// on the way from its normal destination to its block.
struct WorkBlocks {
  SmallPtrSet<const BasicBlock *, 16> any, phis;

  explicit WorkBlocks(const ForwardSweep &sweep) {
    const BlocksReachingReturn live(sweep.prepared);
    for (const BasicBlock &block : sweep.prepared) {
      if (!live.contains(&block))
        continue;
      for (const Instruction &instruction : block)
        if (has_adjoint(sweep, instruction)) {
          any.insert(sweep.block(&block));
          if (isa<PHINode>(instruction))
            phis.insert(sweep.block(&block));
          if (const auto *invoke = dyn_cast<InvokeInst>(&instruction))
            any.insert(sweep.block(invoke->getNormalDest()));
        }
    }
  }
};

/// Where the reverse sweep undoes a prepared instruction.
const Instruction &place_of(const ForwardSweep &sweep, const Instruction &instruction, const BasicBlock &block) {
  const auto *copy = dyn_cast_or_null<Instruction>(sweep.primal(&instruction));
  return copy && copy->getParent() == &block ? *copy : *block.getTerminator();
}

Error collect_block_needs(ForwardSweep &sweep, const BasicBlock &prepared_block, Needs &needs) {
  const BasicBlock &block = *sweep.block(&prepared_block);
  for (const Instruction &instruction : prepared_block) {
    const Instruction &place = place_of(sweep, instruction, block);
    if (Error error = for_each_need(sweep, instruction, [&](Value *value) { needs.add(value, place); }))
      return error;
  }
  return Error::success();
}

/// Everything that the reverse sweep reads of the forward sweep.
Expected<Needs> collect_needs(ForwardSweep &sweep, const ControlRecord &control, const LoopInfo &loops) {
  Needs needs;
  for (const BasicBlock &prepared_block : sweep.prepared) {
    BasicBlock *block = sweep.block(&prepared_block);
    if (!control.live.contains(block))
      continue;
    if (Error error = collect_block_needs(sweep, prepared_block, needs))
      return std::move(error);
    const JoinRecord &join = control.joins.at(block);
    if (join.jump_to)
      continue;
    const Instruction &start = *block->getFirstNonPHIIt();
    if (join.selector)
      needs.add(join.selector, start);
    for (BasicBlock *predecessor : join.predecessors)
      for (const Loop *loop = loops.getLoopFor(predecessor); loop && !loop->contains(block);
           loop = loop->getParentLoop())
        needs.add(control.loops.at(loop).count_for(block), start);
  }
  if (auto *list = dyn_cast_or_null<Instruction>(sweep.deferred_frees_list); list && keeps_address_log(sweep))
    needs.add(list, *list->getNextNode());
  return needs;
}

/// Writes of the forward sweep that no reload can see: shadow memory has its own loads, and those are tested as well.
SmallPtrSet<const Instruction *, 8> harmless_writes(const ForwardSweep &sweep) {
  SmallPtrSet<const Instruction *, 8> harmless;
  for (const auto &[primal, record] : sweep.calls)
    if (record.call && primal->onlyReadsMemory())
      harmless.insert(record.call);
  for (const Instruction &instruction : instructions(sweep.function))
    if (const auto *call = dyn_cast<CallBase>(&instruction); call && is_bury(*call))
      harmless.insert(call); // writes its list alone
  return harmless;
}

/// Memory of the sweep's own: stack that is in the frame, allocations that the reverse sweep releases, rows of tables.
bool is_own_memory(const ForwardSweep &sweep, const RowTables &tables, const Value &object) {
  if (isa<AllocaInst>(object))
    return true;
  if (tables.find(object))
    return true;
  for (const auto &[allocation, release] : sweep.deferred) {
    if (sweep.primal(allocation) == &object || is_contained(sweep.shadows.lookup(allocation), &object))
      return true;
  }
  return false;
}

/// Arguments that lead to memory which nobody changes before the reverse sweep.
SmallPtrSet<const Argument *, 4> kept_arguments(const ForwardSweep &sweep) {
  const DerivativeAbi abi(sweep.request);
  SmallPtrSet<const Argument *, 4> kept;
  for (const unsigned parameter : sweep.request.not_overwritten.set_bits())
    kept.insert(sweep.function.getArg(abi.primal_parameter(parameter)));
  return kept;
}

void zero_shadow_memory(ForwardSweep &sweep) {
  const DataLayout &layout = sweep.function.getDataLayout();
  for (AllocaInst *shadow : sweep.shadow_memory) {
    IRBuilder<> builder(shadow->getNextNode());
    builder.CreateMemSet(shadow, builder.getInt8(0), *shadow->getAllocationSize(layout), shadow->getAlign());
  }
}

/// The forward sweep hands over: to the reverse sweep, or to the caller.
Error end_forward_sweep(ForwardSweep &sweep, Tape &tape, ReturnInst &exit, BasicBlock *reverse_start) {
  IRBuilder<> builder(&exit);
  end_unwind_cleanups(sweep, tape, builder);
  if (!sweep.split) {
    builder.CreateBr(reverse_start);
    exit.eraseFromParent();
    return Error::success();
  }
  const DerivativeAbi abi(sweep.request);
  Value *result = PoisonValue::get(sweep.function.getReturnType());
  result = builder.CreateInsertValue(result, tape.frame(), *abi.tape_result());
  if (std::optional<unsigned> index = abi.primal_result())
    result = builder.CreateInsertValue(result, exit.getReturnValue(), *index);
  if (abi.shadow_result(0)) {
    Expected<Lanes> shadow = returned_shadow(sweep);
    if (!shadow)
      return shadow.takeError();
    for (unsigned lane = 0; lane < sweep.width; ++lane)
      result = builder.CreateInsertValue(result, (*shadow)[lane], *abi.shadow_result(lane));
  }
  builder.CreateRet(result);
  exit.eraseFromParent();
  return Error::success();
}

/// A function that never returns has no reverse sweep.
void emit_endless(const ReverseFunctions &functions) {
  if (!functions.reverse_sweep->empty())
    return;
  LLVMContext &context = functions.reverse_sweep->getContext();
  new UnreachableInst(context, BasicBlock::Create(context, "", functions.reverse_sweep));
}

/// The forward sweep's control flow as values, and how everything that is read of it gets to the reverse sweep.
struct SweepPlan {
  ControlRecord control;
  Plan plan;
};

/// The sweep's copies of instructions for which the reverse sweep does something.
SmallPtrSet<const Instruction *, 32> copies_with_adjoint(const ForwardSweep &sweep) {
  SmallPtrSet<const Instruction *, 32> copies;
  for (const Instruction &instruction : instructions(sweep.prepared))
    if (has_adjoint(sweep, instruction))
      if (const auto *copy = dyn_cast_or_null<Instruction>(sweep.primal(&instruction)))
        copies.insert(copy);
  return copies;
}

Expected<ControlRecord> record_control(ForwardSweep &sweep, FunctionAnalysisManager &analyses) {
  const WorkBlocks work(sweep);
  const auto in_block = [&](const BasicBlock &block) { return work.any.contains(&block); };
  const auto in_phis = [&](const BasicBlock &block) { return work.phis.contains(&block); };
  Function &function = sweep.function;
  return record_control(function, analyses.getResult<LoopAnalysis>(function),
                        analyses.getResult<DominatorTreeAnalysis>(function),
                        analyses.getResult<ScalarEvolutionAnalysis>(function), ReverseWork{in_block, in_phis});
}

UndoableStores undoable_stores(const ForwardSweep &sweep, const LoopInfo &loops) {
  const auto copy = [&](const Instruction &instruction) -> const Instruction * {
    const auto *found = dyn_cast_or_null<Instruction>(sweep.primal(&instruction));
    return found && found->getParent() == sweep.block(instruction.getParent()) ? found : nullptr;
  };
  const auto has_adjoint_here = [&](const Instruction &instruction) { return has_adjoint(sweep, instruction); };
  SmallPtrSet<const Value *, 4> released_late;
  for (const auto &[allocation, release] : sweep.deferred)
    released_late.insert(sweep.primal(allocation));
  return UndoableStores({sweep.prepared, loops, sweep.split, copy, has_adjoint_here, std::move(released_late)});
}

SumGroups group_sums(const ForwardSweep &sweep, const Plan &plan) {
  FunctionAnalysisManager &analyses = sweep.engine.function_analyses();
  const auto has_adjoint_here = [&](const Instruction &instruction) { return has_adjoint(sweep, instruction); };
  const auto summed_over = [&](const LoadInst &load) -> const BasicBlock * {
    const auto *copy = dyn_cast_or_null<LoadInst>(sweep.primal(&load));
    const auto *found = copy ? plan.accumulations.find(copy) : plan.accumulations.end();
    return found == plan.accumulations.end() ? nullptr : found->second.loop->getHeader();
  };
  return plan_sum_groups({sweep.prepared, sweep.adds, sweep.types, analyses.getResult<AAManager>(sweep.prepared),
                          analyses.getResult<ScalarEvolutionAnalysis>(sweep.prepared), has_adjoint_here, summed_over});
}

Expected<SweepPlan> plan_sweep(ForwardSweep &sweep, FunctionAnalysisManager &analyses) {
  Function &function = sweep.function;
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  Expected<ControlRecord> control = record_control(sweep, analyses);
  if (!control)
    return control.takeError();
  Expected<Needs> needed = collect_needs(sweep, *control, loops);
  if (!needed)
    return needed.takeError();
  const SmallPtrSet<const Instruction *, 8> harmless = harmless_writes(sweep);
  const RowTables tables =
      sweep.tables.in_copy([&](const Value &value) -> const Value * { return sweep.map.lookup(&value); });
  const SmallPtrSet<const Argument *, 4> kept = kept_arguments(sweep);
  const auto is_kept = [&](const Argument &argument) { return kept.contains(&argument); };
  const auto own_memory = [&](const Value &object) {
    return is_own_memory(sweep, tables, object) || (!kept.empty() && is_reached_from(object, is_kept));
  };
  const UndoableStores undoable = undoable_stores(sweep, loops);
  const auto may_undo = [&](const Instruction &store) { return undoable.contains(store); };
  const auto is_only_for_overlap = [&](const Instruction &store) { return undoable.is_only_for_overlap(store); };
  Independence independence(loops, analyses.getResult<ScalarEvolutionAnalysis>(function), tables);
  ReloadAnalysis reloads(function, analyses.getResult<AAManager>(function), harmless, sweep.split, own_memory, may_undo,
                         independence);
  const Reload never;
  const auto reload = [&](const LoadInst &load) -> const Reload & {
    return sweep.passing_addresses.contains(&load) ? never : reloads.find(load);
  };
  const FunctionInfo &function_info = sweep.engine.function_info();
  const auto is_expensive = [&](const Instruction &instruction) {
    const std::optional<ScalarRule> rule = ScalarRule::find(instruction, function_info);
    return rule && rule->is_expensive();
  };
  // Recomputing is faster on a device than tape in global memory.
  const auto may_call_again = [&](const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    return callee && is_device_code(call) && loops.getLoopFor(call.getParent()) &&
           (is_device_library_function(*callee) || isa<IntrinsicInst>(call)) && ScalarRule::find(call, function_info);
  };
  const auto is_scalar = [&](const Instruction &instruction) {
    return ScalarRule::find(instruction, function_info).has_value();
  };
  const SmallPtrSet<const Instruction *, 32> with_adjoint = copies_with_adjoint(sweep);
  const auto has_adjoint = [&](const Instruction &copy) { return with_adjoint.contains(&copy); };
  const StorageInput storage{function,
                             *needed,
                             *control,
                             loops,
                             analyses.getResult<DominatorTreeAnalysis>(function),
                             analyses.getResult<ScalarEvolutionAnalysis>(function),
                             sweep.split,
                             reload,
                             is_expensive,
                             may_call_again,
                             is_only_for_overlap};
  Plan plan = make_plan({storage, reloads, independence, has_adjoint, is_scalar, sweep.request.options.runtime_activity,
                         sweep.request.caller});
  for (RestoredStore &restored : plan.restored)
    restored.redo = undoable.redo(restored);
  plan.sum_groups = group_sums(sweep, plan);
  if (Observer *observer = function_info.test_hooks().observer)
    observer->planned({sweep, *needed, *control, plan, analyses, reloads, is_expensive});
  return SweepPlan{std::move(*control), std::move(plan)};
}

/// Deferred frees and the release of the tape by an exception need the caller's list of memory to release.
void note_interface(const ForwardSweep &sweep, const Plan &plan, const ReverseFunctions &functions) {
  if (!sweep.split)
    return;
  const bool leaves_tape =
      !plan.tape.empty() && needs_unwind_cleanups(sweep.engine.module()) && sweep.request.caller == Caller::derivative;
  const DerivativeInterface interface = interface_of(sweep.function, plan, sweep.deferred_frees_list || leaves_tape);
  sweep.engine.note_interface(*functions.forward_sweep, interface);
  sweep.engine.note_interface(*functions.reverse_sweep, interface);
}

void open_split_reverse(const Function &forward, Function &reverse) {
  BasicBlock::Create(forward.getContext(), "entry", &reverse);
  copy_subprogram(forward, reverse);
}

/// The sweep's copies of calls that may throw. Invokes have landing pads already.
SmallVector<CallInst *, 8> calls_that_may_unwind(const ForwardSweep &sweep) {
  SmallVector<CallInst *, 8> calls;
  for (const Instruction &instruction : instructions(sweep.prepared)) {
    const auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !may_unwind(*call))
      continue;
    auto augmented = sweep.calls.find(call);
    Value *copy = augmented != sweep.calls.end() ? augmented->second.call : sweep.map.lookup(call);
    if (auto *copied_call = dyn_cast_or_null<CallInst>(copy))
      calls.push_back(copied_call);
  }
  return calls;
}

/// An exception takes the tape with it, and what the combined gradient would have released in the end.
void release_tape_on_unwind(const ForwardSweep &sweep, Tape &tape) {
  if (sweep.function.doesNotThrow() || (!tape.is_on_heap() && !sweep.deferred_frees_list))
    return;
  release_on_unwind(sweep.function, calls_that_may_unwind(sweep), [&](IRBuilder<> &builder) {
    release_unwind_cleanups(sweep, builder);
    if (sweep.own_deferred_frees)
      builder.CreateCall(release_buried_function(sweep.engine.module()),
                         {tape.forward_address(*sweep.own_deferred_frees)});
    tape.abandon(builder);
  });
}

Error emit_sweeps(ForwardSweep &sweep, const SweepPlan &planned, FunctionAnalysisManager &analyses, Function &reverse,
                  ReturnInst &exit) {
  Function &forward = sweep.function;
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(forward);
  const SmallVector<Instruction *, 4> checks =
      write_overlap_checks(planned.plan.overlap_checks, analyses.getResult<ScalarEvolutionAnalysis>(forward));
  Undo undo(sweep, planned.plan, checks);
  const auto bind = [&](const KeptValue &value) -> Instruction * {
    switch (value.kind) {
    case KeptValue::Kind::result:
      return value.origin;
    case KeptValue::Kind::overwritten:
      return undo.old_value(*value.origin);
    case KeptValue::Kind::overlap:
      return checks[value.check];
    }
    llvm_unreachable("unknown kind of kept value");
  };
  Tape tape(sweep, planned.control, planned.plan, loops, bind, reverse);
  tape.write_forward();
  if (sweep.split)
    open_split_reverse(forward, reverse);
  Request reverse_request = sweep.request;
  reverse_request.mode = sweep.split ? Mode::split_reverse : Mode::reverse;
  ReverseEmitter emitter(sweep, reverse_request, planned.control, planned.plan, checks, loops, tape, undo, reverse);
  if (Error error = emitter.run())
    return error;
  if (sweep.split)
    IRBuilder<>(&reverse.getEntryBlock()).CreateBr(emitter.start_block());
  if (Error error = end_forward_sweep(sweep, tape, exit, emitter.start_block()))
    return error;
  emitter.zero_slots_late();
  tape.reuse_kept_calls();
  const ShadowOverlap overlap = sweep.request.options.runtime_activity ? ShadowOverlap::possible : ShadowOverlap::never;
  mark_alias_scopes(tape.accesses(), sweep.shadow_accesses.getArrayRef(), overlap, forward, reverse);
  analyses.invalidate(forward, PreservedAnalyses::none());
  tape.inline_helpers();
  undo.inline_helpers();
  emitter.inline_helpers();
  release_tape_on_unwind(sweep, tape);
  return Error::success();
}

} // namespace

Error emit_reverse(DerivativeSource &engine, const Request &request, Function &prepared, const TypeAnalysis &types,
                   const ActivityAnalysis &activity, const ReverseFunctions &functions) {
  const bool split = functions.forward_sweep != functions.reverse_sweep;
  Request forward_request = request;
  if (split)
    forward_request.mode = Mode::augmented;
  const FunctionInfo &function_info = engine.function_info();
  const RowTables tables(prepared, engine.function_analyses().getResult<LoopAnalysis>(prepared), function_info);
  const MemoryPlan memory =
      plan_memory({prepared, activity, function_info, tables, split, function_info.keeps_address_log()});
  if (Error error = check_order_of_blocks(prepared, activity))
    return error;
  Expected<CallPlans> calls = plan_calls({engine, forward_request, prepared, activity});
  if (!calls)
    return calls.takeError();
  const bool has_launch_for_each_sweep = split && request.caller == Caller::program;
  Expected<AtomicUpdates> atomics = plan_atomic_updates({prepared, types, activity, has_launch_for_each_sweep});
  if (!atomics)
    return atomics.takeError();
  ForwardSweep sweep{
      engine,
      forward_request,
      prepared,
      *functions.forward_sweep,
      types,
      activity,
      tables,
      memory,
      *calls,
      request.width,
      split,
      plan_adjoint_adds({prepared, engine.function_analyses().getResult<ScalarEvolutionAnalysis>(prepared), types,
                         [&](const LoadInst &load) { return activity.carries_derivative(load); },
                         request.options.runtime_activity}),
      std::move(*atomics),
      plan_noted_extrema(prepared, activity)};
  if (Error error = build_forward_sweep(sweep))
    return error;
  ReturnInst *exit = sweep.exit();
  if (!exit) {
    emit_endless(functions);
    note_interface(sweep, Plan(), functions);
    return Error::success();
  }
  prepare_unwind_cleanups(sweep);
  zero_shadow_memory(sweep);

  FunctionAnalysisManager &analyses = engine.function_analyses();
  analyses.invalidate(sweep.function, PreservedAnalyses::none());
  Expected<SweepPlan> planned = plan_sweep(sweep, analyses);
  if (!planned)
    return planned.takeError();
  note_interface(sweep, planned->plan, functions);
  write_unwind_cleanups(sweep);
  return emit_sweeps(sweep, *planned, analyses, *functions.reverse_sweep, *exit);
}

} // namespace assay::engine
