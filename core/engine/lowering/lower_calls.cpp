// The way of a call of the convention:
//
//   1. wrappers that only pass a function pointer on are inlined, so that the function is known at the call;
//   2. calls are put in order: a call inside a function that another call differentiates comes first (higher order);
//   3. each call is parsed against the function's parameters, the engine makes the derivative, and a call of that, with
//   its
//      arguments converted and its results packed, takes the place of the call. Where the function is only known at run
//      time this is done for every candidate;
//   4. where a derivative starts, the numbers in shadows of globals become zero (`start_shadows.hpp`), and their
//      addresses follow what the program made of the globals (`follow_globals.hpp`);
//   5. hints are removed, pointers of `__enzyme_todense` become calls, and what `protect_convention` changed is put
//      back.

#include "core/engine/lowering/lower_calls.hpp"
#include "core/engine/analysis/caller_argument_types.hpp"
#include "core/engine/analysis/declared_integers.hpp"
#include "core/engine/emit/droppable_tape.hpp"
#include "core/engine/emit/memory_stack.hpp"
#include "core/engine/emit/tape_memory.hpp"
#include "core/engine/lowering/batch.hpp"
#include "core/engine/lowering/call_parser.hpp"
#include "core/engine/lowering/call_replacement.hpp"
#include "core/engine/lowering/called_aliases.hpp"
#include "core/engine/lowering/dense_pointers.hpp"
#include "core/engine/lowering/derivative_call.hpp"
#include "core/engine/lowering/device_names.hpp"
#include "core/engine/lowering/dispatch.hpp"
#include "core/engine/lowering/engine.hpp"
#include "core/engine/lowering/failures.hpp"
#include "core/engine/lowering/follow_globals.hpp"
#include "core/engine/lowering/lowering_order.hpp"
#include "core/engine/lowering/pool_scopes.hpp"
#include "core/engine/lowering/protect.hpp"
#include "core/engine/lowering/refused_calls.hpp"
#include "core/engine/lowering/resolve_function.hpp"
#include "core/engine/lowering/result_packing.hpp"
#include "core/engine/lowering/shared_shadows.hpp"
#include "core/engine/lowering/specialise.hpp"
#include "core/engine/lowering/split_promises.hpp"
#include "core/engine/lowering/start_shadows.hpp"
#include "core/engine/lowering/thread_tapes.hpp"
#include "core/engine/lowering/unneeded_stores.hpp"
#include "core/engine/lowering/unused_rules.hpp"
#include "core/engine/lowering/virtual_reverse.hpp"
#include "core/engine/prepare/aligned_allocations.hpp"
#include "core/engine/prepare/iterations.hpp"
#include "core/engine/prepare/noreturn_path_calls.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/prepare/threads_of_callees.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/open_calls.hpp"
#include "core/engine/support/rule_adapters.hpp"
#include "core/engine/support/rust_allocators.hpp"
#include "core/engine/support/source_signature.hpp"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A function to differentiate, understood and differentiated.
struct Arm {
  Function *function; ///< What the user's pointer points to.
  ParsedCall parsed;
  Function *derivative;
};

/// By parameter. A shadow is laid out as its primal, and the caller may look at no more than it.
SmallVector<std::pair<unsigned, const Value *>, 8> passed_values(const ParsedCall &parsed) {
  SmallVector<std::pair<unsigned, const Value *>, 8> values;
  for (const ParsedArgument &argument : parsed.arguments) {
    const auto add = [&](const ArgumentValue &value) {
      if (value.value && !value.in_memory)
        values.emplace_back(argument.parameter, value.value);
    };
    add(argument.primal);
    for_each(argument.shadows, add);
  }
  return values;
}

bool uses_marker(const Module &module, Marker kind) {
  return any_of(module.globals(),
                [&](const GlobalVariable &global) { return marker(global) == kind && !global.use_empty(); });
}

class CallLowering {
public:
  CallLowering(DerivativeSource &engine, std::vector<Failure> &failures) : engine_(engine), failures_(failures) {}

  void run() {
    specialise_given_functions();
    candidates_ = address_taken_functions(engine_.module());
    lower_all();
    if (std::optional<SplitPromises::Lone> lone = promises_.lone())
      failures_.push_back({lone->caller, lone->place, std::move(lone->error)});
    follow_globals(engine_.module(), starts_);
    thread_tapes_.lower(engine_.module());
    pool_scopes_.add();
  }

private:
  /// Where functions call each other in a circle through pointers, no order has each call lowered before the functions
  /// around it are differentiated. A derivative then has a copy of the call, which is one like any other.
  void lower_all() {
    auto sites = convention_sites(engine_.module());
    for (unsigned round = 0; round < most_nested_calls && !sites.empty(); ++round) {
      for (const ConventionSite &site : lowering_order(sites, engine_.function_info()))
        lower(site);
      sites = convention_sites(engine_.module());
    }
  }

