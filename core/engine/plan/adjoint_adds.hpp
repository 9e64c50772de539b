#pragma once
// How the reverse sweep adds to shadow memory: in device code, where other threads may add to the same place, and where
// functions stand for the memory. Decided for each load and copy on the prepared function.

#include "core/engine/analysis/types.hpp"
#include "core/engine/plan/lane_addresses.hpp"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::engine {

enum class AdjointAdd : std::uint8_t {
  plain,      ///< No other thread can mean the place: the thread's own memory, or host code.
  atomic,     ///< Global or shared memory.
  told_apart, ///< A pointer of unknown kind: atomic unless it leads to the thread's own memory.
  undivided,  ///< Host code whose shadows may be behind pointers of `__enzyme_todense` (support/undivided_sums.hpp).
};
llvm::StringRef name_of(AdjointAdd add);

/// A counter of a loop that takes part in the address of a load, and what it is below of whenever the load runs.
struct IndexBound {
  llvm::Value *index = nullptr, *below = nullptr;
};

class AdjointAdds {
public:
  /// Of a load, or of the source of a copy. Those that are not listed are plain.
  AdjointAdd operator[](const llvm::Instruction &instruction) const { return adds_.lookup(&instruction); }
  LaneAddresses lane_addresses(const llvm::Instruction &instruction) const {
    return alike_.contains(&instruction) ? LaneAddresses::perhaps_alike : LaneAddresses::apart;
  }
  /// Null values where there is none. It tells who reads the kernel whether threads keep within a row
  /// (tidy/own_places.hpp).
  IndexBound bound(const llvm::Instruction &instruction) const { return bounds_.lookup(&instruction); }
  auto begin() const { return adds_.begin(); }
  auto end() const { return adds_.end(); }
  /// One line for each that is not plain.
  void print(llvm::raw_ostream &out) const;

private:
  friend AdjointAdds plan_adjoint_adds(const struct AdjointAddInput &input);
  static AdjointAdds on_host(const struct AdjointAddInput &input);
  llvm::MapVector<const llvm::Instruction *, AdjointAdd> adds_;
  llvm::DenseSet<const llvm::Instruction *>
      alike_; ///< Of these, with numbers that a warp adds up, and lanes may mean one place.
  llvm::DenseMap<const llvm::Instruction *, IndexBound> bounds_;
};

struct AdjointAddInput {
  llvm::Function &prepared;
  llvm::ScalarEvolution &evolution;
  const TypeAnalysis &types;
  llvm::function_ref<bool(const llvm::LoadInst &)> has_adjoint;
  bool runtime_activity = false; ///< Adjoints of memory that is its own shadow go to the thread's own memory.
};

AdjointAdds plan_adjoint_adds(const AdjointAddInput &input);

} // namespace assay::engine
