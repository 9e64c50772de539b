#include "core/engine/emit/logged_writes.hpp"
#include "core/engine/emit/rule_lanes.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned log_words = 5; // of `Log` in write_log.c

void call_library(IRBuilderBase &builder, StringRef name, ArrayRef<Value *> arguments) {
  builder.CreateCall(library_helper(*builder.GetInsertBlock()->getModule(), name), arguments);
}

/// Writes the copies: one for each function that the primal reaches.
class LoggedCopies {
public:
  explicit LoggedCopies(DerivativeSource &engine) : engine_(engine) {}

  /// The copy takes the log after the function's own arguments.
  Expected<Function *> copy_of(Function &function) {
    const std::string name = (function.getName() + ".logged").str();
    Function *made = engine_.module().getFunction(name);
    if (made && !made->isDeclaration())
      return made;
    FunctionType *type = function.getFunctionType();
    if (made || function.isDeclaration() || type->isVarArg())
      return unsupported(function, nullptr, "what it changes in memory is not seen", "show its body");
    SmallVector<Type *, 8> parameters(type->params());
    parameters.push_back(PointerType::getUnqual(function.getContext()));
    auto *copy = Function::Create(FunctionType::get(type->getReturnType(), parameters, false),
                                  GlobalValue::InternalLinkage, name, engine_.module());
    ValueToValueMapTy map;
    for (Argument &argument : function.args())
      map[&argument] = copy->getArg(argument.getArgNo());
    SmallVector<ReturnInst *, 4> returns;
    CloneFunctionInto(copy, &function, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setVisibility(GlobalValue::DefaultVisibility);
    copy->setMemoryEffects(MemoryEffects::unknown());
    copy->removeFnAttr(Attribute::AlwaysInline);
    copy->addFnAttr(Attribute::NoInline); // its frame must lie below that of the derivative
    SmallVector<Instruction *, 32> writers;
    for (Instruction &instruction : instructions(*copy))
      if (instruction.mayWriteToMemory())
        writers.push_back(&instruction);
    for (Instruction *writer : writers)
      if (Error error = log(*writer, *copy->getArg(copy->arg_size() - 1))) {
        copy->deleteBody(); // one that logs only a part must not be found again
        return error;
      }
    return copy;
  }

private:
  Error log(Instruction &writer, Value &log) {
    IRBuilder<> builder(&writer);
    const DataLayout &layout = engine_.module().getDataLayout();
    const auto note = [&](Value *pointer, Value *bytes) {
      if (!isa<AllocaInst>(getUnderlyingObject(pointer)))
        call_library(builder, "assay.writes.note", {&log, pointer, bytes});
    };
    const auto size_of = [&](Type *type) { return builder.getInt64(layout.getTypeStoreSize(type).getFixedValue()); };
    if (const auto *store = dyn_cast<StoreInst>(&writer)) {
      note(writer.getOperand(1), size_of(store->getValueOperand()->getType()));
    } else if (const auto *update = dyn_cast<AtomicRMWInst>(&writer)) {
      note(writer.getOperand(0), size_of(update->getType()));
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&writer)) {
      note(writer.getOperand(0), size_of(exchange->getNewValOperand()->getType()));
    } else if (auto *call = dyn_cast<CallBase>(&writer)) {
      return log_call(*call, log);
    }
    return Error::success();
  }

