#pragma once
// Whether the memory of a load and the memory of a store overlap, asked when the program runs. Where the addresses of
// both are sums of multiples of loop counters, their bounds over all iterations are known before the loops start.

#include "core/engine/plan/control.hpp"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

namespace assay::engine {

/// Offsets in bytes from a base, inclusive; null when unknown.
struct OffsetRange {
  const llvm::SCEV *low = nullptr, *high = nullptr;
};

/// All memory that accesses mean in all iterations.
struct MemoryExtent {
  const llvm::SCEV *base = nullptr;
  OffsetRange offsets{};
  const llvm::SCEV *bytes = nullptr; ///< Of one access, at most.
};

/// A question that the forward sweep asks once, before `place`: whether the memory of a store overlaps that of some
/// loads.
struct OverlapCheck {
  llvm::Instruction *place = nullptr; ///< Outside of all loops.
  MemoryExtent written{};
  llvm::SmallVector<MemoryExtent, 2> read{};
  bool is_kept = false; ///< The answer is kept on the tape: a way to the end does not come by.

  void print(llvm::raw_ostream &out) const;
};

class OverlapChecks {
  using Range = OffsetRange;
  using Extent = MemoryExtent;

public:
  /// The memory of several loads. Memory a known distance apart, as in an unrolled loop, is one piece.
  using Pieces = llvm::SmallVector<Extent, 2>;

  /// Loads that one check tells from the memory of a store.
  struct Group {
    llvm::SmallVector<const llvm::LoadInst *, 4> loads{};
    Pieces pieces{};
    const llvm::Instruction *place = nullptr; ///< Where the check runs.
  };

  OverlapChecks(const ControlRecord &control, const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators,
                llvm::ScalarEvolution &evolution)
      : control_(control), loops_(loops), dominators_(dominators), evolution_(evolution) {}

  /// The load joins the group if all run in loops, the bounds of all are known before the first of them, load and store
  /// may be different memory, and there are not more than `most` pieces.
  bool join(Group &group, const llvm::LoadInst &load, const llvm::Instruction &store, std::size_t most);
  /// The check that tells the store's memory from that of the loads, which joined one group.
  OverlapCheck describe(const llvm::Instruction &store, llvm::ArrayRef<const llvm::LoadInst *> loads);

private:
  const Extent &extent(const llvm::Instruction &access);
  const llvm::SCEV *bytes_of(const llvm::Instruction &access);
  bool may_differ(const llvm::LoadInst &load, const llvm::Instruction &store);
  bool is_known_at(const llvm::Instruction &access, const llvm::Instruction &place);
  bool widen(Extent &piece, const Extent &memory);
  bool add(const llvm::LoadInst &load, Pieces &pieces, std::size_t most);
  Range range(const llvm::SCEV *expression);
  Range range_of_recurrence(const llvm::SCEVAddRecExpr &recurrence);
  Range range_when_entered(const llvm::SCEVAddRecExpr &recurrence, const Range &start);
  const llvm::SCEV *count_when_entered(const llvm::SCEV *count, const llvm::Loop &loop, llvm::Type *type);
  std::pair<const llvm::SCEV *, const llvm::SCEV *> gain_and_loss(const llvm::SCEV *expression);
  const llvm::SCEV *exit_count(const llvm::Loop &loop);
  Range range_of_extension(const llvm::SCEVIntegralCastExpr &extension);
  Range range_without_wrapping(const llvm::SCEV *index, llvm::Type *type, bool is_signed);
  Range from(const Range &start, const llvm::SCEV *step, const llvm::Loop &loop);
  Range range_of_product(const llvm::SCEVMulExpr &product);
  /// Where the check runs: outside all loops, before both. Null when there is no such place.
  llvm::Instruction *place(llvm::ArrayRef<const llvm::Instruction *> accesses) const;

  const ControlRecord &control_;
  const llvm::LoopInfo &loops_;
  const llvm::DominatorTree &dominators_;
  llvm::ScalarEvolution &evolution_;
  llvm::DenseMap<const llvm::Instruction *, Extent> extents_;
};

} // namespace assay::engine