  /// A function that calls one that it is given, or asks for its derivative: where a call gives it a constant, the copy
  /// for that constant takes its place before calls are put in order, so that the order knows the functions that are
  /// reached.
  void specialise_given_functions() {
    bool changed = true;
    for (unsigned round = 0; changed && round < most_nested_calls; ++round) {
      changed = false;
      for (const ConventionSite &site : convention_sites(engine_.module()))
        changed |= specialise_given_function(site);
    }
  }

  bool specialise_given_function(const ConventionSite &site) {
    if (site.call->arg_size() <= first_argument(*site.call))
      return false;
    if (!is_derivative_call(site.kind))
      return false;
    Function &caller = *site.call->getFunction();
    Function *function = resolve_function(*site.call);
    if ((!function || calls_unknown_function(*function)) && promoted_.insert(&caller).second) {
      promote_stack_slots(caller, engine_.function_analyses()); // arguments by reference are behind stack slots
      return true;                                              // and this call may be another one now
    }
    Use &given = site.call->getArgOperandUse(first_argument(*site.call));
    if (!function || function != resolve_constant(given) || function->isDeclaration() ||
        engine_.function_info().keeps_call(*function))
      return false;
    Expected<ParsedCall> parsed = parse_call(*site.call, site.kind, *function);
    if (!parsed) {
      consumeError(parsed.takeError()); // said when the call is lowered
      return false;
    }
    Function &copy = specialised_function(*parsed);
    if (&copy == function)
      return false;
    promote_stack_slots(copy, engine_.function_analyses()); // where its own calls find the constant
    given.set(ConstantExpr::getPointerBitCastOrAddrSpaceCast(&copy, given->getType()));
    return true;
  }

