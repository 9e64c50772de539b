#include "core/engine/prepare/unrolled_swaps.hpp"
#include "core/engine/prepare/byte_swaps.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <optional>

using namespace llvm;

namespace assay::engine {
namespace {

/// A place as a distance from some pointer.
struct SwapPlace {
  Value *base;
  std::int64_t offset;
  bool is_behind(const SwapPlace &other, std::int64_t bytes) const {
    return base == other.base && offset == other.offset + bytes;
  }
};

/// Two bytes that are exchanged.
struct Pair {
  SwapPlace first, second;
  SmallVector<StoreInst *, 2> stores;
};

/// Pairs that are each one byte behind the one before.
struct Run {
  SmallVector<Pair, 16> pairs;
};

SwapPlace swap_place_of(Value *pointer, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getSExtValue()};
}

bool moves_a_byte(const Instruction &access) {
  const auto *load = dyn_cast<LoadInst>(&access);
  const auto *store = dyn_cast<StoreInst>(&access);
  return ((load && load->isSimple()) || (store && store->isSimple())) && getLoadStoreType(&access)->isIntegerTy(8);
}

/// load p; load q; store p, the byte of q; store q, the byte of p, and the same with one pair crossed.
std::optional<Pair> pair_of(ArrayRef<Instruction *> accesses) {
  const auto *one = dyn_cast<LoadInst>(accesses[0]), *other = dyn_cast<LoadInst>(accesses[1]);
  auto *first = dyn_cast<StoreInst>(accesses[2]), *second = dyn_cast<StoreInst>(accesses[3]);
  if (!one || !other || !first || !second ||
      !all_of(accesses, [](const auto *access) { return moves_a_byte(*access); }))
    return std::nullopt;
  if (first->getValueOperand() == one)
    std::swap(first, second);
  const bool crossed = first->getValueOperand() == other && second->getValueOperand() == one &&
                       first->getPointerOperand() == one->getPointerOperand() &&
                       second->getPointerOperand() == other->getPointerOperand();
  if (!crossed || !one->hasOneUse() || !other->hasOneUse())
    return std::nullopt;
  const DataLayout &layout = first->getDataLayout();
  return Pair{swap_place_of(first->getPointerOperand(), layout),
              swap_place_of(second->getPointerOperand(), layout),
              {first, second}};
}

void find_runs(BasicBlock &block, SmallVectorImpl<Run> &runs) {
  constexpr unsigned accesses_of_pair = 4;
  SmallVector<Instruction *, 64> accesses;
  for (Instruction &instruction : block)
    if (instruction.mayReadOrWriteMemory())
      accesses.push_back(&instruction);
  Run run;
  const auto finish = [&] {
    if (run.pairs.size() > 1)
      runs.push_back(run);
    run.pairs.clear();
  };
  for (size_t index = 0; index + accesses_of_pair <= accesses.size();) {
    std::optional<Pair> pair = pair_of(ArrayRef(accesses).slice(index, accesses_of_pair));
    if (pair && !run.pairs.empty() && run.pairs.back().first.base == pair->second.base)
      std::swap(pair->first, pair->second);
    if (!pair || (!run.pairs.empty() && !(pair->first.is_behind(run.pairs.back().first, 1) &&
                                          pair->second.is_behind(run.pairs.back().second, 1))))
      finish();
    if (pair)
      run.pairs.push_back(std::move(*pair));
    index += pair ? accesses_of_pair : 1;
  }
  finish();
}

void rewrite(const Run &run) {
  const Pair &pair = run.pairs.front();
  Instruction &end = *run.pairs.back().stores[0];
  IRBuilder<> builder(&end);
  const auto address = [&](const SwapPlace &place) {
    return builder.CreatePtrAdd(place.base, builder.getInt64(place.offset));
  };
  Value *first = address(pair.first), *second = address(pair.second);
  exchange_pieces(end, first, second, builder.getInt64(run.pairs.size()));
  for (const Pair &each : run.pairs)
    for (StoreInst *store : each.stores)
      store->eraseFromParent();
}

} // namespace

bool rewrite_unrolled_swaps(Function &function) {
  SmallVector<Run, 4> runs;
  for (BasicBlock &block : function)
    find_runs(block, runs);
  for (const Run &run : runs)
    rewrite(run);
  return !runs.empty();
}

} // namespace assay::engine
