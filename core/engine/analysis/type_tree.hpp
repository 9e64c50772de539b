#pragma once
// The evidence for the bytes of one memory node, by offset: of single places, and of the elements of arrays.

#include "core/engine/analysis/evidence.hpp"
#include "core/engine/analysis/memory_graph.hpp"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace assay::engine {

/// Trees are small and are read far more often than they change, so they are kept sorted in a row, and large ones
/// remember the queries since they last changed.
class TypeTree {
public:
  struct Strided {
    std::int64_t base; ///< The lowest offset that was seen.
    Evidence evidence;
  };

  bool add(OffsetSet at, Evidence evidence);
  Evidence look_up(OffsetSet at) const;
  /// As `look_up`, and where that knows nothing takes arrays to begin before the accesses seen of them.
  Evidence look_up_anywhere(OffsetSet at) const;
  /// Everything that was seen from `at` on.
  Evidence everything(OffsetSet at) const;
  /// In the order of the offsets.
  const std::vector<std::pair<std::int64_t, Evidence>> &exact() const { return exact_; }
  using ArrayKey = std::pair<std::uint64_t, std::int64_t>; ///< Stride and offset modulo the stride.
  const std::vector<std::pair<ArrayKey, Strided>> &strided() const { return strided_; }
  /// Everything that was ever added, wherever it is: a type that this does not mention is found at no place.
  const Evidence &mentioned() const { return mentioned_; }
  /// A number that grows whenever the tree changes.
  std::uint64_t version() const { return version_; }

private:
  bool add_exact(std::int64_t offset, const Evidence &evidence);
  bool add_strided(OffsetSet at, Evidence evidence);
  const Evidence *find_exact(std::int64_t offset) const;
  Evidence find_out(OffsetSet at) const;
  Evidence with_elements(OffsetSet at, Evidence result) const;
  Evidence with_all(Evidence result) const;
  Evidence find_exact_place(std::int64_t offset, const Evidence &known) const;
  Evidence look_up_strided(OffsetSet at) const;
  bool begins_as_something_else(ArrayKey key, const Strided &array) const;

  /// What entries tell best, of all that tell of numbers and addresses: to join them one by one took most of the time
  /// of large trees.
  struct BestOfAll {
    Evidence exact, anywhere;
    std::uint64_t version = 0; ///< Of the tree.
  };
  const BestOfAll &best_of_all() const;

  struct Found {
    Evidence evidence;
    std::uint64_t version = 0; ///< Of the tree that it was found in.
  };
  std::vector<std::pair<std::int64_t, Evidence>> exact_;
  std::vector<std::pair<ArrayKey, Strided>> strided_;
  Evidence mentioned_;
  std::uint64_t version_ = 1;
  mutable llvm::DenseMap<std::pair<std::int64_t, std::uint64_t>, Found> found_;
  mutable BestOfAll best_of_all_;
};

} // namespace assay::engine
