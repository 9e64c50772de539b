#include "core/engine/prepare/thread_waits.hpp"
#include "core/engine/prepare/replace_call.hpp"
#include "core/engine/rules/stop_program.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cerrno>
#include <optional>

using namespace llvm;

namespace assay::engine {
namespace {

enum class WaitCall : std::uint8_t {
  is_forgotten,   ///< Makes, ends or notifies a condition.
  never_ends,     ///< Waits for a condition.
  times_out,      ///< The same, with a time limit, in POSIX's words.
  times_out_in_c, ///< and in those of <threads.h>.
  takes,          ///< sem_wait(&semaphore)
  futex,          ///< syscall(SYS_futex, &variable, operation, value, time limit, ...)
};

constexpr StringLiteral waits_in_vain =
    "assay: a thread waits for what another one does later, or has not done; threads are run where they are started: "
    "start those first that others wait for\n";
constexpr int thrd_timedout = 4;         // <threads.h> of glibc
constexpr std::uint64_t sys_futex = 202; // Linux, x86-64
constexpr std::uint64_t futex_command = 127, wait = 0, wake = 1, wait_bitset = 9, wake_bitset = 10; // <linux/futex.h>

std::optional<WaitCall> wait_call(const Function &function) {
  using enum WaitCall;
  if (!function.isDeclaration())
    return std::nullopt;
  return StringSwitch<std::optional<WaitCall>>(function.getName())
      .Cases({"_ZNSt18condition_variableC1Ev", "_ZNSt18condition_variableC2Ev", "_ZNSt18condition_variableD1Ev",
              "_ZNSt18condition_variableD2Ev", "_ZNSt18condition_variable10notify_oneEv",
              "_ZNSt18condition_variable10notify_allEv"},
             is_forgotten)
      .Cases({"pthread_cond_init", "pthread_cond_destroy", "pthread_cond_signal", "pthread_cond_broadcast"},
             is_forgotten)
      .Cases({"cnd_init", "cnd_destroy", "cnd_signal", "cnd_broadcast"}, is_forgotten)
      .Cases({"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", "pthread_cond_wait", "cnd_wait"}, never_ends)
      .Cases({"pthread_cond_timedwait", "pthread_cond_clockwait"}, times_out)
      .Case("cnd_timedwait", times_out_in_c)
      .Case("sem_wait", takes)
      .Case("syscall", futex)
      .Default(std::nullopt);
}

std::optional<std::uint64_t> constant_argument(const CallBase &call, unsigned index) {
  const auto *number = index < call.arg_size() ? dyn_cast<ConstantInt>(call.getArgOperand(index)) : nullptr;
  return number ? std::optional(number->getZExtValue()) : std::nullopt;
}

/// The command of a futex's call without a time limit.
std::optional<std::uint64_t> futex_call(const CallBase &call) {
  const std::optional<std::uint64_t> operation = constant_argument(call, 2);
  if (constant_argument(call, 0) != sys_futex || !operation || call.arg_size() < 4)
    return std::nullopt;
  const std::uint64_t command = *operation & futex_command;
  if (command == wake || command == wake_bitset)
    return wake;
  const auto *limit = call.arg_size() > 4 ? dyn_cast<Constant>(call.getArgOperand(4)) : nullptr;
  const bool has_limit = call.arg_size() > 4 && !(limit && limit->isNullValue());
  const bool waits = command == wait || command == wait_bitset;
  return waits && !has_limit ? std::optional(wait) : std::nullopt;
}

std::optional<WaitCall> answered_wait(const CallBase &call) {
  const Function *called = call.getCalledFunction();
  const std::optional<WaitCall> kind = called ? wait_call(*called) : std::nullopt;
  return kind == WaitCall::futex && !futex_call(call) ? std::nullopt : kind;
}

void stop_if(Value &condition, CallBase &before) {
  IRBuilder<> builder(&before);
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(&condition, &before, /*Unreachable=*/false));
  emit_stop_with_message(builder, waits_in_vain);
}

/// -1: the variable is no longer what it is waited for to change.
Value *answer_futex(CallBase &call) {
  if (futex_call(call) == wake)
    return nullptr;
  IRBuilder<> builder(&call);
  Value *expected = builder.CreateZExtOrTrunc(call.getArgOperand(3), builder.getInt32Ty());
  Value *variable = builder.CreateLoad(builder.getInt32Ty(), call.getArgOperand(1));
  stop_if(*builder.CreateICmpEQ(variable, expected), call);
  return ConstantInt::getSigned(call.getType(), -1);
}

void take(CallBase &call) {
  IRBuilder<> builder(&call);
  const FunctionCallee try_to = call.getModule()->getOrInsertFunction("sem_trywait", call.getFunctionType());
  Value *failed = builder.CreateCall(try_to, {call.getArgOperand(0)});
  stop_if(*builder.CreateIsNotNull(failed), call);
}

void answer(CallBase &call, WaitCall kind) {
  Value *result = nullptr; // Zero is success.
  switch (kind) {
  case WaitCall::is_forgotten:
    break;
  case WaitCall::never_ends: {
    IRBuilder<> builder(&call);
    emit_stop_with_message(builder, waits_in_vain);
    break;
  }
  case WaitCall::times_out:
    result = ConstantInt::get(call.getType(), ETIMEDOUT);
    break;
  case WaitCall::times_out_in_c:
    result = ConstantInt::get(call.getType(), thrd_timedout);
    break;
  case WaitCall::takes:
    take(call);
    break;
  case WaitCall::futex:
    result = answer_futex(call);
    break;
  }
  replace_call(call, result);
}

} // namespace

bool may_wait(const Function &function) {
  return wait_call(function).has_value();
}

bool is_answered_wait(const Function &function) {
  return may_wait(function) && wait_call(function) != WaitCall::futex;
}

bool answer_waits(Function &function) {
  SmallVector<std::pair<CallBase *, WaitCall>, 8> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (const std::optional<WaitCall> kind = answered_wait(*call))
        calls.emplace_back(call, *kind);
  for (const auto &[call, kind] : calls)
    answer(*call, kind);
  return !calls.empty();
}

} // namespace assay::engine
