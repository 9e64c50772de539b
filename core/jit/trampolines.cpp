#include "core/jit/trampolines.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include <map>

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

/// Parameters that the code puts into variables become values again.
void promote_variables(llvm::Function &function) {
  llvm::FunctionAnalysisManager analyses;
  llvm::PassBuilder().registerFunctionAnalyses(analyses);
  llvm::PromotePass().run(function, analyses);
}

/// An internal procedure whose address is passed on.
class InternalProcedure {
public:
  InternalProcedure(llvm::Function &procedure, unsigned nest)
      : procedure_(procedure), nest_(nest), builder_(procedure.getContext()) {}

  /// `address` stands for the procedure with the variables at `host`.
  void resolve(llvm::Value &address, llvm::Value &host) {
    for (llvm::Use &use : llvm::make_early_inc_range(address.uses()))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser()); call && call->isCallee(&use))
        call_directly(*call, host);
      else if (call && !call->isBundleOperand(&use) && has_body(call->getCalledFunction()))
        call_copy(*call, call->getArgOperandNo(&use), host);
      else
        use.set(&stop());
  }

private:
  static bool has_body(const llvm::Function *function) {
    return function && !function->isDeclaration() && !function->isVarArg();
  }

  void replace(llvm::CallInst &call, llvm::Function &callee, llvm::ArrayRef<llvm::Value *> arguments) {
    builder_.SetInsertPoint(&call);
    llvm::CallInst *other = builder_.CreateCall(&callee, arguments);
    other->setDebugLoc(call.getDebugLoc());
    other->takeName(&call);
    call.replaceAllUsesWith(other);
    call.eraseFromParent();
  }

  void call_directly(llvm::CallInst &call, llvm::Value &host) {
    llvm::SmallVector<llvm::Value *, 8> arguments(call.args());
    arguments.insert(arguments.begin() + nest_, &host);
    replace(call, procedure_, arguments);
  }

  void call_copy(llvm::CallInst &call, unsigned parameter, llvm::Value &host) {
    llvm::Function &copy = copy_of(*call.getCalledFunction(), parameter);
    llvm::SmallVector<llvm::Value *, 8> arguments(call.args());
    arguments[parameter] = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    arguments.push_back(&host);
    replace(call, copy, arguments);
  }

  /// `function` with the variables as a last parameter, calling the procedure where it called the given parameter.
  llvm::Function &copy_of(llvm::Function &function, unsigned parameter) {
    llvm::Function *&copy = copies_[{&function, parameter}];
    if (copy)
      return *copy;
    llvm::SmallVector<llvm::Type *, 8> types(function.getFunctionType()->params());
    types.push_back(builder_.getPtrTy());
    copy = llvm::Function::Create(llvm::FunctionType::get(function.getReturnType(), types, false),
                                  llvm::GlobalValue::InternalLinkage,
                                  function.getName() + ".with." + procedure_.getName(), function.getParent());
    llvm::ValueToValueMapTy values;
    for (llvm::Argument &argument : function.args()) {
      values[&argument] = copy->getArg(argument.getArgNo());
      copy->getArg(argument.getArgNo())->setName(argument.getName());
    }
    llvm::SmallVector<llvm::ReturnInst *, 4> returns;
    llvm::CloneFunctionInto(copy, &function, values, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    copy->setComdat(nullptr);
    promote_variables(*copy);
    llvm::Function &written = *copy; // Further copies move the reference.
    resolve(*written.getArg(parameter), *written.getArg(static_cast<unsigned>(written.arg_size()) - 1));
    return written;
  }

  /// What is called where the address is not followed.
  llvm::Function &stop() {
    if (stop_)
      return *stop_;
    llvm::SmallVector<llvm::Type *, 8> types(procedure_.getFunctionType()->params());
    types.erase(types.begin() + nest_);
    llvm::Module &module = *procedure_.getParent();
    stop_ = llvm::Function::Create(llvm::FunctionType::get(procedure_.getReturnType(), types, false),
                                   llvm::GlobalValue::InternalLinkage, "stop.of." + procedure_.getName(), module);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", stop_));
    builder_.SetCurrentDebugLocation({});
    auto *type = llvm::FunctionType::get(builder_.getInt32Ty(), {builder_.getInt32Ty(), builder_.getPtrTy()}, true);
    const std::string text = "assay: the address of the internal procedure " + procedure_.getName().str() +
                             " is kept in memory or passed to code without a body, and called there; pass the "
                             "procedure as an argument all the way, or make it a module procedure\n";
    builder_.CreateCall(module.getOrInsertFunction("dprintf", type),
                        {builder_.getInt32(2), builder_.CreateGlobalString("%s"), builder_.CreateGlobalString(text)});
    builder_.CreateCall(module.getOrInsertFunction("abort", builder_.getVoidTy()))->setDoesNotReturn();
    builder_.CreateUnreachable();
    return *stop_;
  }

  llvm::Function &procedure_;
  unsigned nest_;
  llvm::IRBuilder<> builder_;
  std::map<std::pair<llvm::Function *, unsigned>, llvm::Function *> copies_;
  llvm::Function *stop_ = nullptr;
};

} // namespace

void replace_trampolines(llvm::Module &module) {
  for (llvm::IntrinsicInst *begin : calls_of(module, llvm::Intrinsic::init_trampoline)) {
    llvm::Value *place = begin->getArgOperand(0);
    llvm::Value *host = begin->getArgOperand(2);
    auto *procedure = llvm::dyn_cast<llvm::Function>(begin->getArgOperand(1)->stripPointerCasts());
    const int nest = procedure ? nest_parameter(*procedure) : -1;
    if (nest < 0)
      continue;
    InternalProcedure internal(*procedure, static_cast<unsigned>(nest));
    for (llvm::IntrinsicInst *address : calls_of(module, llvm::Intrinsic::adjust_trampoline))
      if (address->getFunction() == begin->getFunction() && address->getArgOperand(0) == place) {
        internal.resolve(*address, *host);
        address->eraseFromParent();
      }
    begin->eraseFromParent();
  }
}

} // namespace assay::jit
