#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

namespace {

MemoryCall transfer(unsigned size) {
  return {.action = MemoryAction::copy, .pointer = 0, .source = 1, .size = {size}};
}
MemoryCall releasing() {
  return {.action = MemoryAction::release, .size = {}};
}
MemoryCall filling(unsigned value, unsigned size) {
  return {.action = MemoryAction::fill, .pointer = 0, .value = value, .size = {size}};
}

/// By the attributes of allocators that other front ends (Rust, Zig, ...) declare.
MemoryCall classify_attributes(const CallBase &call) {
  const AllocFnKind kind = [&] {
    Attribute attribute = call.getFnAttr(Attribute::AllocKind);
    return attribute.isValid() ? attribute.getAllocKind() : AllocFnKind::Unknown;
  }();
  const auto has = [&](AllocFnKind bit) { return (kind & bit) != AllocFnKind::Unknown; };
  MemoryCall result;
  if (Attribute sizes = call.getFnAttr(Attribute::AllocSize); sizes.isValid()) {
    auto [size, count] = sizes.getAllocSizeArgs();
    result.size.push_back(size);
    if (count)
      result.size.push_back(*count);
  }
  for (unsigned index = 0; index < call.arg_size(); ++index)
    if (call.paramHasAttr(index, Attribute::AllocatedPointer))
      result.pointer = index;
  if (has(AllocFnKind::Free))
    result.action = MemoryAction::release;
  else if (result.size.empty())
    result.action = MemoryAction::none;
  else if (has(AllocFnKind::Realloc))
    result.action = MemoryAction::reallocate;
  else if (has(AllocFnKind::Alloc))
    result.action = has(AllocFnKind::Zeroed) ? MemoryAction::allocate_zeroed : MemoryAction::allocate;
  return result;
}

/// What `__enzyme_allocation_like` says.
std::optional<MemoryCall> classify_registered(const Function &callee, const FunctionInfo &function_info) {
  if (const UserAllocator *allocator = function_info.allocator(callee))
    return MemoryCall{.action = MemoryAction::allocate, .size = {allocator->size_argument}};
  const UserAllocator *allocator = function_info.allocator_released_by(callee);
  if (!allocator)
    return std::nullopt;
  MemoryCall result = releasing();
  result.pointer = unsigned(find(allocator->release_arguments, -1) - allocator->release_arguments.begin());
  return result;
}

} // namespace

MemoryCall classify_memory_call(const CallBase &call, const FunctionInfo &function_info) {
  if (isa<AnyMemTransferInst>(call))
    return transfer(2);
  if (isa<AnyMemSetInst>(call))
    return filling(1, 2);
  auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!callee || callee->isIntrinsic())
    return {};
  if (std::optional<MemoryCall> registered = classify_registered(*callee, function_info))
    return *registered;
  const LibraryFunction *known = function_info.library_function(*callee);
  MemoryCall result = known ? known->memory : MemoryCall();
  if (result.action == MemoryAction::none && callee->isDeclaration())
    result = classify_attributes(call);
  for (unsigned operand : result.size) // a function that only shares the name
    if (operand >= call.arg_size() || !call.getArgOperand(operand)->getType()->isIntegerTy())
      return {};
  return result;
}

/// The entry of the called function if its memory is aligned as malloc's. Null for registered functions.
static const LibraryFunction *usually_aligned(const CallBase &call, const FunctionInfo &function_info) {
  const Function *callee = call.getCalledFunction();
  if (!callee || function_info.allocator(*callee) || function_info.allocator_released_by(*callee))
    return nullptr;
  const LibraryFunction *known = function_info.library_function(*callee);
  return known && known->ownership.alignment == Ownership::Alignment::usual ? known : nullptr;
}

bool is_plain_allocation(const CallBase &call, const FunctionInfo &function_info) {
  const LibraryFunction *known = usually_aligned(call, function_info);
  return known && known->effect == LibraryEffect::allocation && isa<CallInst>(call) &&
         call.arg_size() == known->memory.size.size() &&
         all_of(call.args(), [](const Use &argument) { return argument->getType()->isIntegerTy(64); });
}

bool is_plain_release(const CallBase &call, const FunctionInfo &function_info) {
  const LibraryFunction *known = usually_aligned(call, function_info);
  return known && known->memory.action == MemoryAction::release && call.arg_size() == 1 + known->memory.size.size();
}

/// A function of the C library that gives fresh memory.
static FunctionCallee allocation_function(Module &module, StringRef name, ArrayRef<Type *> parameters) {
  FunctionCallee callee = module.getOrInsertFunction(
      name, FunctionType::get(PointerType::getUnqual(module.getContext()), parameters, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee()); function && function->isDeclaration()) {
    function->addRetAttr(Attribute::NoAlias);
    function->setDoesNotThrow();
  }
  return callee;
}

FunctionCallee malloc_function(Module &module) {
  return allocation_function(module, "malloc", {Type::getInt64Ty(module.getContext())});
}

FunctionCallee realloc_function(Module &module) {
  LLVMContext &context = module.getContext();
  return allocation_function(module, "realloc", {PointerType::getUnqual(context), Type::getInt64Ty(context)});
}

FunctionCallee aligned_alloc_function(Module &module) {
  Type *word = Type::getInt64Ty(module.getContext());
  return allocation_function(module, "aligned_alloc", {word, word});
}

FunctionCallee free_function(Module &module) {
  LLVMContext &context = module.getContext();
  FunctionCallee callee = module.getOrInsertFunction(
      "free", FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context)}, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee()); function && function->isDeclaration())
    function->setDoesNotThrow();
  return callee;
}

} // namespace assay::engine
