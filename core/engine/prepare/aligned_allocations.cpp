#include "core/engine/prepare/aligned_allocations.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/aligned_allocators.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

constexpr std::int64_t word = 8;

bool is_call_of(const Value &value, StringRef name) {
  const auto *call = dyn_cast<CallInst>(&value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName() == name && call->arg_size() == 1;
}

/// What the pointer is the word before of; null where it is none.
Value *behind_word(Value &pointer) {
  const auto *step = dyn_cast<GEPOperator>(&pointer);
  const DataLayout *layout = nullptr;
  if (const auto *instruction = dyn_cast<Instruction>(&pointer))
    layout = &instruction->getDataLayout();
  APInt offset(64, 0);
  return step && layout && step->getPointerAddressSpace() == 0 && step->accumulateConstantOffset(*layout, offset) &&
                 offset.getSExtValue() == -word
             ? step->getOperand(0)
             : nullptr;
}

struct AlignedAllocation {
  CallInst *call = nullptr;
  Value *aligned = nullptr;
  StoreInst *header = nullptr;
  std::uint64_t alignment = 0;
};

/// The alignment to which the address of the allocation was rounded up, always to a later one.
std::optional<std::uint64_t> alignment_of(Value &aligned, Value &original) {
  const auto number = m_PtrToInt(m_Specific(&original));
  const APInt *mask = nullptr, *step = nullptr;
  const auto rounded = m_Add(m_And(number, m_APInt(mask)), m_APInt(step));
  Value *distance = nullptr;
  bool found = match(&aligned, m_IntToPtr(rounded));
  if (const auto *gep = dyn_cast<GEPOperator>(&aligned); gep && gep->getPointerOperand() == &original &&
                                                         gep->getNumIndices() == 1 &&
                                                         gep->getSourceElementType()->isIntegerTy(8)) {
    distance = gep->getOperand(1);
    found = match(distance, m_Sub(rounded, number)) ||
            (match(distance, m_Sub(m_APInt(step), m_And(number, m_APInt(mask)))) && *mask == *step - 1);
    if (found && *mask == *step - 1)
      return step->isPowerOf2() && step->uge(word) ? std::optional(step->getZExtValue()) : std::nullopt;
  }
  return found && *mask == -*step && step->isPowerOf2() && step->uge(word) ? std::optional(step->getZExtValue())
                                                                           : std::nullopt;
}

/// The address is only compared with null and rounded up.
bool is_only_rounded(const AlignedAllocation &allocation) {
  return all_of(allocation.call->users(), [&](const User *user) {
    if (const auto *compare = dyn_cast<ICmpInst>(user))
      return isa<ConstantPointerNull>(compare->getOperand(1));
    if (isa<PtrToIntInst>(user))
      return all_of(user->users(),
                    [&](const User *number) { return isa<BinaryOperator>(number) && !isa<PHINode>(number); });
    return user == allocation.header || user == allocation.aligned;
  });
}

/// The numbers of the address lead to the rounded one alone.
bool leads_to(const Value &number, const Value &aligned, unsigned depth = 0) {
  constexpr unsigned most_depth = 5;
  return all_of(number.users(), [&](const User *user) {
    return user == &aligned || (depth < most_depth && isa<BinaryOperator>(user) && leads_to(*user, aligned, depth + 1));
  });
}

std::optional<AlignedAllocation> aligned_allocation(CallInst &call) {
  AlignedAllocation result{&call};
  for (User *user : call.users())
    if (auto *store = dyn_cast<StoreInst>(user); store && store->getValueOperand() == &call && store->isSimple())
      if (Value *aligned = behind_word(*store->getPointerOperand()))
        if (const auto alignment = alignment_of(*aligned, call)) {
          result.aligned = aligned;
          result.header = store;
          result.alignment = *alignment;
        }
  if (!result.header || !is_only_rounded(result) || !all_of(call.users(), [&](const User *user) {
        return !isa<PtrToIntInst>(user) || leads_to(*user, *result.aligned);
      }))
    return std::nullopt;
  return result;
}

/// Nothing else uses them.
void erase_with_users(Instruction &instruction) {
  while (!instruction.use_empty())
    erase_with_users(*cast<Instruction>(instruction.user_back()));
  instruction.eraseFromParent();
}

void replace(const AlignedAllocation &allocation, Function &allocate) {
  CallInst &call = *allocation.call;
  IRBuilder<> builder(&call);
  Value *total = call.getArgOperand(0), *size = nullptr;
  if (!match(total, m_Add(m_Value(size), m_SpecificInt(allocation.alignment))))
    size = builder.CreateSub(total, builder.getInt64(allocation.alignment));
  CallInst *made = builder.CreateCall(&allocate, {size, builder.getInt64(allocation.alignment)});
  made->takeName(allocation.aligned);
  for (User *user : make_early_inc_range(call.users()))
    if (auto *compare = dyn_cast<ICmpInst>(user))
      compare->setOperand(0, made);
  allocation.aligned->replaceAllUsesWith(made);
  erase_with_users(call);
}

/// free(((void **)memory)[-1])
Value *released_memory(const CallInst &call) {
  auto *original = is_call_of(call, "free") ? dyn_cast<LoadInst>(call.getArgOperand(0)) : nullptr;
  return original && original->isSimple() ? behind_word(*original->getPointerOperand()) : nullptr;
}

/// Even before it is simplified: an address is rounded, and another is stored in a word before some.
bool may_align_by_hand(Function &function) {
  bool allocates = false, rounds = false, has_header = false;
  for (Instruction &instruction : instructions(function)) {
    allocates |= is_call_of(instruction, "malloc");
    rounds |= instruction.getOpcode() == Instruction::And && instruction.getType()->isIntegerTy(64);
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      has_header |= store->getValueOperand()->getType()->isPointerTy() && behind_word(*store->getPointerOperand());
  }
  return allocates && rounds && has_header;
}

void write_allocate(Function &function) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  function.addRetAttr(Attribute::NoAlias);
  function.setWillReturn();
  function.setOnlyAccessesInaccessibleMemory();
  function.addFnAttr(Attribute::NoInline);
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *taken = BasicBlock::Create(context, "taken", &function);
  auto *done = BasicBlock::Create(context, "done", &function);
  IRBuilder<> builder(entry);
  Value *alignment = function.getArg(1);
  Value *original = builder.CreateCall(malloc_function(module), {builder.CreateAdd(function.getArg(0), alignment)});
  builder.CreateCondBr(builder.CreateIsNull(original), done, taken);
  builder.SetInsertPoint(taken);
  Value *number = builder.CreatePtrToInt(original, builder.getInt64Ty());
  Value *below = builder.CreateAnd(number, builder.CreateSub(alignment, builder.getInt64(1)));
  Value *aligned = builder.CreatePtrAdd(original, builder.CreateSub(alignment, below));
  builder.CreateStore(original, builder.CreatePtrAdd(aligned, builder.getInt64(-word)));
  builder.CreateRet(aligned);
  builder.SetInsertPoint(done);
  builder.CreateRet(original);
}

