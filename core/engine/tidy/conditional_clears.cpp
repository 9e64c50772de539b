#include "core/engine/tidy/conditional_clears.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// Local and shared memory answer in order.
bool may_be_global(const Value &pointer) {
  const Value *object = getUnderlyingObject(&pointer, 0);
  return !isa<AllocaInst>(object) && !is_in(*object->getType(), DeviceMemory::shared) &&
         !is_in(*pointer.getType(), DeviceMemory::shared);
}

/// Only where the derivative put it: of the program's own stores, a negative zero must not be left.
bool clears_adjoint(const StoreInst &store) {
  return store.hasMetadata(adjoint_clear) && store.isSimple() &&
         store.getValueOperand()->getType()->isFPOrFPVectorTy() && match(store.getValueOperand(), m_PosZeroFP()) &&
         may_be_global(*store.getPointerOperand());
}

/// The load of what the store clears, before which nothing else writes to it.
LoadInst *load_before(const StoreInst &clear, AAResults &aliases) {
  constexpr unsigned most = 64; // instructions that are looked at
  const MemoryLocation place = MemoryLocation::get(&clear);
  const Instruction *at = &clear;
  for (unsigned step = 0; step < most; ++step) {
    const BasicBlock *before = at->getParent()->getSinglePredecessor();
    at = at->getPrevNode() ? at->getPrevNode() : before ? before->getTerminator() : nullptr;
    if (!at)
      return nullptr;
    if (const auto *load = dyn_cast<LoadInst>(at); load && load->isSimple() &&
                                                   load->getPointerOperand() == clear.getPointerOperand() &&
                                                   load->getType() == clear.getValueOperand()->getType())
      return const_cast<LoadInst *>(load);
    if (at->mayWriteToMemory() && !isa<AssumeInst>(at) && isModSet(aliases.getModRefInfo(at, place)))
      return nullptr;
  }
  return nullptr;
}

void clear_unless_zero(StoreInst &clear, LoadInst &load) {
  IRBuilder<> builder(&clear);
  Value *differs = builder.CreateFCmpUNE(&load, clear.getValueOperand());
  if (load.getType()->isVectorTy())
    differs = builder.CreateOrReduce(differs);
  Instruction *end = SplitBlockAndInsertIfThen(differs, clear.getIterator(), false);
  clear.moveBefore(end->getIterator());
}

} // namespace

PreservedAnalyses ConditionalClearsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!is_device_code(*function.getParent()))
    return PreservedAnalyses::all();
  AAResults &aliases = analyses.getResult<AAManager>(function);
  SmallVector<std::pair<StoreInst *, LoadInst *>, 8> pairs;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction); store && clears_adjoint(*store))
      if (LoadInst *load = load_before(*store, aliases))
        pairs.emplace_back(store, load);
  for (const auto &[store, load] : pairs)
    clear_unless_zero(*store, *load);
  return pairs.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace assay::engine
