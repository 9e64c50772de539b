#include "core/engine/tidy/lane_parts.hpp"
#include "core/engine/emit/alias_scopes.hpp"
#include "core/engine/tidy/repeated_work.hpp"
#include "core/engine/tidy/slice.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Instructions of a loop that some of its results need, and those that decide how often it runs.
Slice slice_of(ArrayRef<Instruction *> results, const Loop &loop) {
  Slice slice(results.begin(), results.end());
  for (const BasicBlock *block : loop.blocks())
    slice.insert(const_cast<Instruction *>(block->getTerminator()));
  return closed_slice(std::move(slice), [&](const Instruction &instruction) { return loop.contains(&instruction); });
}

LoopResults results_of(const Loop &loop) {
  LoopResults results;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (isa<StoreInst>(instruction) ||
          any_of(instruction.users(), [&](const User *user) { return !loop.contains(cast<Instruction>(user)); }))
        results.push_back(&instruction);
  return results;
}

bool only_loads_and_stores(const Loop &loop) {
  return all_of(loop.blocks(), [](const BasicBlock *block) {
    return all_of(*block, [](const Instruction &instruction) {
      if (const auto *load = dyn_cast<LoadInst>(&instruction))
        return load->isSimple();
      if (const auto *store = dyn_cast<StoreInst>(&instruction))
        return store->isSimple();
      return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
    });
  });
}

/// Registers for addresses: those that are a known distance apart need one.
class Addresses {
public:
  Addresses(const Loop &loop, ScalarEvolution &evolution) : loop_(loop), evolution_(evolution) {}

  /// False where it follows no line: what is read here and there takes its time anyway.
  bool add(Instruction &access) {
    const SCEV *address = evolution_.getSCEV(getLoadStorePointerOperand(&access));
    if (evolution_.isLoopInvariant(address, &loop_))
      return true;
    const auto *moving = dyn_cast<SCEVAddRecExpr>(address);
    if (!moving || !moving->isAffine())
      return false;
    if (none_of(known_, [&](const SCEV *other) {
          return other == address || isa<SCEVConstant>(evolution_.getMinusSCEV(address, other));
        }))
      known_.push_back(address);
    return true;
  }
  unsigned count() const { return known_.size(); }

private:
  const Loop &loop_;
  ScalarEvolution &evolution_;
  SmallVector<const SCEV *, 8> known_;
};

/// Numbers that one iteration hands to the next.
bool is_number_of_loop(const Instruction &instruction, const LoopInfo &loops) {
  return isa<PHINode>(instruction) && instruction.getType()->isFPOrFPVectorTy() &&
         loops.isLoopHeader(instruction.getParent());
}

/// Its order is free, so it never has to wait for itself.
bool is_free_sum(PHINode &phi, const LoopInfo &loops) {
  RecurrenceDescriptor sum;
  return phi.getType()->isFloatingPointTy() &&
         RecurrenceDescriptor::isReductionPHI(&phi, loops.getLoopFor(phi.getParent()), sum) &&
         sum.getRecurrenceKind() == RecurKind::FAdd && !sum.hasExactFPMath();
}

/// Nothing where a result is of several lanes, or where one decides how often the loop runs.
std::optional<LaneParts> parts_of(const Loop &loop) {
  LaneParts parts;
  MapVector<const MDNode *, LoopResults> lanes;
  for (Instruction *result : results_of(loop)) {
    SmallPtrSet<const MDNode *, 2> of_result;
    for (const Instruction *instruction : slice_of({result}, loop))
      if (const MDNode *lane = lane_scope(*instruction))
        of_result.insert(lane);
    if (of_result.size() > 1)
      return std::nullopt;
    (of_result.empty() ? parts.primal : lanes[*of_result.begin()]).push_back(result);
  }
  for (auto &[lane, results] : lanes)
    parts.lanes.push_back(std::move(results));
  if (parts.lanes.size() < 2)
    return std::nullopt;
  return parts;
}

/// In a copy of the loop, only what belongs to some results is left.
void keep_only(const Loop &loop, ArrayRef<Instruction *> results) {
  const Slice slice = slice_of(results, loop);
  SmallVector<Instruction *, 32> others;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (!slice.contains(&instruction))
        others.push_back(&instruction);
  for (Instruction *other : others)
    other->replaceAllUsesWith(PoisonValue::get(other->getType()));
  for (Instruction *other : others)
    other->eraseFromParent();
}

/// A copy of the loop that runs after it; what is read of `results` later is the copy's.
Loop *repeat(Loop &loop, LoopResults &results, LoopInfo &loops, DominatorTree &dominators) {
  BasicBlock *exiting = loop.getExitingBlock(), *exit = loop.getExitBlock();
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 4> blocks;
  Loop *copy = cloneLoopWithPreheader(exit, exiting, &loop, copies, ".lanes", &loops, &dominators, blocks);
  remapInstructionsInBlocks(blocks, copies);
  exiting->getTerminator()->replaceSuccessorWith(exit, copy->getLoopPreheader());
  exit->replacePhiUsesWith(exiting, copy->getExitingBlock());
  dominators.changeImmediateDominator(exit, copy->getExitingBlock());
  for (Instruction *&result : results) {
    auto *repeated = cast<Instruction>(copies[result]);
    result->replaceUsesWithIf(repeated, [&](const Use &use) {
      const auto *user = cast<Instruction>(use.getUser());
      return !loop.contains(user) && !copy->contains(user);
    });
    result = repeated;
  }
  return copy;
}

} // namespace

