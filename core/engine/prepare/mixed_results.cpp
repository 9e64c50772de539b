#include "core/engine/prepare/mixed_results.hpp"
#include "core/engine/prepare/leading_pointer.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

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

/// A number that gets another name as the integer of its bits, or the other way round.
bool names_bits(const Instruction &instruction) {
  const auto *cast = dyn_cast<BitCastInst>(&instruction);
  return cast && cast->getSrcTy()->isFPOrFPVectorTy() != cast->getDestTy()->isFPOrFPVectorTy();
}

/// True where an integer among the members of the result may be a number: unions are returned as integers.
bool may_return_bits(const CallBase &call, const Function &callee) {
  constexpr unsigned float_bits = 32;
  const auto has_room = [](const Type &inner) {
    return inner.isIntegerTy() && inner.getIntegerBitWidth() >= float_bits;
  };
  return call.getType()->isStructTy() && holds(*call.getType(), has_room) &&
         (any_of(instructions(callee), names_bits) || any_of(instructions(*call.getFunction()), names_bits));
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
    Value *known = FindInsertedValue(result, at);
    builder.CreateStore(known ? known : builder.CreateExtractValue(result, at), part);
  });
  builder.CreateRetVoid();
  exit.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(result);
}

Value *load_result(IRBuilder<> &builder, Type &type, Value *place) {
  Value *result = PoisonValue::get(&type);
  SmallVector<unsigned, 4> path;
  for_each_part(builder, type, path, place, [&](Type &part_type, ArrayRef<unsigned> at, Value *part) {
    result = builder.CreateInsertValue(result, builder.CreateLoad(&part_type, part), at);
  });
  return result;
}

/// Parts that are taken out of the result are loaded alone.
void extract_from_memory(CallBase &call, IRBuilder<> &builder, AllocaInst &place) {
  for (User *user : make_early_inc_range(call.users())) {
    auto *part = dyn_cast<ExtractValueInst>(user);
    if (!part || part->getType()->isAggregateType())
      continue;
    SmallVector<Value *, 4> path{builder.getInt64(0)};
    for (const unsigned index : part->indices())
      path.push_back(builder.getInt32(index));
    Value *address = builder.CreateInBoundsGEP(call.getType(), &place, path);
    part->replaceAllUsesWith(builder.CreateLoad(part->getType(), address));
    part->eraseFromParent();
  }
}

/// The same function, whose first parameter says where the result goes.
Function &copy_with_place(Function &callee) {
  return copy_with_leading_pointer(callee, ".through_memory", Type::getVoidTy(callee.getContext()),
                                   [](Function &copy, ArrayRef<ReturnInst *> exits) {
                                     for (ReturnInst *exit : exits)
                                       store_result(*exit, copy.getArg(0));
                                   });
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
  redirected->setAttributes(attributes_behind_leading_pointer(call));
  redirected->setCallingConv(call.getCallingConv());
  builder.SetInsertPoint(&**redirected->getInsertionPointAfterDef());
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  extract_from_memory(call, builder, *place);
  if (!call.use_empty())
    call.replaceAllUsesWith(load_result(builder, *call.getType(), place));
  call.eraseFromParent();
}

} // namespace

void return_mixed_through_memory(Function &function, const FunctionInfo &function_info) {
  SmallVector<CallBase *, 4> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    Function *callee = call && call->getType()->isAggregateType() ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration() && (is_mixed(*call->getType()) || may_return_bits(*call, *callee)) &&
        !callee->isVarArg() && !function_info.keeps_call(*callee) &&
        callee->getFunctionType() == call->getFunctionType())
      calls.push_back(call);
  }
  for (CallBase *call : calls)
    redirect(*call);
}

} // namespace assay::engine
