#include "core/widen/widen.hpp"

#include "core/passes/module_analyses.hpp"
#include "core/widen/externals.hpp"
#include "core/widen/function_widener.hpp"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Utils/Local.h"

namespace assay::widen {

namespace {

/// What a function or a call says of its effects is no longer so: it also talks to the runtime.
template <class FunctionOrCall>
void forget_promises(FunctionOrCall &target) {
  using llvm::Attribute;
  for (const Attribute::AttrKind kind : {Attribute::Memory, Attribute::NoSync, Attribute::NoFree, Attribute::WillReturn,
                                         Attribute::Speculatable, Attribute::NoRecurse})
    target.removeFnAttr(kind);
  for (unsigned index = 0; index < target.arg_size(); ++index)
    for (const Attribute::AttrKind kind :
         {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly, Attribute::NoAlias, Attribute::Captures,
          Attribute::Initializes, Attribute::DeadOnReturn, Attribute::Returned})
      target.removeParamAttr(index, kind);
}

bool is_followed(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return !call.isInlineAsm() && (!callee || !callee->isDeclaration()) && !call.hasFnAttr(not_followed_attribute);
}

/// Structs that are passed as copies on the stack become copies that the caller makes: there is a place for their
/// movements before the callee starts.
void copy_by_hand(llvm::CallBase &call, unsigned index) {
  llvm::Type *type = call.getParamByValType(index);
  llvm::Function &function = *call.getFunction();
  const llvm::DataLayout &layout = function.getDataLayout();
  const llvm::Align alignment = call.getParamAlign(index).value_or(layout.getPrefTypeAlign(type));
  llvm::IRBuilder<> entry(&function.getEntryBlock(), function.getEntryBlock().begin());
  llvm::AllocaInst *copy = entry.CreateAlloca(type);
  copy->setAlignment(std::max(alignment, layout.getPrefTypeAlign(type)));
  llvm::IRBuilder<> builder(&call);
  builder.CreateMemCpy(copy, copy->getAlign(), call.getArgOperand(index), alignment, layout.getTypeAllocSize(type));
  call.setArgOperand(index, copy);
  call.removeParamAttr(index, llvm::Attribute::ByVal);
  if (auto *plain = llvm::dyn_cast<llvm::CallInst>(&call))
    plain->setTailCallKind(llvm::CallInst::TCK_None);
}

void pass_structs_by_address(llvm::Function &function) {
  for (llvm::Argument &argument : function.args())
    argument.removeAttr(llvm::Attribute::ByVal);
  llvm::SmallVector<llvm::CallBase *, 16> calls;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && is_followed(*call))
        calls.push_back(call);
  for (llvm::CallBase *call : calls) {
    forget_promises(*call);
    for (unsigned index = 0; index < call->arg_size(); ++index)
      if (call->isByValArgument(index))
        copy_by_hand(*call, index);
  }
}

/// A pointer to a function of the mathematical library becomes one to a function of the program that calls it, which is
/// followed.
void wrap_pointers_to_mathematics(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *, 16> declarations;
  for (llvm::Function &function : module)
    if (is_mathematics(function) && function.hasAddressTaken())
      declarations.push_back(&function);
  for (llvm::Function *function : declarations) {
    llvm::Function *wrapper = wrapper_of(*function);
    function->replaceUsesWithIf(wrapper, [&](const llvm::Use &use) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return !call || !call->isCallee(&use);
    });
  }
}

/// Variables instead of memory: every access that is left costs a look-up.
void simplify(llvm::ArrayRef<llvm::Function *> functions) {
  llvm::PassBuilder builder;
  ModuleAnalyses analyses(builder);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::ScalarizeMaskedMemIntrinPass());
  for (llvm::Function *function : functions)
    passes.run(*function, analyses.functions);
}

} // namespace

bool is_mathematics(const llvm::Function &function) {
  return function.isDeclaration() && !function.isIntrinsic() && is_pure_mathematics(kind_of_external(function));
}

llvm::Function *wrapper_of(llvm::Function &function) {
  auto *wrapper = llvm::Function::Create(function.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                         "assay.calls." + function.getName(), function.getParent());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", wrapper));
  llvm::SmallVector<llvm::Value *, 4> arguments;
  for (llvm::Argument &argument : wrapper->args())
    arguments.push_back(&argument);
  builder.CreateRet(builder.CreateCall(&function, arguments));
  return wrapper;
}

bool can_be_widened(const llvm::Function &function) {
  return !function.isDeclaration() && !function.hasFnAttribute(llvm::Attribute::Naked);
}

void widen(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions, TwinKind kind) {
  for (llvm::Function *function : functions)
    pass_structs_by_address(*function);
  simplify(functions);
  RuntimeCalls runtime(module);
  for (llvm::Function *function : functions) {
    llvm::removeUnreachableBlocks(*function);
    forget_promises(*function);
    FunctionWidener(*function, runtime, kind).run();
  }
}

void widen(llvm::Module &module, TwinKind kind) {
  wrap_pointers_to_mathematics(module);
  llvm::SmallVector<llvm::Function *, 32> functions;
  for (llvm::Function &function : module) {
    if (function.hasAvailableExternallyLinkage()) // The library's copy is not followed; this one is.
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (can_be_widened(function))
      functions.push_back(&function);
  }
  widen(module, functions, kind);
}

} // namespace assay::widen
