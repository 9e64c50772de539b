#include "core/engine/prepare/default_resource.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral default_resource = "_ZNSt3pmr19new_delete_resourceEv";
constexpr StringLiteral asked_attribute = "assay.resource.asked";

/// The virtual functions of `memory_resource` behind its two destructors.
enum class ResourceCall : std::uint8_t { none, allocate, deallocate, compare };

constexpr std::pair<ResourceCall, std::int64_t> slots[] = {
    {ResourceCall::allocate, 16}, {ResourceCall::deallocate, 24}, {ResourceCall::compare, 32}};

FunctionType *type_of(ResourceCall kind, LLVMContext &context) {
  Type *pointer = PointerType::getUnqual(context), *word = Type::getInt64Ty(context);
  switch (kind) {
  case ResourceCall::allocate:
    return FunctionType::get(pointer, {pointer, word, word}, false);
  case ResourceCall::deallocate:
    return FunctionType::get(Type::getVoidTy(context), {pointer, pointer, word, word}, false);
  case ResourceCall::compare:
    return FunctionType::get(Type::getInt1Ty(context), {pointer, pointer}, false);
  case ResourceCall::none:
    break;
  }
  return nullptr;
}

ResourceCall resource_call(CallBase &call) {
  if (!call.isIndirectCall() || call.hasFnAttr(asked_attribute))
    return ResourceCall::none;
  const auto slot = virtual_slot(call.getCalledOperand(), call.getDataLayout());
  for (const auto &[kind, offset] : slots)
    if (slot == offset && call.getFunctionType() == type_of(kind, call.getContext()))
      return kind;
  return ResourceCall::none;
}

/// Any function of std::pmr that the library has: else no such call is one of a memory resource.
bool uses_resources(const Module &module) {
  return any_of(module, [](const Function &function) { return function.getName().contains("St3pmr"); });
}

StringRef name_of_default(ResourceCall kind) {
  return kind == ResourceCall::allocate     ? "assay.default_resource.allocate"
         : kind == ResourceCall::deallocate ? "assay.default_resource.deallocate"
                                            : "assay.default_resource.is_equal";
}

/// The same by operators of C++, which the engine knows, for functions that take what the virtual one takes.
Function *function_of_default(Module &module, ResourceCall kind) {
  const StringRef name = name_of_default(kind);
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  auto *function = Function::Create(type_of(kind, context), GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Type *pointer = builder.getPtrTy(), *word = builder.getInt64Ty();
  if (kind == ResourceCall::allocate) {
    const FunctionCallee allocate = module.getOrInsertFunction("_ZnwmSt11align_val_t", pointer, word, word);
    builder.CreateRet(builder.CreateCall(allocate, {function->getArg(1), function->getArg(2)}));
  } else if (kind == ResourceCall::deallocate) {
    const FunctionCallee release =
        module.getOrInsertFunction("_ZdlPvmSt11align_val_t", builder.getVoidTy(), pointer, word, word);
    builder.CreateCall(release, {function->getArg(1), function->getArg(2), function->getArg(3)});
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(builder.CreateICmpEQ(function->getArg(0), function->getArg(1)));
  }
  return function;
}

/// if (resource == new_delete_resource()) ... else the call
void ask_for_default(CallBase &call, ResourceCall kind) {
  Module &module = *call.getModule();
  call.addFnAttr(Attribute::get(call.getContext(), asked_attribute));
  IRBuilder<> builder(&call);
  const FunctionCallee resource = module.getOrInsertFunction(default_resource, builder.getPtrTy());
  Value *is_default = builder.CreateICmpEQ(call.getArgOperand(0), builder.CreateCall(resource));
  CallBase &direct = promoteCallWithIfThenElse(call, function_of_default(module, kind));
  auto *branch = cast<BranchInst>(direct.getParent()->getSinglePredecessor()->getTerminator());
  auto *compared = cast<Instruction>(branch->getCondition()); // functions, of which the library's has no name
  branch->setCondition(is_default);
  compared->eraseFromParent();
}

} // namespace

bool allocate_by_default_resource(Function &function) {
  SmallVector<std::pair<CallBase *, ResourceCall>, 4> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (const ResourceCall kind = resource_call(*call); kind != ResourceCall::none)
        calls.push_back({call, kind});
  if (calls.empty() || !uses_resources(*function.getParent()))
    return false;
  for (auto [call, kind] : calls)
    ask_for_default(*call, kind);
  return true;
}

} // namespace assay::engine
