#include "core/engine/emit/tape_pool.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr Align block_alignment = Align::Constant<16>();

Type *pointer_in(Module &module) {
  return PointerType::getUnqual(module.getContext());
}
Type *word_in(Module &module) {
  return Type::getInt64Ty(module.getContext());
}
Type *flag_in(Module &module) {
  return Type::getInt32Ty(module.getContext());
}

/// `body` is its meaning wherever the pool is not used.
Function *stand_in(Module &module, StringRef name, FunctionType *type,
                   function_ref<Value *(IRBuilder<> &, Function &)> body) {
  return own_function(module, name, type, [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
    if (Value *result = body(builder, function))
      builder.CreateRet(result);
    else
      builder.CreateRetVoid();
    function.addFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::WillReturn);
  });
}

/// A pair that nothing else uses may be left out.
void set_family(Function &function, AllocFnKind kind, MemoryEffects effects) {
  function.addFnAttr(Attribute::getWithAllocKind(function.getContext(), kind));
  function.addFnAttr("alloc-family", pool_take_name);
  function.setMemoryEffects(effects);
}

Function *pool_enter_function(Module &module) {
  auto *type = FunctionType::get(flag_in(module), {flag_in(module)}, false);
  return stand_in(module, pool_enter_name, type, [](IRBuilder<> &builder, Function &function) -> Value * {
    function.addFnAttr(Attribute::OptimizeNone); // nobody infers that it does nothing
    return builder.getInt32(0);
  });
}

Function *pool_exit_function(Module &module) {
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), {flag_in(module)}, false);
  return stand_in(module, pool_exit_name, type, [](IRBuilder<> &, Function &function) -> Value * {
    function.addFnAttr(Attribute::OptimizeNone);
    return nullptr;
  });
}

} // namespace

FunctionCallee pool_take_function(Module &module) {
  auto *type = FunctionType::get(pointer_in(module), {word_in(module)}, false);
  const auto body = [&](IRBuilder<> &builder, Function &function) -> Value * {
    set_family(function, AllocFnKind::Alloc | AllocFnKind::Uninitialized, MemoryEffects::inaccessibleMemOnly());
    function.addFnAttr(Attribute::getWithAllocSizeArgs(module.getContext(), 0, std::nullopt));
    function.addRetAttr(Attribute::NoAlias);
    function.addRetAttr(Attribute::getWithAlignment(module.getContext(), block_alignment));
    return builder.CreateCall(malloc_function(module), {function.getArg(0)});
  };
  return stand_in(module, pool_take_name, type, body);
}

FunctionCallee pool_grow_function(Module &module) {
  pool_take_function(module); // what growing is where it is differentiated anew
  pool_leave_function(module);
  auto *type = FunctionType::get(pointer_in(module), {pointer_in(module), word_in(module), word_in(module)}, false);
  return stand_in(module, pool_grow_name, type, [&](IRBuilder<> &builder, Function &function) -> Value * {
    return builder.CreateCall(realloc_function(module), {function.getArg(0), function.getArg(2)});
  });
}

FunctionCallee pool_leave_function(Module &module) {
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), {pointer_in(module)}, false);
  return stand_in(module, pool_leave_name, type, [&](IRBuilder<> &builder, Function &function) -> Value * {
    set_family(function, AllocFnKind::Free, MemoryEffects::inaccessibleOrArgMemOnly());
    function.addParamAttr(0, Attribute::AllocatedPointer);
    builder.CreateCall(free_function(module), {function.getArg(0)});
    return nullptr;
  });
}

void add_pool_scope(Function &derivative, PoolScope scope) {
  Module &module = *derivative.getParent();
  if (derivative.isDeclaration() || !module.getFunction(pool_take_name))
    return;
  BasicBlock &entry = derivative.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  Value *before =
      builder.CreateCall(pool_enter_function(module), {builder.getInt32(scope == PoolScope::gradient ? 1 : 0)});
  for (BasicBlock &block : derivative)
    if (isa<ReturnInst, ResumeInst>(block.getTerminator()))
      IRBuilder<>(block.getTerminator()).CreateCall(pool_exit_function(module), {before});
}

} // namespace assay::engine