  /// Perhaps one that it is given.
  static bool calls_unknown_function(Function &function) {
    return any_of(instructions(function), [](Instruction &instruction) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm())
        return false;
      if (call->isIndirectCall())
        return true;
      const Function *callee = call->getCalledFunction();
      const auto kind = callee ? convention_call(*callee) : std::nullopt;
      return kind && is_derivative_call(*kind) && call->arg_size() > first_argument(*call) && !resolve_function(*call);
    });
  }

  static bool is_derivative_call(ConventionCall kind) {
    switch (kind) {
    case ConventionCall::autodiff:
    case ConventionCall::fwddiff:
    case ConventionCall::augmentfwd:
    case ConventionCall::reverse:
      return true;
    default:
      return false;
    }
  }

  static constexpr unsigned most_nested_calls = 16; // deeper than any order of derivatives; recursion ends here

  void lower(const ConventionSite &site) {
    Function *caller = site.call->getFunction();
    DebugLoc place = site.call->getDebugLoc();
    if (Error error = lower_or_fail(site)) {
      if (serves_only_uncalled_rules(*caller))
        stop_before(*site.call, std::move(error));
      else
        failures_.push_back({caller, place, std::move(error)});
      replace_by_poison(*site.call);
    }
    engine_.function_analyses().invalidate(*caller, PreservedAnalyses::none());
  }

  static void stop_before(CallBase &call, Error error) {
    consumeError(std::move(error));
    IRBuilder<> builder(&call);
    emit_stop(builder);
  }

  Error lower_or_fail(const ConventionSite &site) {
    CallBase &call = *site.call;
    if (call.arg_size() <= first_argument(call))
      return unsupported(call, "no function is given to " + name_of(site.kind),
                         "give the function as the first argument");
    switch (site.kind) {
    case ConventionCall::virtualreverse:
      return lower_virtual_reverse(call);
    case ConventionCall::augmentsize:
      replace_call(call, ConstantInt::get(call.getType(), tape_size));
      return Error::success();
    case ConventionCall::batch:
      return lower_batch(call);
    default:
      return lower_derivative(site);
    }
  }

  Error unknown_function(CallBase &call, ConventionCall kind) {
    return unsupported(call, "the function given to " + name_of(kind) + " is not known when compiling",
                       "give the function itself, or one whose address is taken in this file");
  }

  Error lower_virtual_reverse(CallBase &call) {
    Expected<Value *> shadow = emit_virtual_reverse(engine_, call, candidates_);
    if (!shadow)
      return shadow.takeError();
    if (!*shadow)
      return unknown_function(call, ConventionCall::virtualreverse);
    replace_call(call, *shadow);
    return Error::success();
  }

  Error lower_batch(CallBase &call) {
    Function *function = resolve_function(call);
    if (!function)
      return unknown_function(call, ConventionCall::batch);
    IRBuilder<> builder(&call);
    auto results = emit_batch(builder, call, *function);
    if (!results)
      return results.takeError();
    SmallVector<Type *, 4> types;
    for (Value *result : *results)
      types.push_back(result->getType());
    if (Error error = check_packing(call, types))
      return error;
    replace_call(call, pack_result(builder, call, *results));
    return Error::success();
  }

  Error lower_derivative(const ConventionSite &site) {
    Function *function = resolve_function(*site.call);
    if (!function && isa_and_nonnull<ConstantPointerNull, UndefValue>(
                         resolve_constant(site.call->getArgOperand(first_argument(*site.call)))))
      return unknown_function(*site.call, site.kind);
    if (!function)
      return lower_at_run_time(site);
    Expected<Arm> arm = make_arm(site, *function);
    if (!arm)
      return arm.takeError();
    IRBuilder<> builder(site.call);
    emitted_.clear();
    Value *result = emit(builder, *site.call, *arm);
    replace_call(*site.call, result, throwing_calls());
    return Error::success();
  }

  Expected<Arm> make_arm(const ConventionSite &site, Function &function) {
    if (function.getCallingConv() == CallingConv::PTX_Kernel)
      return unsupported(*site.call,
                         "the kernel '" + source_name(function) + "' is differentiated as if it were called",
                         "move its body to a __device__ function, which the kernel calls, and differentiate that");
    Function &subject = differentiable_function(function, engine_.function_info());
    Expected<ParsedCall> parsed = parse_call(*site.call, site.kind, subject);
    if (!parsed)
      return parsed.takeError();
    if (Error error = check_packing(*site.call, result_types(*parsed, *site.call)))
      return error;
    parsed->request.function = &specialised_function(*parsed);
    parsed->request.options.order = derivative_order(*parsed->request.function, parsed->request.mode);
    for (const ParsedArgument &argument : parsed->arguments)
      if (argument.primal.value && argument.primal.value->getType()->isPointerTy() && !argument.primal.in_memory)
        note_caller_argument_types(*parsed->request.function, argument.parameter, *argument.primal.value);
    promises_.note(*site.call, parsed->request);
    engine_.note_call(*site.call->getFunction(), *parsed->request.function, passed_values(*parsed));
    Expected<Function *> derivative = engine_.derivative(parsed->request);
    if (!derivative)
      return derivative.takeError();
    Function &called = without_unneeded_stores(**derivative, *parsed);
    return Arm{&function, std::move(*parsed), &called};
  }

  Value *emit(IRBuilderBase &builder, CallBase &call, const Arm &arm) {
    const bool is_start = arm.parsed.request.mode != Mode::split_reverse;
    ReachedGlobals shadows = reached_shadows(*arm.derivative);
    if (!is_start) // The shadows of shared arrays, which this sweep alone adds to, hold anything before it.
      shadows.remove_if([](const GlobalVariable *shadow) { return !is_shared_memory(*shadow); });
    clear_numbers(builder, shadows);
    const EmittedCall emitted = emit_derivative_call(builder, arm.parsed, call, *arm.derivative);
    emitted_.push_back(emitted.call);
    pool_scopes_.note(*arm.derivative, arm.parsed.request);
    if (arm.parsed.thread_tapes)
      thread_tapes_.note(*emitted.call, *arm.parsed.thread_tapes);
    if (any_of(shadows, [](const GlobalVariable *shadow) { return !is_shared_memory(*shadow); }))
      starts_.push_back({emitted.call, names_of_sets(shadows)});
    return pack_result(builder, call, emitted.results);
  }

  SmallVector<CallInst *, 4> throwing_calls() const {
    SmallVector<CallInst *, 4> calls;
    copy_if(emitted_, std::back_inserter(calls), [](const CallInst *call) { return !call->doesNotThrow(); });
    return calls;
  }

  /// Candidates that do not fit the arguments, or that cannot be differentiated, are left out.
  Error lower_at_run_time(const ConventionSite &site) {
    CallBase &call = *site.call;
    std::vector<Arm> arms;
    Error reasons = Error::success();
    for (Function *candidate : candidates_) {
      if (asks_for_derivatives(*candidate))
        continue;
      Expected<Arm> arm = make_arm(site, *candidate);
      if (arm)
        arms.push_back(std::move(*arm));
      else
        reasons = joinErrors(std::move(reasons), arm.takeError());
    }
    consumeError(std::move(reasons));
    if (arms.empty())
      return unknown_function(call, site.kind);
    SmallVector<Function *, 4> functions;
    for (const Arm &arm : arms)
      functions.push_back(arm.function);
    emitted_.clear();
    Value *result = emit_dispatch(call, function_pointer(call), functions, [&](IRBuilderBase &builder, unsigned index) {
      return emit(builder, call, arms[index]);
    });
    replace_call(call, result, throwing_calls());
    return Error::success();
  }

  DerivativeSource &engine_;
  std::vector<Failure> &failures_;
  SmallVector<Function *, 8> candidates_;
  std::vector<DerivativeStart> starts_;
  SplitPromises promises_;
  ThreadTapes thread_tapes_;
  PoolScopes pool_scopes_;
  SmallPtrSet<Function *, 8> promoted_; ///< Whose stack slots have become values.
  SmallVector<CallInst *, 4> emitted_;  ///< Calls of derivatives for the site that is being lowered.
};

