#pragma once
// Additions to shadow memory in the block of a loop: load, sum, store of one place, whose order is free.

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace assay::engine {

/// place += terms - terms that are subtracted
struct MemorySum {
  struct Term {
    llvm::Value *value = nullptr, *factor = nullptr; ///< Their product, where there is a factor.
    bool is_subtracted = false;
  };
  llvm::LoadInst *load = nullptr;
  llvm::StoreInst *store = nullptr;
  llvm::SmallVector<llvm::Instruction *, 2> operations{}; ///< Between both, the last one first; nothing else uses them.
  llvm::SmallVector<Term, 2> terms{};
  const llvm::SCEVAddRecExpr *address = nullptr; ///< By how much it moves is a constant: the size of a number.
  bool is_upward = true;

  bool subtracts_all() const;
};

/// The sum that `store` ends in the one block of `loop`, if no other access in between may mean its place.
std::optional<MemorySum> memory_sum(llvm::StoreInst &store, const llvm::Loop &loop, llvm::ScalarEvolution &evolution,
                                    llvm::AAResults &aliases);

/// Sums at places that are known to lie close to one another.
struct NearSums {
  static constexpr std::int64_t most_span = 16; ///< iterations

  struct Member {
    const MemorySum *sum;
    std::int64_t shift; ///< Iterations by which it comes to a place before the first member does.
  };
  llvm::SmallVector<Member, 4> members{}; ///< The first one has shift 0, and no other a smaller one.

  std::int64_t span() const;
};

llvm::SmallVector<NearSums, 4> near_sums(llvm::ArrayRef<MemorySum> sums, llvm::ScalarEvolution &evolution);

} // namespace assay::engine
