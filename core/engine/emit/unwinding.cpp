#include "core/engine/emit/unwinding.hpp"
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/support/library_table.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The personality of C++ where C++ is spoken; C's knows landing pads that only clean up, and needs no library.
Constant *personality_for(Function &function) {
  if (function.hasPersonalityFn())
    return function.getPersonalityFn();
  Module &module = *function.getParent();
  for (Function &other : module)
    if (other.hasPersonalityFn())
      return other.getPersonalityFn();
  auto *type = FunctionType::get(Type::getInt32Ty(module.getContext()), /*isVarArg=*/true);
  return cast<Constant>(module.getOrInsertFunction("__gcc_personality_v0", type).getCallee());
}

BasicBlock *landing_pad(Function &function, function_ref<void(IRBuilder<> &)> release) {
  LLVMContext &context = function.getContext();
  auto *pad = BasicBlock::Create(context, "unwind", &function);
  IRBuilder<> builder(pad);
  builder.SetCurrentDebugLocation(function_location(function));
  Type *type = StructType::get(builder.getPtrTy(), builder.getInt32Ty());
  LandingPadInst *exception = builder.CreateLandingPad(type, 0);
  exception->setCleanup(true);
  release(builder);
  builder.CreateResume(exception);
  function.setPersonalityFn(personality_for(function));
  return pad;
}

} // namespace

bool may_unwind(const CallBase &call) {
  if (call.doesNotThrow() || call.isInlineAsm() || isa<IntrinsicInst>(call))
    return false;
  const Function *callee = call.getCalledFunction();
  const LibraryFunction *known = callee ? library_function(*callee) : nullptr;
  return !known || known->effect != LibraryEffect::allocation; // nothing is undone where memory runs out
}

void release_on_unwind(Function &function, ArrayRef<CallInst *> calls, function_ref<void(IRBuilder<> &)> release) {
  for (Instruction &instruction : instructions(function))
    if (auto *resume = dyn_cast<ResumeInst>(&instruction)) {
      IRBuilder<> builder(resume);
      release(builder);
    }
  if (calls.empty())
    return;
  BasicBlock *pad = landing_pad(function, release);
  for (CallInst *call : calls)
    changeToInvokeAndSplitBasicBlock(call, pad);
}

} // namespace assay::engine
