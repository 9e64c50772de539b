#include "core/engine/prepare/mixed_results.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool holds(const Type &type, function_ref<bool(const Type &)> kind) {
  return kind(type) || any_of(type.subtypes(), [&](const Type *inner) { return inner && holds(*inner, kind); });
}

bool is_mixed(const Type &type) {
  return type.isAggregateType() && holds(type, [](const Type &inner) { return inner.isPtrOrPtrVectorTy(); }) &&
         holds(type, [](const Type &inner) { return inner.isFloatingPointTy(); });
}

/// What is done with each part of an aggregate that is none itself: its type, its path and its place.
using Part = function_ref<void(Type &, ArrayRef<unsigned>, Value *)>;

void for_each_part(IRBuilderBase &builder, Type &type, SmallVectorImpl<unsigned> &path, Value *place, Part visit) {
  if (!type.isAggregateType())
    return visit(type, path, place);
  const auto count = isa<StructType>(type) ? type.getStructNumElements()
                                           : static_cast<unsigned>(cast<ArrayType>(type).getNumElements());
  for (unsigned index = 0; index < count; ++index) {
    path.push_back(index);
    Value *inner = builder.CreateConstInBoundsGEP2_32(&type, place, 0, index);
    for_each_part(builder, *ExtractValueInst::getIndexedType(&type, index), path, inner, visit);
    path.pop_back();
  }
}

void store_result(ReturnInst &exit, Value *place) {
  IRBuilder<> builder(&exit);
  Value *result = exit.getReturnValue();
  SmallVector<unsigned, 4> path;
  for_each_part(builder, *result->getType(), path, place, [&](Type &, ArrayRef<unsigned> at, Value *part) {
    builder.CreateStore(builder.CreateExtractValue(result, at), part);
  });
  builder.CreateRetVoid();
  exit.eraseFromParent();
}

Value *load_result(IRBuilder<> &builder, Type &type, Value *place) {
  Value *result = PoisonValue::get(&type);
  SmallVector<unsigned, 4> path;
  for_each_part(builder, type, path, place, [&](Type &part_type, ArrayRef<unsigned> at, Value *part) {
    result = builder.CreateInsertValue(result, builder.CreateLoad(&part_type, part), at);
  });
  return result;
}

/// The same function, whose first parameter says where the result goes.
Function &copy_with_place(Function &callee) {
  Module &module = *callee.getParent();
  const std::string name = (callee.getName() + ".through_memory").str();
  if (Function *existing = module.getFunction(name))
    return *existing;
  SmallVector<Type *, 8> parameters{PointerType::getUnqual(module.getContext())};
  append_range(parameters, callee.getFunctionType()->params());
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), parameters, false);
  Function *copy = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  ValueToValueMapTy map;
  for (Argument &argument : callee.args()) {
    copy->getArg(argument.getArgNo() + 1)->setName(argument.getName());
    map[&argument] = copy->getArg(argument.getArgNo() + 1);
  }
  SmallVector<ReturnInst *, 4> exits;
  CloneFunctionInto(copy, &callee, map, CloneFunctionChangeType::LocalChangesOnly, exits);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  for (const Attribute attribute : copy->getAttributes().getRetAttrs())
    attribute.isStringAttribute() ? copy->removeRetAttr(attribute.getKindAsString())
                                  : copy->removeRetAttr(attribute.getKindAsEnum());
  copy->removeFnAttr(Attribute::Memory); // it writes the result now
  for (ReturnInst *exit : exits)
    store_result(*exit, copy->getArg(0));
  return *copy;
}

AttributeList attributes_behind_place(const CallBase &call) {
  const AttributeList old = call.getAttributes();
  SmallVector<AttributeSet, 8> parameters{AttributeSet()};
  for (unsigned index = 0; index < call.arg_size(); ++index)
    parameters.push_back(old.getParamAttrs(index));
  LLVMContext &context = call.getContext();
  return AttributeList::get(context, old.getFnAttrs().removeAttribute(context, Attribute::Memory), AttributeSet(),
                            parameters);
}

void redirect(CallBase &call) {
  Function &copy = copy_with_place(*call.getCalledFunction());
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  AllocaInst *place = IRBuilder<>(&entry, entry.begin()).CreateAlloca(call.getType(), nullptr, "result");
  SmallVector<Value *, 8> arguments{place};
  append_range(arguments, call.args());
  IRBuilder<> builder(&call);
  CallBase *redirected = nullptr;
  if (auto *invoke = dyn_cast<InvokeInst>(&call))
    redirected = builder.CreateInvoke(&copy, invoke->getNormalDest(), invoke->getUnwindDest(), arguments);
  else
    redirected = builder.CreateCall(&copy, arguments);
  redirected->setAttributes(attributes_behind_place(call));
  redirected->setCallingConv(call.getCallingConv());
  builder.SetInsertPoint(&**redirected->getInsertionPointAfterDef());
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  call.replaceAllUsesWith(load_result(builder, *call.getType(), place));
  call.eraseFromParent();
}

} // namespace

void return_mixed_through_memory(Function &function, const FunctionInfo &function_info) {
  SmallVector<CallBase *, 4> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    Function *callee = call && is_mixed(*call->getType()) ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration() && !callee->isVarArg() && !function_info.keeps_call(*callee) &&
        callee->getFunctionType() == call->getFunctionType())
      calls.push_back(call);
  }
  for (CallBase *call : calls)
    redirect(*call);
}

} // namespace assay::engine
