#pragma once
// The memory of a nest of two loops, the inner one of one block: which places its accesses walk over, whether these can
// be told apart before it runs, and whether some iterations of the outer loop may run side by side (jam_loops.hpp).

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <optional>

namespace assay::engine {

/// Accesses of the same addresses: start + j * outer_step + k * inner_step.
struct Place {
  const llvm::SCEV *start = nullptr, *outer_step = nullptr, *inner_step = nullptr;
  std::int64_t bytes = 0; ///< Of one access.
  bool is_written = false, is_inner = false, is_outer = false;
  bool is_sum = false; ///< Sums are added there, in any order; so iterations and other sums need not be kept apart.
  llvm::SmallVector<llvm::Instruction *, 4> accesses{};
};

/// `count` can be computed before the nest, and never stops the program.
bool is_known_before(const llvm::SCEV *count, const llvm::Loop &nest, llvm::ScalarEvolution &evolution);

class NestMemory {
public:
  /// A single loop is its own inner one. `sums` are the accesses of sums whose order is free.
  NestMemory(
      const llvm::Loop &nest, llvm::ScalarEvolution &evolution, llvm::AAResults &aliases,
      const llvm::SmallPtrSetImpl<const llvm::Instruction *> &sums = llvm::SmallPtrSet<const llvm::Instruction *, 1>());

  /// Whether `count` iterations may run side by side where the conditions that are written then are true.
  bool allows(unsigned count);
  /// Neighbours in the outer loop lie side by side, those in the inner one do not.
  bool has_columns() const;
  /// An i1, before the nest: true where iterations may run side by side.
  llvm::Value *write_conditions(unsigned count, llvm::Instruction &before);
  llvm::ArrayRef<Place> places() const { return places_; }

private:
  using Accesses = llvm::SmallPtrSetImpl<const llvm::Instruction *>;
  bool collect(const Accesses &sums);
  bool add(llvm::Instruction &access, bool is_sum);
  bool separates_iterations(const Place &place, unsigned count);
  bool may_differ(const Place &one, const Place &other);
  const llvm::SCEV *magnitude(const llvm::SCEV *step);
  const llvm::SCEV *offset(const Place &place, bool upper);
  llvm::Value *write_apart(const Place &one, const Place &other, llvm::Instruction &before);

  const llvm::Loop &outer_, &inner_;
  llvm::ScalarEvolution &evolution_;
  llvm::AAResults &aliases_;
  bool is_known_ = false;
  llvm::SmallVector<Place, 8> places_;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 8> pairs_; ///< Places that must be told apart.
  llvm::DenseMap<std::pair<const llvm::SCEV *, const llvm::SCEV *>, llvm::Value *> written_;
  llvm::SmallVector<unsigned, 4> strides_; ///< Places whose steps must be compared.
};

} // namespace assay::engine
