#pragma once
// Accesses of one array that never mean the same element. The offsets of both are taken apart into a row and a column
// where the column stays below the row's length; then no values of the loops' counters that the order of both allows
// may make rows and columns equal (Fourier-Motzkin elimination). Where addresses of rows stand in a table, the places
// in the table take part as well.

#include "core/engine/analysis/row_tables.hpp"
#include "core/engine/plan/inequalities.hpp"
#include "llvm/Analysis/ScalarEvolution.h"

namespace assay::engine {

class Independence {
public:
  /// `tables` are those of the function that the accesses are in.
  Independence(const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution, const RowTables &tables)
      : loops_(loops), evolution_(evolution), tables_(tables), forms_(loops) {}

  /// True when `store`, running after `load`, never writes the memory that it has read.
  bool never_overwrites(const llvm::StoreInst &store, const llvm::LoadInst &load);
  /// True when within one execution of `loop` none of the store's places is one of the load's.
  bool never_meet(const llvm::StoreInst &store, const llvm::LoadInst &load, const llvm::Loop &loop);
  /// True when in no two different iterations of one execution of `loop` they mean the same place. Loads or stores, or
  /// one of them twice.
  bool never_meet_elsewhere(const llvm::Instruction &one, const llvm::Instruction &other, const llvm::Loop &loop);

private:
  using Loops = llvm::SmallVector<const llvm::Loop *, 4>;
  /// Where in a table the address of a row stands.
  struct Place {
    IndexForm offset;
    std::int64_t span = 0; ///< Of the places of one row.
  };
  struct Access {
    const llvm::Value *base = nullptr;
    IndexForm offset;
    std::int64_t bytes = 0;
    Inequalities::Side side = Inequalities::Side::load;
    llvm::SmallVector<Place, 2> places{}; ///< Of the row, of the row that its table is, and so on.
  };
  /// Bytes of a row: a constant, or a constant times a value that is known outside loops.
  struct Length {
    std::optional<Atom> value{};
    std::int64_t factor = 1;

    IndexForm form() const;
  };
  struct Subscripts { // offset = row * length + column
    IndexForm row, column;
  };

  std::optional<std::pair<Access, Access>> accesses(const llvm::Instruction &store, const llvm::Instruction &load);
  std::optional<Access> access(const llvm::Instruction &instruction, Inequalities::Side side);
  bool find_place(Access &access, const llvm::DataLayout &layout);
  static bool require_same_row(const Place &read, const Place &written, Inequalities &question);
  bool differ(const Access &load, const Access &store, llvm::ArrayRef<const llvm::Loop *> equal,
              std::optional<std::pair<const llvm::Loop *, Inequalities::Side>> later);
  bool differ_in_rows(const Access &load, const Access &store, const Length &length, Inequalities question);
  bool stays_in_row(const Access &access, const IndexForm &column, const Length &length);
  llvm::SmallVector<Length, 4> possible_lengths(const Access &load, const Access &store) const;
  static std::optional<Subscripts> split(const IndexForm &offset, const Length &length);
  const std::optional<IndexForm> &bound_of(const llvm::Loop &loop);
  std::optional<IndexForm> find_bound(const llvm::Loop &loop);
  Loops common_loops(const llvm::Instruction &a, const llvm::Instruction &b) const;

  const llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  const RowTables &tables_;
  IndexForms forms_;
  unsigned asked_ = 0;
  llvm::DenseMap<const llvm::Loop *, std::optional<IndexForm>> bounds_; ///< Largest value of the loop's counter.
};

} // namespace assay::engine
