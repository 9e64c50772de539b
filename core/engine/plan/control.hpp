#pragma once
// Control flow as values. To run backwards, the reverse sweep must know, at each join, where the forward sweep came
// from, and for each loop how often it ran. Both are made ordinary values of the forward sweep here (a selector phi, a
// trip count), so that the plan treats them like any other value that the reverse sweep needs.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

struct LoopRecord {
  llvm::Loop *loop = nullptr;
  llvm::PHINode *iteration = nullptr; ///< i64, counts iterations from 0.
  /// Number of times the back edge is taken (i64), available in the preheader; null when only the exits know it.
  llvm::Value *count = nullptr;
  /// Where `count` is null: the value of `iteration` on leaving, by exit block (a phi there).
  llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> count_at_exit;
  /// The only edge by which the loop is left towards the function's return, if there is only one.
  llvm::BasicBlock *only_exiting = nullptr, *only_exit = nullptr;
  std::optional<std::uint64_t> constant_count;
  std::optional<std::uint64_t> most; ///< The back edge is not taken more often; `constant_count` where there is one.

  llvm::Value *count_for(llvm::BasicBlock *exit) const { return count ? count : count_at_exit.lookup(exit); }
};

/// How the reverse sweep leaves a block.
struct JoinRecord {
  llvm::BasicBlock *jump_to = nullptr; ///< Nothing in between has a reverse: go there at once.
  llvm::Value *selector = nullptr;     ///< Else, at a join: which of `predecessors` control came from (i1 or i8/i32).
  llvm::SmallVector<llvm::BasicBlock *, 2> predecessors; ///< Each once, in the selector's numbering.
};

/// A loop-carried value with a closed form.
struct ClosedForm {
  enum class Kind : std::uint8_t {
    sum,         ///< start + iteration * step
    left_shift,  ///< start << (iteration * step), zero from the number of bits on; `step` is a constant here and below
    right_shift, ///< start >> (iteration * step), likewise
    sign_shift,  ///< The same, with copies of the sign.
    quotient,    ///< start / 2^(iteration * step), rounded towards zero
  };
  llvm::Value *start = nullptr, *step = nullptr;
  llvm::Loop *loop = nullptr;
  Kind kind = Kind::sum;
};

struct ControlRecord {
  llvm::DenseMap<const llvm::Loop *, LoopRecord> loops;
  llvm::DenseMap<const llvm::BasicBlock *, JoinRecord> joins;
  llvm::DenseMap<const llvm::PHINode *, ClosedForm> closed_forms;
  llvm::DenseSet<const llvm::BasicBlock *> live; ///< Blocks of the sweep that have a reverse.
};

/// The work of each block's reverse, by block of the sweep.
struct ReverseWork {
  llvm::function_ref<bool(const llvm::BasicBlock &)> in_block; ///< Anything at all, phis included.
  llvm::function_ref<bool(const llvm::BasicBlock &)> in_phis;  ///< Its phis carry adjoints to its predecessors.
};

/// Adds the values that it records to `function`.
llvm::Expected<ControlRecord> record_control(llvm::Function &function, llvm::LoopInfo &loops,
                                             llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution,
                                             const ReverseWork &work);

} // namespace assay::engine