void write_release(Function &function) {
  Module &module = *function.getParent();
  function.setWillReturn();
  function.setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  function.addFnAttr(Attribute::NoInline);
  function.addParamAttr(0, Attribute::getWithCaptureInfo(module.getContext(), CaptureInfo::none()));
  write_unless_null(function, [&](IRBuilder<> &builder) {
    Value *header = builder.CreatePtrAdd(function.getArg(0), builder.getInt64(-word));
    builder.CreateCall(free_function(module), {builder.CreateLoad(builder.getPtrTy(), header)});
  });
}

} // namespace

void declare_aligned_allocators(Module &module) {
  if (module.getDataLayout().getPointerSize() != word || none_of(module, may_align_by_hand))
    return;
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *size = Type::getInt64Ty(context);
  own_function(module, aligned_allocate_name, FunctionType::get(pointer, {size, size}, false), write_allocate);
  own_function(module, aligned_release_name, FunctionType::get(Type::getVoidTy(context), {pointer}, false),
               write_release);
}

void drop_unused_aligned_allocators(Module &module) {
  for (StringRef name : {aligned_allocate_name, aligned_release_name})
    if (Function *function = module.getFunction(name); function && function->use_empty())
      function->eraseFromParent();
}

bool call_aligned_allocators(Function &function) {
  Module &module = *function.getParent();
  Function *allocate = module.getFunction(aligned_allocate_name), *release = module.getFunction(aligned_release_name);
  if (!allocate || !release)
    return false;
  SmallVector<CallInst *, 4> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && (is_call_of(*call, "malloc") || is_call_of(*call, "free")))
      calls.push_back(call);
  bool changed = false;
  for (CallInst *call : calls)
    if (Value *memory = released_memory(*call)) {
      Value *original = call->getArgOperand(0);
      CallInst *made = CallInst::Create(release, {memory}, "", call->getIterator());
      made->setDebugLoc(call->getDebugLoc());
      call->eraseFromParent();
      RecursivelyDeleteTriviallyDeadInstructions(original);
      changed = true;
    } else if (const auto allocation = aligned_allocation(*call)) {
      replace(*allocation, *allocate);
      changed = true;
    }
  return changed;
}

} // namespace assay::engine
