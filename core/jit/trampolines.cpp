#include "core/jit/trampolines.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace assay::jit {

namespace {

llvm::SmallVector<llvm::IntrinsicInst *, 4> calls_of(llvm::Module &module, llvm::Intrinsic::ID intrinsic) {
  llvm::SmallVector<llvm::IntrinsicInst *, 4> calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); call && call->getIntrinsicID() == intrinsic)
        calls.push_back(call);
  return calls;
}

int nest_parameter(const llvm::Function &function) {
  for (const llvm::Argument &argument : function.args())
    if (argument.hasNestAttr())
      return static_cast<int>(argument.getArgNo());
  return -1;
}

/// Of one `llvm.init.trampoline`.
class Closure {
public:
  Closure(llvm::IntrinsicInst &begin, llvm::Function &called, unsigned nest)
      : begin_(begin), called_(called), nest_(nest), builder_(begin.getContext()) {
    llvm::Type *pointer = builder_.getPtrTy();
    variables_ =
        new llvm::GlobalVariable(*called.getParent(), pointer, false, llvm::GlobalValue::InternalLinkage,
                                 llvm::ConstantPointerNull::get(builder_.getPtrTy()), "host.of." + called.getName());
  }

  llvm::Function &write() {
    llvm::Function &function = *begin_.getFunction();
    llvm::Value *host = begin_.getArgOperand(2);
    for (llvm::BasicBlock &block : function)
      if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        leave(*end, *host);
    builder_.SetInsertPoint(&begin_);
    llvm::Value *other = builder_.CreateLoad(builder_.getPtrTy(), variables_);
    llvm::Value *is_taken = builder_.CreateAnd(builder_.CreateIsNotNull(other), builder_.CreateICmpNE(other, host));
    llvm::Instruction *stop = llvm::SplitBlockAndInsertIfThen(is_taken, &begin_, true);
    builder_.SetInsertPoint(stop);
    builder_.CreateCall(called_.getParent()->getOrInsertFunction("abort", builder_.getVoidTy()))->setDoesNotReturn();
    builder_.SetInsertPoint(&begin_);
    builder_.CreateStore(host, variables_);
    return thunk();
  }

private:
  void leave(llvm::ReturnInst &end, llvm::Value &host) {
    builder_.SetInsertPoint(&end);
    llvm::Value *now = builder_.CreateLoad(builder_.getPtrTy(), variables_);
    llvm::Value *nothing = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    builder_.CreateStore(builder_.CreateSelect(builder_.CreateICmpEQ(now, &host), nothing, now), variables_);
  }

  llvm::Function &thunk() {
    llvm::SmallVector<llvm::Type *, 8> types;
    for (const llvm::Argument &argument : called_.args())
      if (argument.getArgNo() != nest_)
        types.push_back(argument.getType());
    auto *thunk =
        llvm::Function::Create(llvm::FunctionType::get(called_.getReturnType(), types, false),
                               llvm::GlobalValue::InternalLinkage, "called." + called_.getName(), called_.getParent());
    builder_.SetInsertPoint(llvm::BasicBlock::Create(called_.getContext(), "", thunk));
    builder_.SetCurrentDebugLocation({});
    llvm::SmallVector<llvm::Value *, 8> values;
    for (llvm::Argument &argument : thunk->args())
      values.push_back(&argument);
    values.insert(values.begin() + nest_, builder_.CreateLoad(builder_.getPtrTy(), variables_));
    llvm::CallInst *call = builder_.CreateCall(&called_, values);
    call->addParamAttr(nest_, llvm::Attribute::Nest);
    if (called_.getSubprogram()) // A call of a function with debug information needs a place.
      call->setDebugLoc({});
    if (call->getType()->isVoidTy())
      builder_.CreateRetVoid();
    else
      builder_.CreateRet(call);
    return *thunk;
  }

  llvm::IntrinsicInst &begin_;
  llvm::Function &called_;
  unsigned nest_;
  llvm::GlobalVariable *variables_ = nullptr;
  llvm::IRBuilder<> builder_;
};

/// In the entry block, so that it is there at every end.
bool is_there_at_every_end(const llvm::Value &host) {
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&host);
  return !instruction || instruction->getParent()->isEntryBlock();
}

} // namespace

void replace_trampolines(llvm::Module &module) {
  for (llvm::IntrinsicInst *begin : calls_of(module, llvm::Intrinsic::init_trampoline)) {
    llvm::Value *place = begin->getArgOperand(0);
    auto *called = llvm::dyn_cast<llvm::Function>(begin->getArgOperand(1)->stripPointerCasts());
    const int nest = called ? nest_parameter(*called) : -1;
    if (nest < 0 || !is_there_at_every_end(*begin->getArgOperand(2)))
      continue;
    llvm::Function &thunk = Closure(*begin, *called, static_cast<unsigned>(nest)).write();
    for (llvm::IntrinsicInst *address : calls_of(module, llvm::Intrinsic::adjust_trampoline))
      if (address->getArgOperand(0) == place) {
        address->replaceAllUsesWith(&thunk);
        address->eraseFromParent();
      }
    begin->eraseFromParent();
  }
}

} // namespace assay::jit
