// Synchronisation faults of a kernel's derivative: barriers, atomics, shuffles, shared memory.

#include "core/jit/mutate/planted_sites.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::jit {

namespace {

constexpr unsigned shared_memory = 3; // Its address space.

bool is_barrier(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && (callee->getName().starts_with("llvm.nvvm.barrier") ||
                    callee->getName().starts_with("llvm.nvvm.bar.warp.sync"));
}

bool is_shuffle(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with("llvm.nvvm.shfl.sync.");
}

/// The first access of memory between the block's begin, or the barrier before, and this one.
Instruction *first_access_before(CallInst &barrier) {
  Instruction *first = nullptr;
  for (Instruction *above = barrier.getPrevNode(); above && !isa<PHINode>(above); above = above->getPrevNode()) {
    if (const auto *call = dyn_cast<CallInst>(above); call && is_barrier(*call))
      break;
    if (above->mayReadOrWriteMemory())
      first = above;
  }
  return first;
}

void find_barrier_faults(CallInst &barrier, Sites &sites) {
  if (!barrier.getType()->isVoidTy())
    return;
  sites.push_back(
      {FaultClass::dropped_barrier, &barrier, 0, nullptr, [&barrier] { barrier.eraseFromParent(); }, "left out"});
  if (Instruction *access = first_access_before(barrier))
    sites.push_back({FaultClass::moved_barrier, &barrier, 0, nullptr,
                     [&barrier, access] { barrier.moveBefore(access->getIterator()); },
                     "before the accesses that it follows"});
}

/// The engine's function that adds atomically unless the place is the thread's own.
bool is_common_sum(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with("assay.device.add.");
}

void make_plain(CallInst &sum) {
  IRBuilder<> builder(&sum);
  Value *place = sum.getArgOperand(0), *value = sum.getArgOperand(1);
  builder.CreateStore(builder.CreateFAdd(builder.CreateLoad(value->getType(), place), value), place);
  sum.eraseFromParent();
}

/// Three instructions that another thread may come between.
void make_plain(AtomicRMWInst &update) {
  IRBuilder<> builder(&update);
  Value *held = builder.CreateLoad(update.getType(), update.getPointerOperand());
  Value *changed = update.getOperation() == AtomicRMWInst::FAdd   ? builder.CreateFAdd(held, update.getValOperand())
                   : update.getOperation() == AtomicRMWInst::FSub ? builder.CreateFSub(held, update.getValOperand())
                                                                  : builder.CreateAdd(held, update.getValOperand());
  builder.CreateStore(changed, update.getPointerOperand());
  update.replaceAllUsesWith(held);
  update.eraseFromParent();
}

void find_atomic_faults(AtomicRMWInst &update, Sites &sites) {
  const AtomicRMWInst::BinOp operation = update.getOperation();
  if (operation == AtomicRMWInst::FAdd || operation == AtomicRMWInst::FSub || operation == AtomicRMWInst::Add)
    sites.push_back({FaultClass::plain_atomic, &update, 0, nullptr, [&update] { make_plain(update); }, "not atomic"});
}

void find_shuffle_faults(CallInst &shuffle, Sites &sites) {
  constexpr unsigned lane = 2; // After the mask and the value.
  sites.push_back({FaultClass::shuffle_lane, &shuffle, lane, nullptr,
                   [&shuffle] {
                     IRBuilder<> builder(&shuffle);
                     Value *right = shuffle.getArgOperand(lane);
                     shuffle.setArgOperand(lane, builder.CreateXor(right, ConstantInt::get(right->getType(), 1)));
                   },
                   "with a neighbour of its lane"});
}

bool is_shared(const Value &pointer) {
  return pointer.stripPointerCasts()->getType()->getPointerAddressSpace() == shared_memory;
}

bool clears_shared_memory(const Instruction &instruction) {
  if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
    const auto *value = dyn_cast<Constant>(store->getValueOperand());
    return value && value->isNullValue() && is_shared(*store->getPointerOperand());
  }
  const auto *fill = dyn_cast<MemSetInst>(&instruction);
  const auto *byte = fill ? dyn_cast<Constant>(fill->getValue()) : nullptr;
  return byte && byte->isNullValue() && is_shared(*fill->getRawDest());
}

} // namespace

void find_device_faults(Function &function, Sites &sites) {
  for (Instruction &instruction : instructions(function)) {
    if (auto *call = dyn_cast<CallInst>(&instruction); call && is_barrier(*call))
      find_barrier_faults(*call, sites);
    else if (call && is_shuffle(*call))
      find_shuffle_faults(*call, sites);
    else if (call && is_common_sum(*call))
      sites.push_back({FaultClass::plain_atomic, call, 0, nullptr, [call] { make_plain(*call); }, "not atomic"});
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      find_atomic_faults(*update, sites);
    if (clears_shared_memory(instruction))
      sites.push_back({FaultClass::uncleared_shared, &instruction, 0, nullptr,
                       [place = &instruction] { place->eraseFromParent(); }, "left out"});
  }
}

} // namespace assay::jit
