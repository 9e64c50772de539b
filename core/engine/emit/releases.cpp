#include "core/engine/emit/releases.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/heap_shadows.hpp"
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

/// What the table says releases the memory; malloc's releaser where it says nothing.
Release library_release(const CallBase &call, const LibraryFunction *known) {
  Module &module = *const_cast<Module *>(call.getModule());
  if (!known || known->ownership.releaser.empty() || known->ownership.releaser == "free")
    return {free_function(module)};
  const Ownership &ownership = known->ownership;
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 2> parameters{PointerType::getUnqual(context)};
  Release release;
  if (ownership.alignment == Ownership::Alignment::argument) {
    release.others.push_back(operand(call, ownership.alignment_argument));
    parameters.push_back(release.others.back()->getType());
  }
  auto *type = FunctionType::get(Type::getVoidTy(context), parameters, false);
  release.function = module.getOrInsertFunction(ownership.releaser, type);
  return release;
}

} // namespace

SmallVector<Value *, 2> Release::arguments(Value *memory) const {
  SmallVector<Value *, 2> all(others.begin(), others.end());
  all.insert(all.begin() + pointer, memory);
  return all;
}

Release release_of_allocation(const CallBase &allocation, const FunctionInfo &function_info) {
  if (const UserAllocator *allocator = function_info.allocator(*allocation.getCalledFunction())) {
    Release release{FunctionCallee(allocator->release), 0};
    for (auto [index, argument] : enumerate(allocator->release_arguments))
      if (argument < 0)
        release.pointer = unsigned(index);
      else
        release.others.push_back(operand(allocation, unsigned(argument)));
    return release;
  }
  return library_release(allocation, function_info.library_function(*allocation.getCalledFunction()));
}

Release same_release(const CallBase &call, const FunctionInfo &function_info) {
  Function &function = *call.getCalledFunction();
  if (function_info.allocator_released_by(function)) {
    Release release{FunctionCallee(&function), classify_memory_call(call, function_info).pointer};
    for (unsigned index = 0; index < call.arg_size(); ++index)
      if (index != release.pointer)
        release.others.push_back(operand(call, index));
    return release;
  }
  return library_release(call, function_info.library_function(function));
}

Value *other_word(IRBuilderBase &builder, const Release &release) {
  if (release.others.empty())
    return builder.getInt64(0);
  Value *other = release.others.front();
  return other->getType()->isPointerTy() ? builder.CreatePtrToInt(other, builder.getInt64Ty())
                                         : builder.CreateZExtOrTrunc(other, builder.getInt64Ty());
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
    mark_shadow_release(*builder.CreateCall(release.function, release.arguments(function.getArg(0))));
    builder.CreateRetVoid();
  });
}

} // namespace assay::engine
