#include "core/engine/emit/releases.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

namespace {

Value *operand(const CallBase &call, unsigned index) {
  return call.getArgOperand(index);
}

/// operator delete of the family (single or array) and alignment that `name`, a new or a delete, has.
Release delete_like(StringRef name, Value *alignment, Module &module) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  const bool array = name.starts_with("_Zna") || name.starts_with("_Zda");
  SmallVector<Type *, 2> parameters{pointer};
  if (alignment)
    parameters.push_back(alignment->getType());
  const StringRef plain = array ? "_ZdaPv" : "_ZdlPv",
                  aligned = array ? "_ZdaPvSt11align_val_t" : "_ZdlPvSt11align_val_t";
  Release release{module.getOrInsertFunction(alignment ? aligned : plain,
                                             FunctionType::get(Type::getVoidTy(context), parameters, false))};
  if (alignment)
    release.others.push_back(alignment);
  return release;
}

Release plain_free(Module &module) {
  return {free_function(module)};
}

bool is_aligned(StringRef name) {
  return name.contains("St11align_val_t");
}

} // namespace

SmallVector<Value *, 2> Release::arguments(Value *memory) const {
  SmallVector<Value *, 2> all(others.begin(), others.end());
  all.insert(all.begin() + pointer, memory);
  return all;
}

Release release_of_allocation(const CallBase &allocation, const FunctionInfo &function_info) {
  Module &module = *const_cast<Module *>(allocation.getModule());
  if (const UserAllocator *allocator = function_info.allocator(*allocation.getCalledFunction())) {
    Release release{FunctionCallee(allocator->release), 0};
    for (auto [index, argument] : enumerate(allocator->release_arguments))
      if (argument < 0)
        release.pointer = unsigned(index);
      else
        release.others.push_back(operand(allocation, unsigned(argument)));
    return release;
  }
  const StringRef name = function_info.library_name(*allocation.getCalledFunction());
  if (!name.starts_with("_Zn"))
    return plain_free(module);
  return delete_like(name, is_aligned(name) ? operand(allocation, 1) : nullptr, module);
}

Release same_release(const CallBase &call, const FunctionInfo &function_info) {
  Module &module = *const_cast<Module *>(call.getModule());
  Function &function = *call.getCalledFunction();
  if (function_info.allocator_released_by(function)) {
    Release release{FunctionCallee(&function), classify_memory_call(call, function_info).pointer};
    for (unsigned index = 0; index < call.arg_size(); ++index)
      if (index != release.pointer)
        release.others.push_back(operand(call, index));
    return release;
  }
  const StringRef name = function_info.library_name(function);
  if (!name.starts_with("_Zd"))
    return plain_free(module);
  const unsigned last = call.arg_size() - 1;
  const bool nothrow = name.ends_with("RKSt9nothrow_t");
  return delete_like(name, is_aligned(name) ? operand(call, nothrow ? last - 1 : last) : nullptr, module);
}

Function *release_thunk(Module &module, Release release) {
  if (release.others.size() > 1)
    return nullptr;
  LLVMContext &context = module.getContext();
  Type *word = Type::getInt64Ty(context);
  const std::string name = ("assay.release." + release.function.getCallee()->getName()).str();
  auto *type = FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context), word}, false);
  return own_function(module, name, type, [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    for (Value *&other : release.others)
      other = other->getType()->isPointerTy() ? builder.CreateIntToPtr(function.getArg(1), other->getType())
                                              : builder.CreateZExtOrTrunc(function.getArg(1), other->getType());
    builder.CreateCall(release.function, release.arguments(function.getArg(0)));
    builder.CreateRetVoid();
  });
}

} // namespace assay::engine
