#include "core/engine/prepare/futures.hpp"
#include "core/engine/prepare/replace_call.hpp"
#include "core/engine/rules/stop_program.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

using namespace llvm;

namespace assay::engine {
namespace {

enum class FutureCall : std::uint8_t {
  once,         ///< pthread_once(&flag, function)
  begin_result, ///< _Result_base(this), of a virtual table and an exception_ptr.
  end_result,   ///< ~_Result_base(this)
  wait,         ///< _M_futex_wait_until(...) and its relatives
  notify,       ///< _M_futex_notify_all(...)
};

constexpr unsigned once_is_done = 2; // PTHREAD_ONCE's flag in glibc
constexpr StringLiteral once_proxy = "__once_proxy", once_call = "_ZSt11__once_call";
constexpr StringLiteral end_exception = "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv";
constexpr StringLiteral waits_in_vain = "assay: a thread waits for a future whose value comes later than the thread's "
                                        "start; threads are run where they are "
                                        "started: start the thread that gives the value first\n";

std::optional<FutureCall> future_call(const Function &function) {
  using enum FutureCall;
  if (!function.isDeclaration())
    return std::nullopt;
  const StringRef name = function.getName();
  if (name.starts_with("_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_until") ||
      name.starts_with("_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steady"))
    return wait;
  return StringSwitch<std::optional<FutureCall>>(name)
      .Case("pthread_once", once)
      .Case("_ZNSt13__future_base12_Result_baseC2Ev", begin_result)
      .Case("_ZNSt13__future_base12_Result_baseD2Ev", end_result)
      .Case("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj", notify)
      .Default(std::nullopt);
}

/// std::call_once passes its function in a thread-local variable.
Value *function_to_run(IRBuilder<> &builder, CallBase &call) {
  Value *given = call.getArgOperand(1);
  Function *proxy = call.getModule()->getFunction(once_proxy);
  GlobalVariable *variable = call.getModule()->getGlobalVariable(once_call);
  if (!proxy || !variable)
    return given;
  Value *noted = builder.CreateLoad(builder.getPtrTy(), builder.CreateThreadLocalAddress(variable));
  return builder.CreateSelect(builder.CreateICmpEQ(given, proxy), noted, given);
}

Value *is_to_be_run(IRBuilder<> &builder, CallBase &call) {
  Value *flag = builder.CreateLoad(builder.getInt32Ty(), call.getArgOperand(0));
  return builder.CreateICmpNE(flag, builder.getInt32(once_is_done));
}

void note_run(IRBuilder<> &builder, CallBase &call) {
  builder.CreateStore(builder.getInt32(once_is_done), call.getArgOperand(0));
}

FunctionType *procedure(IRBuilder<> &builder) {
  return FunctionType::get(builder.getVoidTy(), false);
}

void run_once(CallInst &call) {
  IRBuilder<> builder(&call);
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_to_be_run(builder, call), &call, false));
  builder.CreateCall(procedure(builder), function_to_run(builder, call));
  note_run(builder, call);
}

/// An exception of the function leaves the flag as it is.
void run_once(InvokeInst &invoke) {
  Function &function = *invoke.getFunction();
  BasicBlock *before = invoke.getParent(), *normal = invoke.getNormalDest(), *unwind = invoke.getUnwindDest();
  const auto new_block = [&](const char *name) {
    return BasicBlock::Create(function.getContext(), name, &function, normal);
  };
  BasicBlock *run = new_block("once"), *ran = new_block("ran"), *joined = new_block("joined");
  IRBuilder<> builder(&invoke);
  builder.CreateCondBr(is_to_be_run(builder, invoke), run, joined);
  builder.SetInsertPoint(run);
  builder.CreateInvoke(procedure(builder), function_to_run(builder, invoke), ran, unwind);
  builder.SetInsertPoint(ran);
  note_run(builder, invoke);
  builder.CreateBr(joined);
  BranchInst::Create(normal, joined);
  normal->replacePhiUsesWith(before, joined);
  unwind->replacePhiUsesWith(before, run);
  invoke.replaceAllUsesWith(ConstantInt::get(invoke.getType(), 0));
  invoke.eraseFromParent();
}

Value *exception_of_result(IRBuilder<> &builder, CallBase &call) {
  return builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), call.getArgOperand(0), 1);
}

void end_result(CallBase &call) {
  IRBuilder<> builder(&call);
  Value *place = exception_of_result(builder, call);
  Value *exception = builder.CreateLoad(builder.getPtrTy(), place);
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(builder.CreateIsNotNull(exception), &call, false));
  builder.CreateCall(call.getModule()->getOrInsertFunction(end_exception, builder.getVoidTy(), builder.getPtrTy()),
                     {place});
}

void answer(CallBase &call, FutureCall kind) {
  IRBuilder<> builder(&call);
  switch (kind) {
  case FutureCall::once:
    if (auto *invoke = dyn_cast<InvokeInst>(&call))
      return run_once(*invoke);
    run_once(cast<CallInst>(call));
    break;
  case FutureCall::begin_result:
    builder.CreateStore(ConstantPointerNull::get(builder.getPtrTy()), exception_of_result(builder, call));
    break;
  case FutureCall::end_result:
    end_result(call);
    break;
  case FutureCall::wait:
    emit_stop_with_message(builder, waits_in_vain);
    break;
  case FutureCall::notify:
    break;
  }
  replace_call(call);
}

} // namespace

bool is_answered_future(const Function &function) {
  return future_call(function).has_value();
}

bool answer_futures(Function &function) {
  SmallVector<std::pair<CallBase *, FutureCall>, 8> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction())
      if (const std::optional<FutureCall> kind = future_call(*call->getCalledFunction()))
        calls.emplace_back(call, *kind);
  for (const auto &[call, kind] : calls)
    answer(*call, kind);
  return !calls.empty();
}

} // namespace assay::engine
