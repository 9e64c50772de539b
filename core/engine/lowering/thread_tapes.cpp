#include "core/engine/lowering/thread_tapes.hpp"
#include "core/engine/emit/tape_memory.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

Function *callee_of(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

bool needs_tapes(const Function &function) {
  SmallPtrSet<const Function *, 8> seen{&function};
  SmallVector<const Function *, 8> pending{&function};
  while (!pending.empty())
    for (const Instruction &instruction : instructions(*pending.pop_back_val()))
      if (const Function *callee = callee_of(instruction); callee && seen.insert(callee).second) {
        if (tape_call(*callee))
          return true;
        pending.push_back(callee);
      }
  return false;
}

/// The call with the struct as one more argument. It is stack memory of a caller, so no call is a tail call.
CallInst &call_with(CallInst &call, Function &callee, ArrayRef<Value *> arguments) {
  SmallVector<OperandBundleDef, 1> bundles;
  call.getOperandBundlesAsDefs(bundles);
  auto *replacement = CallInst::Create(&callee, arguments, bundles, "", call.getIterator());
  replacement->setCallingConv(callee.getCallingConv());
  replacement->setDebugLoc(call.getDebugLoc());
  replacement->takeName(&call);
  call.replaceAllUsesWith(replacement);
  call.eraseFromParent();
  return *replacement;
}

class Copies {
public:
  Function &of(Function &function) {
    auto [found, fresh] = copies_.try_emplace(&function);
    if (!fresh)
      return *found->second;
    Function &copy = with_parameter(function);
    copies_[&function] = &copy;
    lower(copy);
    return copy;
  }

  void extend(CallInst &call, Value &memory) {
    AttributeList attributes = call.getAttributes().removeFnAttribute(call.getContext(), Attribute::Memory);
    Function &copy = of(*call.getCalledFunction());
    SmallVector<Value *, 8> arguments(call.args());
    arguments.push_back(&memory);
    call_with(call, copy, arguments).setAttributes(attributes);
  }

private:
  static Function &with_parameter(Function &function) {
    SmallVector<Type *, 8> parameters(function.getFunctionType()->params());
    parameters.push_back(PointerType::getUnqual(function.getContext()));
    auto *type = FunctionType::get(function.getReturnType(), parameters, false);
    Function *copy =
        Function::Create(type, GlobalValue::InternalLinkage, function.getName() + ".own.tape", function.getParent());
    ValueToValueMapTy map;
    for (auto [from, to] : zip(function.args(), copy->args())) {
      to.setName(from.getName());
      map[&from] = &to;
    }
    copy->getArg(parameters.size() - 1)->setName("tapes");
    SmallVector<ReturnInst *, 2> returns;
    CloneFunctionInto(copy, &function, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->removeFnAttr(Attribute::Memory);
    return *copy;
  }

  void lower(Function &copy) {
    Value &memory = *copy.getArg(copy.arg_size() - 1);
    SmallVector<CallInst *, 8> own, others;
    for (Instruction &instruction : instructions(copy)) {
      const Function *callee = callee_of(instruction);
      if (callee && tape_call(*callee))
        own.push_back(cast<CallInst>(&instruction));
      else if (callee && !callee->isDeclaration() && needs_tapes(*callee))
        others.push_back(cast<CallInst>(&instruction));
    }
    for (CallInst *call : others)
      extend(*call, memory);
    for (CallInst *call : own)
      lower(*call, memory);
  }

  static void lower(CallInst &call, Value &memory) {
    const TapeCall kind = *tape_call(*call.getCalledFunction());
    SmallVector<Value *, 4> arguments{&memory};
    arguments.append(call.arg_begin(), call.arg_end());
    CallInst &replacement = call_with(call, *in_thread_memory(*call.getModule(), kind), arguments);
    if (kind == TapeCall::grow || kind == TapeCall::grow_words) // which is rare
      return;
    InlineFunctionInfo information;
    InlineFunction(replacement, information, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false);
  }

  DenseMap<Function *, Function *> copies_;
};

void lower_to_heap(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    const std::optional<TapeCall> kind = tape_call(function);
    if (!kind)
      continue;
    function.replaceAllUsesWith(on_heap(module, *kind).getCallee());
    function.eraseFromParent();
  }
}

} // namespace

void ThreadTapes::lower(Module &module) {
  if (!has_tape_memory(module))
    return;
  Copies copies;
  for (const Call &entry : calls_) {
    auto *call = dyn_cast_or_null<CallInst>(entry.call);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && entry.memory && needs_tapes(*callee))
      copies.extend(*call, *entry.memory);
  }
  lower_to_heap(module);
  forget_tape_memory(module);
}

} // namespace assay::engine
