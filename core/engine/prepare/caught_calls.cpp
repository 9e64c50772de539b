#include "core/engine/prepare/caught_calls.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/prepare/leading_pointer.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Calls that nothing but memory's end can leave by an exception stay as they are.
bool may_throw(const CallInst &call) {
  if (call.doesNotThrow() || call.isInlineAsm() || isa<IntrinsicInst>(call) || call.isMustTailCall())
    return false;
  const Function *callee = call.getCalledFunction();
  const LibraryFunction *known = callee ? library_function(*callee) : nullptr;
  return !known || known->effect != LibraryEffect::allocation;
}

void return_nothing(IRBuilder<> &builder) {
  Type *type = builder.GetInsertBlock()->getParent()->getReturnType();
  type->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(Constant::getNullValue(type));
}

/// An exception is a number between the functions, also in derivatives of derivatives: no memory of the program's, and
/// so without a question of shadows.
Function *number_function(Module &module) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getInt64Ty(context), {PointerType::getUnqual(context)}, false);
  return own_function(module, (exception_prefix + "number").str(), type, [&](Function &function) {
    function.addFnAttr(Attribute::NoInline);
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    builder.CreateRet(builder.CreatePtrToInt(function.getArg(0), builder.getInt64Ty()));
  });
}

/// Throws what was caught elsewhere and not handled.
Function *raise_function(Module &module) {
  LLVMContext &context = module.getContext();
  Type *nothing = Type::getVoidTy(context), *pointer = PointerType::getUnqual(context);
  const FunctionCallee again = module.getOrInsertFunction(
      "_Unwind_Resume_or_Rethrow", FunctionType::get(Type::getInt32Ty(context), {pointer}, false));
  auto *type = FunctionType::get(nothing, {Type::getInt64Ty(context)}, false);
  Function *raise = own_function(module, (exception_prefix + "raise").str(), type, [&](Function &function) {
    function.addFnAttr(Attribute::NoInline);
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    builder.CreateCall(again, {builder.CreateIntToPtr(function.getArg(0), pointer)});
    builder.CreateUnreachable();
  });
  raise->removeFnAttr(Attribute::NoUnwind);
  return raise;
}

void return_exception(IRBuilder<> &builder, Value *exception, Value *place) {
  builder.CreateStore(builder.CreateCall(number_function(*builder.GetInsertBlock()->getModule()), {exception}), place);
  return_nothing(builder);
}

void catch_everything(LandingPadInst &pad) {
  auto *any = ConstantPointerNull::get(PointerType::getUnqual(pad.getContext()));
  for (unsigned clause = 0; clause < pad.getNumClauses(); ++clause)
    if (pad.isCatch(clause) && pad.getClause(clause) == any)
      return;
  pad.addClause(any);
}

/// What left `copy` as an exception returns it.
void end_in_returns(Function &copy, Value *place) {
  SmallVector<CallInst *, 8> throwing;
  SmallVector<ResumeInst *, 4> leaving;
  for (Instruction &instruction : instructions(copy)) {
    if (auto *call = dyn_cast<CallInst>(&instruction); call && may_throw(*call))
      throwing.push_back(call);
    else if (auto *pad = dyn_cast<LandingPadInst>(&instruction))
      catch_everything(*pad);
    else if (auto *resume = dyn_cast<ResumeInst>(&instruction))
      leaving.push_back(resume);
  }
  for (ResumeInst *resume : leaving) {
    IRBuilder<> builder(resume);
    return_exception(builder, builder.CreateExtractValue(resume->getValue(), 0), place);
    resume->eraseFromParent();
  }
  if (throwing.empty())
    return;
  auto *leave = BasicBlock::Create(copy.getContext(), "thrown", &copy);
  IRBuilder<> builder(leave);
  LandingPadInst *pad = builder.CreateLandingPad(StructType::get(builder.getPtrTy(), builder.getInt32Ty()), 1);
  catch_everything(*pad);
  return_exception(builder, builder.CreateExtractValue(pad, 0), place);
  for (CallInst *call : throwing)
    changeToInvokeAndSplitBasicBlock(call, leave);
}

/// The same function, whose first parameter says where an exception goes.
Function &returning_exceptions(Function &callee, Constant *personality) {
  return copy_with_leading_pointer(callee, ".returning_exceptions", callee.getReturnType(),
                                   [&](Function &copy, ArrayRef<ReturnInst *> /*exits*/) {
                                     if (!copy.hasPersonalityFn())
                                       copy.setPersonalityFn(personality);
                                     copy.removeFnAttr(Attribute::NoReturn);
                                     copy.removeFnAttr(Attribute::WillReturn);
                                     copy.setDoesNotThrow();
                                     BasicBlock &entry = copy.getEntryBlock();
                                     IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
                                     builder.CreateStore(builder.getInt64(0), copy.getArg(0));
                                     end_in_returns(copy, copy.getArg(0));
                                   });
}

void redirect(InvokeInst &invoke) {
  Function &caller = *invoke.getFunction();
  Function &copy = returning_exceptions(*invoke.getCalledFunction(), caller.getPersonalityFn());
  BasicBlock &entry = caller.getEntryBlock();
  Type *number = Type::getInt64Ty(caller.getContext());
  AllocaInst *place = IRBuilder<>(&entry, entry.begin()).CreateAlloca(number, nullptr, "exception");
  IRBuilder<> builder(&invoke);
  SmallVector<Value *, 8> arguments{place};
  append_range(arguments, invoke.args());
  CallInst *call = builder.CreateCall(&copy, arguments);
  call->setAttributes(attributes_behind_leading_pointer(invoke));
  call->removeFnAttr(Attribute::NoReturn);
  call->removeFnAttr(Attribute::WillReturn);
  call->setCallingConv(invoke.getCallingConv());
  call->setDoesNotThrow();
  Value *exception = builder.CreateLoad(number, place);
  auto *raise = BasicBlock::Create(caller.getContext(), "raise", &caller);
  auto *lost = BasicBlock::Create(caller.getContext(), "lost", &caller);
  builder.CreateCondBr(builder.CreateIsNull(exception), invoke.getNormalDest(), raise);
  builder.SetInsertPoint(lost);
  builder.CreateUnreachable();
  builder.SetInsertPoint(raise);
  builder.CreateInvoke(raise_function(*caller.getParent()), lost, invoke.getUnwindDest(), {exception});
  invoke.getUnwindDest()->replacePhiUsesWith(invoke.getParent(), raise);
  call->takeName(&invoke);
  invoke.replaceAllUsesWith(call);
  invoke.eraseFromParent();
}

bool can_be_copied(const InvokeInst &invoke, const FunctionInfo &function_info) {
  const Function *callee = invoke.getCalledFunction();
  return callee && !callee->isDeclaration() && !callee->isVarArg() && !function_info.keeps_call(*callee) &&
         !convention_call(*callee) && callee->getFunctionType() == invoke.getFunctionType();
}

} // namespace

void return_caught_exceptions(Function &function, const FunctionInfo &function_info) {
  const BlocksReachingReturn live(function);
  SmallVector<InvokeInst *, 4> caught;
  for (BasicBlock &block : function)
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()); invoke && !invoke->doesNotThrow() &&
                                                                    live.contains(invoke->getUnwindDest()) &&
                                                                    can_be_copied(*invoke, function_info))
      caught.push_back(invoke);
  for (InvokeInst *invoke : caught)
    redirect(*invoke);
}

} // namespace assay::engine
