#include "core/engine/emit/rare_calls.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {

/// A function that calls `rare` when its first argument is true, to be inlined; the other arguments are passed on.
static Function *call_if(Module &module, Function &rare) {
  SmallVector<Type *, 4> parameters{Type::getInt1Ty(module.getContext())};
  append_range(parameters, rare.getFunctionType()->params());
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), parameters, false);
  return own_function(module, (rare.getName() + ".if").str(), type, [&](Function &function) {
    function.addFnAttr(Attribute::AlwaysInline);
    LLVMContext &context = module.getContext();
    auto *call = BasicBlock::Create(context, "overlap", &function), *done = BasicBlock::Create(context, "", &function);
    IRBuilder<>(BasicBlock::Create(context, "", &function, call)).CreateCondBr(function.getArg(0), call, done);
    IRBuilder<> builder(call);
    SmallVector<Value *, 4> arguments;
    for (Argument &argument : drop_begin(function.args()))
      arguments.push_back(&argument);
    builder.CreateCall(&rare, arguments);
    builder.CreateBr(done);
    IRBuilder<>(done).CreateRetVoid();
  });
}

Function *rare_function(Module &module, StringRef name, ArrayRef<Type *> parameters,
                        function_ref<void(IRBuilder<> &, Function &)> write) {
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), parameters, false);
  return own_function(module, name, type, [&](Function &function) {
    function.addFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::Cold);
    function.addFnAttr(rare_attribute);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
    write(builder, function);
    builder.CreateRetVoid();
  });
}

void RareCalls::add(IRBuilder<> &builder, Value *condition, Function &rare, ArrayRef<Value *> arguments) {
  SmallVector<Value *, 4> all{condition};
  append_range(all, arguments);
  calls_.push_back(builder.CreateCall(call_if(*rare.getParent(), rare), all));
}

void RareCalls::inline_conditions() {
  for (CallInst *call : calls_) {
    InlineFunctionInfo information;
    InlineFunction(*call, information, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false);
  }
  calls_.clear();
}

} // namespace assay::engine
