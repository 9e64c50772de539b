#include "core/engine/emit/tape_helpers.hpp"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace assay::engine {

StructType *tape_state_type(LLVMContext &context) {
  Type *word = Type::getInt64Ty(context);
  return StructType::get(PointerType::getUnqual(context), word, word);
}

FunctionCallee malloc_function(Module &module) {
  LLVMContext &context = module.getContext();
  FunctionCallee callee = module.getOrInsertFunction(
      "malloc", FunctionType::get(PointerType::getUnqual(context), {Type::getInt64Ty(context)}, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee()); function && function->isDeclaration()) {
    function->addRetAttr(Attribute::NoAlias);
    function->setDoesNotThrow();
  }
  return callee;
}

FunctionCallee free_function(Module &module) {
  LLVMContext &context = module.getContext();
  FunctionCallee callee = module.getOrInsertFunction(
      "free", FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context)}, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee()); function && function->isDeclaration())
    function->setDoesNotThrow();
  return callee;
}

namespace {

constexpr std::uint64_t first_capacity = 4096;

FunctionCallee realloc_function(Module &module) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  FunctionCallee callee =
      module.getOrInsertFunction("realloc", FunctionType::get(pointer, {pointer, Type::getInt64Ty(context)}, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee()); function && function->isDeclaration()) {
    function->addRetAttr(Attribute::NoAlias);
    function->setDoesNotThrow();
  }
  return callee;
}

Function *declare(Module &module, StringRef name, Type *result) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(result, {PointerType::getUnqual(context), Type::getInt64Ty(context)}, false);
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(Attribute::AlwaysInline);
  function->setDoesNotThrow();
  return function;
}

/// Emits: if (position + bytes > capacity) grow. Returns the block that goes on, and the wanted end of the buffer.
Value *emit_growth(Function &function, IRBuilder<> &builder, Value *position) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  Value *state = function.getArg(0), *bytes = function.getArg(1);
  StructType *type = tape_state_type(context);
  Value *capacity_place = builder.CreateStructGEP(type, state, 1);
  Value *capacity = builder.CreateLoad(builder.getInt64Ty(), capacity_place);
  Value *end = builder.CreateAdd(position, bytes, "", true, true);
  auto *grow = BasicBlock::Create(context, "grow", &function);
  auto *failed = BasicBlock::Create(context, "failed", &function);
  auto *grown = BasicBlock::Create(context, "grown", &function);
  auto *ready = BasicBlock::Create(context, "ready", &function);
  MDNode *rarely = MDBuilder(context).createBranchWeights(1, 2000);
  builder.CreateCondBr(builder.CreateICmpUGT(end, capacity), grow, ready, rarely);

  builder.SetInsertPoint(grow);
  Value *doubled = builder.CreateShl(capacity, 1);
  Value *larger = builder.CreateBinaryIntrinsic(Intrinsic::umax, end, doubled);
  larger = builder.CreateBinaryIntrinsic(Intrinsic::umax, larger, builder.getInt64(first_capacity));
  Value *buffer = builder.CreateLoad(builder.getPtrTy(), state);
  Value *fresh = builder.CreateCall(realloc_function(module), {buffer, larger});
  builder.CreateCondBr(builder.CreateIsNull(fresh), failed, grown, rarely);

  builder.SetInsertPoint(failed); // out of memory: there is no way to go on
  builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::trap, {});
  builder.CreateUnreachable();

  builder.SetInsertPoint(grown);
  builder.CreateStore(fresh, state);
  builder.CreateStore(larger, capacity_place);
  builder.CreateBr(ready);
  builder.SetInsertPoint(ready);
  return end;
}

} // namespace

Function *tape_push_function(Module &module) {
  constexpr StringRef name = "assay.tape.push";
  if (Function *existing = module.getFunction(name))
    return existing;
  LLVMContext &context = module.getContext();
  Function *function = declare(module, name, PointerType::getUnqual(context));
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *position_place = builder.CreateStructGEP(tape_state_type(context), function->getArg(0), 2);
  Value *position = builder.CreateLoad(builder.getInt64Ty(), position_place);
  Value *end = emit_growth(*function, builder, position);
  builder.CreateStore(end, position_place);
  Value *buffer = builder.CreateLoad(builder.getPtrTy(), function->getArg(0));
  builder.CreateRet(builder.CreateInBoundsPtrAdd(buffer, position));
  return function;
}

Function *tape_reserve_function(Module &module) {
  constexpr StringRef name = "assay.tape.reserve";
  if (Function *existing = module.getFunction(name))
    return existing;
  LLVMContext &context = module.getContext();
  Function *function = declare(module, name, Type::getVoidTy(context));
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *position = builder.CreateLoad(builder.getInt64Ty(),
                                       builder.CreateStructGEP(tape_state_type(context), function->getArg(0), 2));
  emit_growth(*function, builder, position);
  builder.CreateRetVoid();
  return function;
}

} // namespace assay::engine
