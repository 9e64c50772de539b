#include "core/engine/prepare/parallel_regions.hpp"
#include "core/engine/prepare/replace_call.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

#include <optional>

using namespace llvm;

namespace assay::engine {

namespace {

/// The calls of LLVM's OpenMP runtime by their semantics for a team of one thread.
enum class TeamCall : std::uint8_t {
  fork,         ///< (loc, count, body, ...): calls the body.
  fork_if,      ///< (loc, count, body, condition, argument)
  nothing,      ///< Waiting, locking, the end of something.
  zero,         ///< Its own number; whether another thread asked to stop.
  one,          ///< It does what one thread is to do; it combines partial results by itself.
  static_loop,  ///< (loc, thread, schedule, &last, &lower, &upper, &stride, increment, chunk): all iterations.
  static_teams, ///< The same with &upper of the team behind &upper.
  begin_loop,   ///< (loc, thread, schedule, lower, upper, stride, chunk)
  next_chunk,   ///< (loc, thread, &last, &lower, &upper, &stride): all iterations, once.
  own_variable, ///< (loc, thread, variable, ...): the variable of the first thread, and the one that tasks add up in.
  make_task,    ///< (loc, thread, flags, size, size of shared, body): its memory.
  run_task,     ///< (loc, thread, task, ...)
  run_loop,     ///< The same of a taskloop, whose bounds are in the task.
};

std::optional<TeamCall> team_call(StringRef name) {
  using enum TeamCall;
  if (!name.consume_front("__kmpc_"))
    return std::nullopt;
  return StringSwitch<std::optional<TeamCall>>(name)
      .Cases({"fork_call", "fork_teams"}, fork)
      .Case("fork_call_if", fork_if)
      .Cases({"barrier", "flush", "serialized_parallel", "end_serialized_parallel", "push_num_threads",
              "push_num_threads_strict", "push_proc_bind", "push_num_teams", "push_num_teams_51"},
             nothing)
      .Cases({"for_static_fini", "end_reduce", "end_reduce_nowait", "critical", "critical_with_hint", "end_critical",
              "end_single", "end_master", "end_masked", "ordered", "end_ordered", "dispatch_deinit"},
             nothing)
      .StartsWith("dispatch_fini_", nothing)
      .Cases({"copyprivate", "taskgroup", "end_taskgroup", "taskred_init", "taskred_modifier_init",
              "task_reduction_modifier_fini", "omp_wait_deps", "omp_taskwait_deps_51", "omp_task_begin_if0",
              "omp_task_complete_if0"},
             nothing)
      .Cases({"global_thread_num", "cancel", "cancellationpoint", "cancel_barrier", "omp_taskwait", "omp_taskyield"},
             zero)
      .Cases({"reduce", "reduce_nowait", "single", "master", "masked"}, one)
      .StartsWith("for_static_init_", static_loop)
      .StartsWith("dist_for_static_init_", static_teams)
      .StartsWith("dispatch_init_", begin_loop)
      .StartsWith("dispatch_next_", next_chunk)
      .Cases({"threadprivate_cached", "task_reduction_get_th_data"}, own_variable)
      .Case("omp_task_alloc", make_task)
      .Cases({"omp_task", "omp_task_with_deps"}, run_task)
      .Cases({"taskloop", "taskloop_5"}, run_loop)
      .Default(std::nullopt);
}

/// Queries of the OpenMP API in the body of a region.
std::optional<TeamCall> question(StringRef name) {
  return StringSwitch<std::optional<TeamCall>>(name)
      .Cases({"omp_get_thread_num", "omp_in_parallel", "omp_get_team_num"}, TeamCall::zero)
      .Cases({"omp_get_num_threads", "omp_get_num_teams"}, TeamCall::one)
      .Default(std::nullopt);
}

Function *forked_body(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const std::optional<TeamCall> kind = callee ? team_call(callee->getName()) : std::nullopt;
  if ((kind != TeamCall::fork && kind != TeamCall::fork_if) || call.arg_size() < 3)
    return nullptr;
  return dyn_cast<Function>(call.getArgOperand(2)->stripPointerCastsAndAliases());
}

/// Tasks run inside of regions, by whoever has nothing else to do.
bool is_task_body(const CallBase &call, const Function &function) {
  const Function *callee = call.getCalledFunction();
  return callee && team_call(callee->getName()) == TeamCall::make_task && call.getArgOperand(5) == &function;
}

bool is_body(const Function &function, SmallPtrSetImpl<const Function *> &open) {
  if (!open.insert(&function).second)
    return true; // As far as the circle goes.
  if (!function.hasLocalLinkage() || function.use_empty())
    return false;
  return all_of(function.users(), [&](const User *user) {
    const auto *call = dyn_cast<CallBase>(user);
    if (!call)
      return false;
    if (forked_body(*call) == &function || is_task_body(*call, function))
      return true;
    return call->getCalledOperand() == &function && is_body(*call->getFunction(), open);
  });
}

class OneThread {
public:
  explicit OneThread(Function &function) : function_(function), builder_(function.getContext()) {}