  Error log_call(CallBase &call, Value &log) {
    if (call.onlyAccessesInaccessibleMemory() || ScalarRule::find(call, engine_.function_info()))
      return Error::success();
    IRBuilder<> builder(&call);
    const MemoryCall memory = classify_memory_call(call, engine_.function_info());
    const auto bytes = [&] {
      Value *product = builder.getInt64(1);
      for (unsigned operand : memory.size)
        product =
            builder.CreateMul(product, builder.CreateZExtOrTrunc(call.getArgOperand(operand), builder.getInt64Ty()));
      return product;
    };
    switch (memory.action) {
    case MemoryAction::allocate:
    case MemoryAction::allocate_zeroed: {
      Value *size = bytes();
      if (auto *invoke = dyn_cast<InvokeInst>(&call))
        builder.SetInsertPoint(invoke->getNormalDest(), invoke->getNormalDest()->getFirstInsertionPt());
      else
        builder.SetInsertPoint(call.getNextNode());
      call_library(builder, "assay.writes.allocated", {&log, &call, size});
      return Error::success();
    }
    case MemoryAction::release:
      call_library(builder, "assay.writes.released", {&log, call.getArgOperand(memory.pointer)});
      return Error::success();
    case MemoryAction::copy:
    case MemoryAction::fill:
      call_library(builder, "assay.writes.note", {&log, call.getArgOperand(memory.pointer), bytes()});
      return Error::success();
    case MemoryAction::measure:
      return Error::success();
    default:
      break;
    }
    if (isa<IntrinsicInst>(call) && !isa<MemIntrinsic>(call))
      return Error::success(); // lifetimes, assumptions, the stack
    return call_copy(call, log);
  }

  Error call_copy(CallBase &call, Value &log) {
    Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration())
      return unsupported(call, "what it changes in memory is not seen", "show its body");
    Expected<Function *> copy = copy_of(*callee);
    if (!copy)
      return copy.takeError();
    SmallVector<Value *, 8> arguments(call.args());
    arguments.push_back(&log);
    CallBase *logged = nullptr;
    if (auto *invoke = dyn_cast<InvokeInst>(&call))
      logged = InvokeInst::Create(*copy, invoke->getNormalDest(), invoke->getUnwindDest(), arguments, "",
                                  call.getIterator());
    else
      logged = CallInst::Create(*copy, arguments, "", call.getIterator());
    logged->setCallingConv(call.getCallingConv());
    logged->setAttributes(call.getAttributes());
    logged->setMemoryEffects(MemoryEffects::unknown());
    logged->setDebugLoc(call.getDebugLoc());
    call.replaceAllUsesWith(logged);
    call.eraseFromParent();
    return Error::success();
  }

  DerivativeSource &engine_;
};

} // namespace

Expected<bool> changes_arguments(DerivativeSource &engine, const UserRule &rule, const SmallBitVector &shadows) {
  if (rule.primal->onlyReadsMemory())
    return false;
  Expected<bool> may_write = may_write_arguments(engine, *rule.primal);
  if (!may_write || !*may_write || !rule.primal->isDeclaration())
    return may_write;
  return may_write_arguments(engine, *rule.forward, shadows);
}

Expected<LoggedWrites> LoggedWrites::record(DerivativeSource &engine, IRBuilderBase &builder, const CallBase &original,
                                            Function &primal, ArrayRef<Value *> arguments) {
  Expected<Function *> copy = LoggedCopies(engine).copy_of(primal);
  if (!copy) {
    consumeError(copy.takeError());
    return unsupported(original,
                       "'" + source_name(primal) +
                           "' may change memory of its arguments, and its registered derivative runs more than once",
                       "show the bodies of what it calls, or differentiate at width 1");
  }
  LoggedWrites made;
  {
    IRBuilderBase::InsertPointGuard guard(builder);
    builder.SetInsertPointPastAllocas(builder.GetInsertBlock()->getParent());
    made.log_ = builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), log_words), nullptr, "writes");
  }
  call_library(builder, "assay.writes.begin", {made.log_, builder.CreateStackSave()});
  SmallVector<Value *, 8> with_log(arguments);
  with_log.push_back(made.log_);
  CallInst *call = builder.CreateCall(*copy, with_log);
  call->setCallingConv(original.getCallingConv());
  call->setAttributes(original.getAttributes());
  call->setMemoryEffects(MemoryEffects::unknown());
  made.result_ = call;
  made.put_back(builder);
  return made;
}

void LoggedWrites::put_back(IRBuilderBase &builder) const {
  call_library(builder, "assay.writes.undo", {log_});
}

void LoggedWrites::end(IRBuilderBase &builder) const {
  call_library(builder, "assay.writes.end", {log_});
}

} // namespace assay::engine
