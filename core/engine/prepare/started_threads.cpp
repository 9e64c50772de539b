#include "core/engine/prepare/started_threads.hpp"
#include "core/engine/prepare/futures.hpp"
#include "core/engine/prepare/replace_call.hpp"
#include "core/engine/prepare/thread_waits.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

using namespace llvm;

namespace assay::engine {

namespace {

enum class ThreadCall : std::uint8_t {
  create,      ///< pthread_create(&thread, attributes, function, argument)
  create_in_c, ///< thrd_create(&thread, function, argument)
  start_state, ///< std::thread::_M_start_thread(this, &state, ...): the state's third virtual function.
  join,        ///< (thread, &result), whose result is a pointer or an int.
  join_object, ///< std::thread::join(this), detach
  detach,      ///< (thread)
};

constexpr std::uint64_t has_run = 1, has_ended = 0; // in a std::thread, which holds no other

std::optional<ThreadCall> thread_call(const Function &function) {
  using enum ThreadCall;
  if (!function.isDeclaration())
    return std::nullopt;
  const std::optional<ThreadCall> kind =
      StringSwitch<std::optional<ThreadCall>>(function.getName())
          .Case("pthread_create", create)
          .Case("thrd_create", create_in_c)
          .Case("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", start_state)
          .Cases({"pthread_join", "thrd_join"}, join)
          .Cases({"_ZNSt6thread4joinEv", "_ZNSt6thread6detachEv"}, join_object)
          .Cases({"pthread_detach", "thrd_detach"}, detach)
          .Default(std::nullopt);
  if (!kind)
    return std::nullopt;
  const unsigned parameters = *kind == create                                ? 4
                              : *kind == create_in_c || *kind == start_state ? 3
                              : *kind == join                                ? 2
                                                                             : 1;
  return function.arg_size() == parameters ? kind : std::nullopt;
}

/// Waits that have no answer where threads run one after the other.
bool waits(StringRef name) {
  return name.starts_with("pthread_barrier_") || name.starts_with("_ZNSt3_V222condition_variable_any") ||
         name == "sem_timedwait" || name == "sem_clockwait";
}

/// The thread handle holds the return value of the thread's function, for the join.
void create(CallBase &call, unsigned function, bool returns_pointer) {
  IRBuilder<> builder(&call);
  Type *type = returns_pointer ? static_cast<Type *>(builder.getPtrTy()) : builder.getInt32Ty();
  Value *result = builder.CreateCall(FunctionType::get(type, {builder.getPtrTy()}, false), call.getArgOperand(function),
                                     {call.getArgOperand(function + 1)});
  result = returns_pointer ? builder.CreatePtrToInt(result, builder.getInt64Ty())
                           : builder.CreateSExt(result, builder.getInt64Ty());
  builder.CreateStore(result, call.getArgOperand(0));
}

void start_state(CallBase &call) {
  IRBuilder<> builder(&call);
  PointerType *pointer = builder.getPtrTy();
  Value *state = builder.CreateLoad(pointer, call.getArgOperand(1));
  Value *functions = builder.CreateLoad(pointer, state); // Two destructors come first.
  Value *run = builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, functions, 2));
  builder.CreateCall(FunctionType::get(builder.getVoidTy(), {pointer}, false), run, {state});
  builder.CreateStore(builder.getInt64(has_run), call.getArgOperand(0));
}

void join(CallBase &call, bool returns_pointer) {
  Value *place = call.getArgOperand(1);
  if (isa<ConstantPointerNull>(place))
    return;
  IRBuilder<> builder(&call);
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(builder.CreateIsNotNull(place), &call, false));
  Value *thread = call.getArgOperand(0);
  builder.CreateStore(returns_pointer ? builder.CreateIntToPtr(thread, builder.getPtrTy())
                                      : builder.CreateTrunc(thread, builder.getInt32Ty()),
                      place);
}

void answer(CallBase &call, ThreadCall kind) {
  switch (kind) {
  case ThreadCall::create:
    create(call, 2, true);
    break;
  case ThreadCall::create_in_c:
    create(call, 1, false);
    break;
  case ThreadCall::start_state:
    start_state(call);
    break;
  case ThreadCall::join:
    join(call, call.getCalledFunction()->getName() == "pthread_join");
    break;
  case ThreadCall::join_object:
    IRBuilder<>(&call).CreateStore(ConstantInt::get(Type::getInt64Ty(call.getContext()), has_ended),
                                   call.getArgOperand(0));
    break;
  case ThreadCall::detach:
    break;
  }
  replace_call(call); // Zero is success.
}

} // namespace

/// A wrapper of `called` for threads that run where they are started.
static Function *function_in_place_of(Function &called) {
  const std::string name = ("assay.thread." + called.getName()).str();
  return own_function(*called.getParent(), name, called.getFunctionType(), [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
    SmallVector<Value *, 4> arguments;
    for (Argument &argument : function.args())
      arguments.push_back(&argument);
    Value *result = builder.CreateCall(&called, arguments);
    if (called.getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(result);
    run_threads_where_started(function);
  });
}

/// The replacement of `called`; null where it is called itself.
static Function *answer_to(Function &called) {
  const bool is_answered =
      thread_call(called) == ThreadCall::join_object || is_answered_future(called) || is_answered_wait(called);
  return is_answered ? function_in_place_of(called) : nullptr;
}

void answer_by_address(CallBase &call) {
  Function *called = call.getCalledFunction();
  if (!called || has_waiting_threads(*call.getModule()))
    return;
  if (Function *answer = answer_to(*called))
    call.setCalledFunction(answer);
}

/// Uses of the address, in constants too.
static void replace_addresses(Function &called, Function &answer) {
  called.replaceUsesWithIf(&answer, [&](const Use &use) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    const auto *instruction = dyn_cast<Instruction>(use.getUser());
    return !(call && call->isCallee(&use)) && !(instruction && instruction->getFunction() == &answer);
  });
}

bool is_answered_for_threads(const Function &function) {
  return thread_call(function) || is_answered_future(function) || may_wait(function);
}

bool has_waiting_threads(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.isDeclaration() && !function.use_empty() && waits(function.getName());
  });
}

/// Whether anything in `function` is answered; the whole module is asked about waits only then.
static bool calls_what_is_answered(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->getCalledFunction() && is_answered_for_threads(*call->getCalledFunction());
  });
}

bool run_threads_where_started(Function &function) {
  if (!calls_what_is_answered(function) || has_waiting_threads(*function.getParent()))
    return false;
  SmallVector<std::pair<CallBase *, ThreadCall>, 8> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction())
      if (const std::optional<ThreadCall> kind = thread_call(*call->getCalledFunction()))
        calls.emplace_back(call, *kind);
  for (const auto &[call, kind] : calls)
    answer(*call, kind);
  const bool has_futures = answer_futures(function), has_waits = answer_waits(function);
  return has_futures || has_waits || !calls.empty();
}

void run_threads_where_started(Module &module) {
  if (has_waiting_threads(module))
    return;
  for (Function &function : make_early_inc_range(module))
    if (!function.isDeclaration())
      run_threads_where_started(function);
    else if (function.hasAddressTaken())
      if (Function *answer = answer_to(function))
        replace_addresses(function, *answer);
}

} // namespace assay::engine