  /// False where the call has another form than clang gives it.
  bool answer(CallBase &call, TeamCall kind) {
    builder_.SetInsertPoint(&call);
    switch (kind) {
    case TeamCall::fork:
    case TeamCall::fork_if:
      return run_body(call, kind == TeamCall::fork ? 3 : 4);
    case TeamCall::nothing:
      return replace(call, nullptr);
    case TeamCall::zero:
    case TeamCall::one:
      return call.getType()->isIntegerTy() &&
             replace(call, ConstantInt::get(call.getType(), kind == TeamCall::one ? 1 : 0));
    case TeamCall::static_loop:
      return take_all(call, 3, 4, 5, 6);
    case TeamCall::static_teams:
      builder_.CreateStore(builder_.CreateLoad(number_of(call), call.getArgOperand(5)), call.getArgOperand(6));
      return take_all(call, 3, 4, 5, 7);
    case TeamCall::begin_loop:
      return begin_loop(call);
    case TeamCall::next_chunk:
      return next_chunk(call);
    case TeamCall::own_variable:
      return replace(call, call.getArgOperand(2));
    case TeamCall::make_task:
      return make_task(call);
    case TeamCall::run_task:
    case TeamCall::run_loop:
      return run_task(call);
    }
    llvm_unreachable("each is listed");
  }

private:
  static bool replace(CallBase &call, Value *value) {
    replace_call(call, value);
    return true;
  }

  AllocaInst *slot(Type *type, const Twine &name) {
    BasicBlock &entry = function_.getEntryBlock();
    return IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(type, nullptr, name);
  }

  /// The body's first parameters point to the number of its thread, in all and in its team.
  bool run_body(CallBase &call, unsigned first) {
    Function *body = forked_body(call);
    if (!body || body->isVarArg() || body->arg_size() != call.arg_size() - first + 2)
      return false;
    if (!thread_) {
      thread_ = slot(builder_.getInt32Ty(), "thread");
      IRBuilder<>(thread_->getNextNode()).CreateStore(builder_.getInt32(0), thread_);
    }
    SmallVector<Value *, 8> arguments{thread_, thread_};
    append_range(arguments, drop_begin(call.args(), first));
    for (auto [argument, parameter] : zip_equal(arguments, body->args()))
      if (argument->getType() != parameter.getType())
        return false;
    builder_.CreateCall(body->getFunctionType(), body, arguments)->setCallingConv(body->getCallingConv());
    return replace(call, nullptr);
  }

  /// The functions of the runtime end in the size of a loop's counter, and `u` where it has no sign.
  IntegerType *number_of(const CallBase &call) {
    return call.getCalledFunction()->getName().contains("_8") ? builder_.getInt64Ty() : builder_.getInt32Ty();
  }

  /// The bounds are all iterations already; the next chunk, where there are chunks, begins behind them.
  bool take_all(CallBase &call, unsigned last, unsigned lower, unsigned upper, unsigned stride) {
    IntegerType *number = number_of(call);
    builder_.CreateStore(builder_.getInt32(1), call.getArgOperand(last));
    Value *count = builder_.CreateSub(builder_.CreateLoad(number, call.getArgOperand(upper)),
                                      builder_.CreateLoad(number, call.getArgOperand(lower)));
    builder_.CreateStore(builder_.CreateAdd(count, ConstantInt::get(number, 1)), call.getArgOperand(stride));
    return replace(call, nullptr);
  }

  bool begin_loop(CallBase &call) {
    make_loop_slots();
    builder_.CreateStore(builder_.getInt32(1), pending_);
    for (auto [index, bound] : enumerate(bounds_))
      builder_.CreateStore(builder_.CreateSExt(call.getArgOperand(3 + index), builder_.getInt64Ty()), bound);
    return replace(call, nullptr);
  }

  bool next_chunk(CallBase &call) {
    make_loop_slots();
    builder_.CreateStore(builder_.getInt32(1), call.getArgOperand(2));
    for (auto [index, bound] : enumerate(bounds_)) {
      Value *whole = builder_.CreateLoad(builder_.getInt64Ty(), bound);
      builder_.CreateStore(builder_.CreateTrunc(whole, number_of(call)), call.getArgOperand(3 + index));
    }
    Value *pending = builder_.CreateLoad(builder_.getInt32Ty(), pending_);
    builder_.CreateStore(builder_.getInt32(0), pending_);
    return replace(call, pending);
  }