static bool may_be_copied(const Loop &loop) {
  constexpr std::size_t most = 2000; // instructions
  std::size_t size = 0;
  for (const BasicBlock *block : loop.blocks())
    size += block->size();
  return size <= most && loop.isLoopSimplifyForm() && loop.getExitBlock() &&
         loop.getExitingBlock() == loop.getLoopLatch() && loop.isSafeToClone() && only_loads_and_stores(loop);
}

std::optional<LaneParts> lane_parts(const Loop &loop, const LoopInfo &loops, ScalarEvolution &evolution) {
  if (!may_be_copied(loop))
    return std::nullopt;
  std::optional<LaneParts> parts = parts_of(loop);
  if (!parts)
    return std::nullopt;
  Addresses shared(loop, evolution);
  const Slice first = slice_of(parts->lanes.front(), loop), second = slice_of(parts->lanes.back(), loop);
  for (Instruction *instruction : first) {
    if (!second.contains(instruction))
      continue;
    if (!is_cheap(*instruction))
      return std::nullopt;
    if (isa<LoadInst>(instruction))
      shared.add(*instruction);
  }
  for (const LoopResults &results : parts->lanes) {
    Addresses own(loop, evolution);
    unsigned sums = 0;
    for (Instruction *instruction : slice_of(results, loop)) {
      if (first.contains(instruction) && second.contains(instruction))
        continue;
      if (isa<LoadInst, StoreInst>(instruction) && !own.add(*instruction))
        return std::nullopt;
      if (!is_number_of_loop(*instruction, loops))
        continue;
      if (!is_free_sum(cast<PHINode>(*instruction), loops))
        return std::nullopt;
      ++sums;
    }
    parts->lane_addresses = std::max(parts->lane_addresses, own.count());
    parts->lane_sums = std::max(parts->lane_sums, sums);
  }
  parts->shared_addresses = shared.count();
  return parts;
}

std::optional<LaneParts> sum_parts(const Loop &loop, const LoopInfo &loops) {
  constexpr unsigned registers = 12, most_results = 80, most_shared = 8;
  if (!may_be_copied(loop))
    return std::nullopt;
  unsigned sums = 0;
  for (PHINode &phi : loop.getHeader()->phis())
    if (is_number_of_loop(phi, loops)) {
      ++sums;
      if (!is_free_sum(phi, loops))
        return std::nullopt;
    }
  LoopResults results = results_of(loop);
  if (sums <= registers || results.size() > most_results)
    return std::nullopt;
  const Slice control = slice_of({}, loop);
  SmallPtrSet<Instruction *, 32> seen, shared;
  SmallPtrSet<const Value *, 8> shared_places;
  for (Instruction *result : results)
    for (Instruction *instruction : slice_of({result}, loop))
      if (!control.contains(instruction) && !seen.insert(instruction).second) {
        if (!is_cheap(*instruction))
          return std::nullopt;
        shared.insert(instruction);
        if (const auto *load = dyn_cast<LoadInst>(instruction))
          shared_places.insert(load->getPointerOperand());
      }
  if (shared.size() > most_shared)
    return std::nullopt;
  const auto order = [&](const Instruction *result) { // what others read is overwritten after that
    return !isa<StoreInst>(result) ? 0 : shared_places.contains(getLoadStorePointerOperand(result)) ? 2 : 1;
  };
  LaneParts parts{.lane_sums = 1};
  for (int kind : {0, 1, 2})
    for (Instruction *result : results)
      if (order(result) == kind)
        parts.lanes.push_back({result});
  return parts;
}

unsigned lanes_at_once(const LaneParts &parts) {
  constexpr unsigned addresses = 12, sums = 8; // the rest of 16 is for counters, and for what is computed
  unsigned count = 1;
  while (parts.shared_addresses + 2 * count * parts.lane_addresses <= addresses && 2 * count * parts.lane_sums <= sums)
    count *= 2;
  return count;
}

unsigned lanes_of_columns(const LaneParts &parts) {
  constexpr unsigned sums = 2;
  return std::max(1U, sums / std::max(1U, parts.lane_sums));
}

SmallVector<Dependence, 8> dependences(const Loop &loop, const LaneParts &parts, AAResults &aliases) {
  const auto place = [](const Instruction &access) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&access), access.getAAMetadata());
  };
  SmallVector<const LoopResults *, 9> all; // in the order in which they run
  for (const LoopResults &lane : parts.lanes)
    all.push_back(&lane);
  all.push_back(&parts.primal);
  SmallVector<Dependence, 8> found;
  for (auto [index, part] : enumerate(all))
    for (Instruction *access : slice_of(*part, loop))
      for (auto [other_index, other] : enumerate(all))
        for (Instruction *store : *other)
          if (other != part && isa<LoadInst, StoreInst>(access) && isa<StoreInst>(store) &&
              !aliases.isNoAlias(place(*store), place(*access)))
            found.push_back({store, access, other_index > index});
  return found;
}

SmallVector<Loop *, 4> separate_lanes(Loop &loop, const LaneParts &parts, unsigned count, LoopInfo &loops,
                                      DominatorTree &dominators) {
  SmallVector<LoopResults, 5> groups;
  for (auto [lane, results] : enumerate(parts.lanes)) {
    if (lane % count == 0)
      groups.emplace_back();
    append_range(groups.back(), results);
  }
  if (!parts.primal.empty())
    groups.push_back(parts.primal);
  SplitEdge(loop.getLoopPreheader(), loop.getHeader(), &dominators, &loops); // what is before the loop is not repeated
  SmallVector<Loop *, 4> all{&loop};
  for (LoopResults &group : reverse(drop_begin(groups)))
    all.push_back(repeat(loop, group, loops, dominators));
  keep_only(loop, groups.front());
  for (auto [copy, group] : zip_equal(drop_begin(all), reverse(drop_begin(groups))))
    keep_only(*copy, group);
  return all;
}

} // namespace assay::engine