/// `__enzyme_ignore_derivatives(x)` is x, `__enzyme_iter(n, more)` is n, and type hints are no code, once everything is
/// differentiated.
void remove_hints(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<CallBase>(&instruction);
      auto *callee = call ? dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts()) : nullptr;
      const auto kind = callee ? convention_call(*callee) : std::nullopt;
      if (kind == ConventionCall::type_hint)
        replace_call(*call, call->getType()->isVoidTy() ? nullptr : Constant::getNullValue(call->getType()));
      if (kind == ConventionCall::iterations && is_trip_count(*call))
        replace_call(*call, IRBuilder<>(call).CreateSExtOrTrunc(call->getArgOperand(0), call->getType()));
      if (kind != ConventionCall::ignore_derivatives || call->arg_empty())
        continue;
      IRBuilder<> builder(call);
      Value *values[] = {call->getArgOperand(first_argument(*call))};
      replace_call(*call, pack_result(builder, *call, values));
    }
}

std::vector<Failure> lower_all(Module &module, ModuleAnalysisManager &analyses, const TestHooks &test_hooks,
                               const MakeDerivatives &make) {
  std::vector<Failure> failures;
  refuse_unknown_calls(module, failures);
  refuse_wrong_trip_counts(module, failures);
  const bool any_call = !convention_sites(module).empty();
  if (any_call) {
    add_library_bodies(module, PrimalResults::of_library);
    call_behind_aliases(module);
    declare_rust_allocators(module);
    declare_aligned_allocators(module);
  }
  Expected<FunctionInfo> function_info = FunctionInfo::read(module);
  if (!function_info) {
    failures.push_back({nullptr, DebugLoc(), function_info.takeError()});
    for (const ConventionSite &site : convention_sites(module))
      replace_by_poison(*site.call);
  } else if (any_call) {
    inline_wrappers(module, analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager());
    mark_noreturn_path_calls(module, *function_info);
    note_declared_integers(module);
    adapt_rules(module, *function_info);
    function_info->alter(test_hooks);
    if (is_device_code(module) && uses_marker(module, Marker::tape_memory))
      note_tape_memory(module);
    const std::unique_ptr<DerivativeSource> derivatives = make(module, std::move(*function_info), analyses);
    CallLowering(*derivatives, failures).run();
    if (failures.empty())
      warn_of_unused_rules(module);
  }
  place_dynamic_shadows(module);
  lower_memory_stacks(module);
  write_drops(module);
  drop_unused_aligned_allocators(module);
  remove_hints(module);
  lower_dense_pointers(module, analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager(), failures);
  unmark_noreturn_path_calls(module);
  unprotect_convention(module);
  return failures;
}

bool uses_convention(const Module &module) {
  return any_of(module.functions(),
                [](const Function &function) {
                  return convention_call(function).has_value() || function.getName().starts_with(convention_prefix);
                }) ||
         any_of(module.globals(), [](const GlobalVariable &global) { return registration_table(global).has_value(); });
}

} // namespace

std::unique_ptr<DerivativeSource> make_engine(Module &module, FunctionInfo function_info,
                                              ModuleAnalysisManager &analyses) {
  return std::make_unique<Engine>(module, std::move(function_info), analyses);
}

Error lower_calls(Module &module, ModuleAnalysisManager &analyses, const MakeDerivatives &make) {
  Error errors = Error::success();
  for (Failure &failure : lower_all(module, analyses, {}, make))
    errors = joinErrors(std::move(errors), std::move(failure.error));
  return errors;
}

PreservedAnalyses AssayPass::run(Module &module, ModuleAnalysisManager &analyses) {
  if (!uses_convention(module))
    return PreservedAnalyses::all();
  StringSet<> said;
  for (Failure &failure : lower_all(module, analyses, test_hooks_, make_engine))
    report(module, failure, said);
  run_threads_of_callees(module);
  if (is_device_code(module))
    respell_shadows(module);
  return PreservedAnalyses::none();
}

} // namespace assay::engine