  /// A thread is in one such loop at a time.
  void make_loop_slots() {
    if (pending_)
      return;
    pending_ = slot(builder_.getInt32Ty(), "pending");
    for (AllocaInst *&bound : bounds_)
      bound = slot(builder_.getInt64Ty(), "bound");
  }

  /// { pointer to the shared variables, body, ... } with the shared variables behind it.
  bool make_task(CallBase &call) {
    auto *size = dyn_cast<ConstantInt>(call.getArgOperand(3));
    if (!size)
      return false;
    Module &module = *function_.getParent();
    const std::uint64_t bytes = alignTo(size->getZExtValue(), Align::Constant<16>());
    Value *shared_bytes = builder_.CreateZExtOrTrunc(call.getArgOperand(4), builder_.getInt64Ty());
    FunctionCallee allocate = module.getOrInsertFunction("malloc", builder_.getPtrTy(), builder_.getInt64Ty());
    CallInst *task = builder_.CreateCall(allocate, builder_.CreateAdd(shared_bytes, builder_.getInt64(bytes)));
    builder_.CreateStore(builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), task, bytes), task);
    builder_.CreateStore(call.getArgOperand(5), builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), task, 1));
    bodies_[task] = cast<Function>(call.getArgOperand(5)->stripPointerCastsAndAliases());
    return replace(call, task);
  }

  /// At once: what it waits for is done.
  bool run_task(CallBase &call) {
    Value *task = call.getArgOperand(2);
    Function *body = bodies_.lookup(task);
    if (!body || body->arg_size() != 2 || !body->getArg(0)->getType()->isIntegerTy(32))
      return false;
    builder_.CreateCall(body->getFunctionType(), body, {builder_.getInt32(0), task})
        ->setCallingConv(body->getCallingConv());
    FunctionCallee release =
        function_.getParent()->getOrInsertFunction("free", builder_.getVoidTy(), builder_.getPtrTy());
    builder_.CreateCall(release, task);
    return replace(call, nullptr);
  }

  Function &function_;
  IRBuilder<> builder_;
  AllocaInst *thread_ = nullptr;
  AllocaInst *pending_ = nullptr;
  AllocaInst *bounds_[3] = {}; ///< Lower, upper, stride.
  DenseMap<const Value *, Function *> bodies_;
};

/// Where no other thread is.
bool make_plain(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isAtomic()) {
    load->setAtomic(AtomicOrdering::NotAtomic);
    return true;
  }
  if (auto *store = dyn_cast<StoreInst>(&instruction); store && store->isAtomic()) {
    store->setAtomic(AtomicOrdering::NotAtomic);
    return true;
  }
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return lowerAtomicRMWInst(update);
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return lowerAtomicCmpXchgInst(exchange);
  return false;
}

} // namespace

bool is_region_body(const Function &function) {
  SmallPtrSet<const Function *, 4> open;
  return is_body(function, open);
}

static bool run_in_one_thread(Function &function, bool is_body) {
  OneThread one_thread(function);
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->isDeclaration()) {
      std::optional<TeamCall> kind = team_call(callee->getName());
      if (!kind && is_body)
        kind = question(callee->getName());
      if (kind)
        changed |= one_thread.answer(*call, *kind);
    } else if (is_body) {
      changed |= make_plain(instruction);
    }
  }
  return changed;
}

bool run_regions_in_one_thread(Function &function, const Function &source) {
  return run_in_one_thread(function, is_region_body(source));
}

/// Messages name the function in which the region stands.
static void name_as_in_source(const Function &body) {
  DISubprogram *program = body.getSubprogram();
  const size_t suffix = program ? program->getName().find(".omp_outlined") : StringRef::npos;
  if (suffix != StringRef::npos)
    program->replaceOperandWith(2, MDString::get(body.getContext(), program->getName().take_front(suffix)));
}

void run_regions_in_one_thread(Module &module) {
  if (none_of(module, [](const Function &function) {
        return function.isDeclaration() && team_call(function.getName()).has_value();
      }))
    return;
  SmallPtrSet<const Function *, 16> bodies; // While they are still given to the runtime.
  for (const Function &function : module)
    if (is_region_body(function)) {
      bodies.insert(&function);
      name_as_in_source(function);
    }
  for (Function &function : module)
    if (!function.isDeclaration())
      run_in_one_thread(function, bodies.contains(&function));
}

} // namespace assay::engine
