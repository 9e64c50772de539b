#pragma once
// Linear inequalities between the loop counters and values of two accesses, which are shared where both run in the same
// iteration. Asked is only whether they contradict each other.

#include "core/engine/plan/index_form.hpp"

namespace assay::engine {

class Inequalities {
public:
  using BoundOf = llvm::function_ref<const std::optional<IndexForm> &(const llvm::Loop &)>;
  enum class Side : std::uint8_t { load, store };
  struct Term {
    const IndexForm &form; ///< Linear.
    Side side;
    std::int64_t factor = 1;
  };

  /// In the loops `equal` both sides are in the same iteration.
  Inequalities(const IndexForms &forms, llvm::ArrayRef<const llvm::Loop *> equal) : forms_(forms), equal_(equal) {}

  /// The sum of the terms and the constant is not negative.
  void require(llvm::ArrayRef<Term> terms, std::int64_t constant);
  /// The counter of the loop is larger on one side.
  void require_later(const llvm::Loop &loop, Side later);
  /// Adds that counters are not negative and stay within their bounds, and asks.
  bool contradict(BoundOf bound_of);

private:
  struct Row {
    std::int64_t constant = 0;
    llvm::SmallMapVector<unsigned, std::int64_t, 4> factors;
  };
  enum class Owner : std::uint8_t { both, load, store };

  Owner owner(Atom atom, Side side) const;
  unsigned column(Atom atom, Side side);

  const IndexForms &forms_;
  llvm::ArrayRef<const llvm::Loop *> equal_;
  llvm::MapVector<std::pair<void *, unsigned>, std::pair<Atom, Side>> columns_;
  llvm::SmallVector<Row, 8> rows_;
};

} // namespace assay::engine
