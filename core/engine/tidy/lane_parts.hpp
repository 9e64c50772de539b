#pragma once
// What a loop of a derivative computes for each of several tangents (lanes), and the loop as several, each for a few of
// them:
//
//   for k:  s += a[k] * b[k];  s1' += a1'[k] * b[k] + a[k] * b1'[k];  ...  s8' += a8'[k] * b[k] + a[k] * b8'[k]
//
// Every lane has memory of its own, so the addresses of all lanes are far more than there are registers. What the lanes
// take from the primal is computed once in each loop, so it has to be cheap.

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

#include <optional>

namespace assay::engine {

/// Stores of a loop, and values of it that are read after it.
using LoopResults = llvm::SmallVector<llvm::Instruction *, 4>;

struct LaneParts {
  LoopResults primal{}; ///< What belongs to no lane.
  llvm::SmallVector<LoopResults, 8> lanes{};
  unsigned shared_addresses = 0, lane_addresses = 0; ///< Those that lanes read of the primal; those of one lane.
  unsigned lane_sums = 0;                            ///< Floating-point numbers that one lane hands on.
};

/// Nothing where what lanes share is dear, where a result is of several, or where each iteration of a lane waits for
/// the one before: other lanes fill the time.
std::optional<LaneParts> lane_parts(const llvm::Loop &loop, const llvm::LoopInfo &loops,
                                    llvm::ScalarEvolution &evolution);

/// The results of a loop with more sums than there are registers, each as a part: sums, then stores. Nothing where
/// there are few, or where much of what they need is the same.
std::optional<LaneParts> sum_parts(const llvm::Loop &loop, const llvm::LoopInfo &loops);

/// So many lanes that their addresses and sums find a place in registers.
unsigned lanes_at_once(const LaneParts &parts);
/// The same where several iterations of an outer loop run side by side (jam_loops.hpp).
unsigned lanes_of_columns(const LaneParts &parts);

/// A store of one part, and what another part accesses that may be the same memory.
struct Dependence {
  llvm::Instruction *store, *access;
  bool store_runs_later; ///< Once they are separate.
};
llvm::SmallVector<Dependence, 8> dependences(const llvm::Loop &loop, const LaneParts &parts, llvm::AAResults &aliases);

/// The loop, now for the first `count` lanes, then copies of it for the others and for the primal. It has one exit, and
/// no effect but stores.
llvm::SmallVector<llvm::Loop *, 4> separate_lanes(llvm::Loop &loop, const LaneParts &parts, unsigned count,
                                                  llvm::LoopInfo &loops, llvm::DominatorTree &dominators);

} // namespace assay::engine
