#include "core/engine/emit/releases.hpp"
#include "core/engine/emit/memory_functions.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

bool is_only_measured(const PtrToIntInst &address) {
  return all_of(address.users(), [](const User *user) {
    const auto *operation = dyn_cast<BinaryOperator>(user);
    return isa<CmpInst>(user) ||
           (operation && operation->getOpcode() == Instruction::Sub && isa<PtrToIntInst>(operation->getOperand(0)) &&
            isa<PtrToIntInst>(operation->getOperand(1)));
  });
}

namespace {

bool is_allocation(const CallBase &call, const Knowledge &knowledge) {
  const MemoryAction action = classify_memory_call(call, knowledge).action;
  return action == MemoryAction::allocate || action == MemoryAction::allocate_zeroed;
}

bool is_release(const CallBase &call, const Knowledge &knowledge) {
  return classify_memory_call(call, knowledge).action == MemoryAction::release;
}

/// True when `use` lets the pointer out of sight: stored, returned, passed to a call that may keep it.
bool escapes(const Use &use, const Knowledge &knowledge) {
  const auto *user = cast<Instruction>(use.getUser());
  if (const auto *address = dyn_cast<PtrToIntInst>(user))
    return !is_only_measured(*address);
  if (const auto *store = dyn_cast<StoreInst>(user))
    return store->getValueOperand() == use.get();
  if (isa<LoadInst, CmpInst>(user))
    return false;
  if (isa<AtomicRMWInst>(user))
    return use.getOperandNo() != 0;
  const auto *call = dyn_cast<CallBase>(user);
  if (!call)
    return true;
  if (isa<MemIntrinsic>(call) || is_release(*call, knowledge) || call->isLifetimeStartOrEnd())
    return false;
  return !call->isArgOperand(&use) || !call->doesNotCapture(call->getArgOperandNo(&use)) ||
         may_release(*call, knowledge);
}

/// Follows the pointer through address computations; false as soon as one use escapes.
bool stays_inside(const CallBase &allocation, const Knowledge &knowledge) {
  SmallVector<const Value *, 8> pending{&allocation};
  SmallPtrSet<const Value *, 16> seen{&allocation};
  while (!pending.empty())
    for (const Use &use : pending.pop_back_val()->uses()) {
      if (isa<GetElementPtrInst, PHINode, SelectInst, BitCastInst, AddrSpaceCastInst, FreezeInst>(use.getUser())) {
        if (seen.insert(use.getUser()).second)
          pending.push_back(use.getUser());
      } else if (escapes(use, knowledge)) {
        return false;
      }
    }
  return true;
}

} // namespace

LateReleases find_late_releases(Function &prepared, const Knowledge &knowledge) {
  LateReleases result;
  SmallPtrSet<const Value *, 8> inside;
  SmallVector<const CallBase *, 8> releases;
  for (Instruction &instruction : instructions(prepared))
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      if (is_stack_memory(*call))
        result.allocations.insert(call);
      else if (is_allocation(*call, knowledge) && stays_inside(*call, knowledge))
        inside.insert(call);
      else if (is_release(*call, knowledge))
        releases.push_back(call);
    }

  // A release of something that may also be foreign memory must stay; then so must all that it may release.
  SmallPtrSet<const Value *, 8> mixed;
  bool changed = true;
  const auto objects_of = [&](const CallBase *release) {
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(release->getArgOperand(classify_memory_call(*release, knowledge).pointer), objects, nullptr,
                         0);
    return objects;
  };
  while (changed) {
    changed = false;
    for (const CallBase *release : releases) {
      const auto objects = objects_of(release);
      const bool all_inside = all_of(objects, [&](const Value *object) {
        return isa<ConstantPointerNull>(object) || isa<UndefValue>(object) ||
               (inside.contains(object) && !mixed.contains(object));
      });
      if (!all_inside)
        for (const Value *object : objects)
          changed |= inside.contains(object) && mixed.insert(object).second;
    }
  }
  for (const Value *allocation : inside)
    if (!mixed.contains(allocation))
      result.allocations.insert(cast<CallBase>(allocation));
  for (const CallBase *release : releases)
    if (all_of(objects_of(release), [&](const Value *object) {
          return isa<Constant>(object) ||
                 (isa<CallBase>(object) && result.allocations.contains(cast<CallBase>(object)));
        }))
      result.dropped.insert(release);
  return result;
}

bool may_release(const CallBase &call, const Knowledge &knowledge) {
  SmallVector<const CallBase *, 16> pending{&call};
  SmallPtrSet<const Function *, 16> seen;
  while (!pending.empty()) {
    const CallBase *next = pending.pop_back_val();
    if (is_release(*next, knowledge))
      return true;
    const Function *callee = next->getCalledFunction();
    if (!callee || callee->isDeclaration() || knowledge.keeps_call(*callee) || !seen.insert(callee).second)
      continue;
    for (const Instruction &instruction : instructions(*callee))
      if (const auto *inner = dyn_cast<CallBase>(&instruction))
        pending.push_back(inner);
  }
  return false;
}

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

Release release_of_allocation(const CallBase &allocation, const Knowledge &knowledge) {
  Module &module = *const_cast<Module *>(allocation.getModule());
  if (const UserAllocator *allocator = knowledge.allocator(*allocation.getCalledFunction())) {
    Release release{FunctionCallee(allocator->release), 0};
    for (auto [index, argument] : enumerate(allocator->release_arguments))
      if (argument < 0)
        release.pointer = unsigned(index);
      else
        release.others.push_back(operand(allocation, unsigned(argument)));
    return release;
  }
  const StringRef name = knowledge.library_name(*allocation.getCalledFunction());
  if (!name.starts_with("_Zn"))
    return plain_free(module);
  return delete_like(name, is_aligned(name) ? operand(allocation, 1) : nullptr, module);
}

Release same_release(const CallBase &call, const Knowledge &knowledge) {
  Module &module = *const_cast<Module *>(call.getModule());
  Function &function = *call.getCalledFunction();
  if (knowledge.allocator_released_by(function)) {
    Release release{FunctionCallee(&function), classify_memory_call(call, knowledge).pointer};
    for (unsigned index = 0; index < call.arg_size(); ++index)
      if (index != release.pointer)
        release.others.push_back(operand(call, index));
    return release;
  }
  const StringRef name = knowledge.library_name(function);
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
