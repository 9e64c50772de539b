#pragma once
// Whether the parts of a loop nest (lane_parts.hpp) are independent, asked before it: memory that one part writes and
// another one accesses lies apart when the bounds of all addresses that either goes through in the whole nest do.

#include "core/engine/tidy/lane_parts.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace assay::engine {

class PartBounds {
public:
  PartBounds(const llvm::Loop &nest, const LaneParts &parts, llvm::ScalarEvolution &evolution,
             llvm::AAResults &aliases);

  /// Whether it can be asked at all.
  bool are_known() const { return are_known_; }
  /// An i1, before the nest: true where the parts are independent.
  llvm::Value *write_condition(llvm::Instruction &before);

private:
  struct Range {
    const llvm::SCEV *low = nullptr, *high = nullptr; ///< First address, and the first one behind.
  };
  using Pair = std::pair<Range, Range>;
  std::optional<Range> range_of(llvm::Instruction &access);
  std::optional<Range> find_range(llvm::Instruction &access);
  bool add(const Dependence &dependence);
  bool is_read_first(const Dependence &dependence);
  std::optional<std::int64_t> distance(const llvm::SCEV *from, const llvm::SCEV *to);
  bool extend(Pair &known, const Pair &pair);

  const llvm::Loop &nest_;
  llvm::ScalarEvolution &evolution_;
  bool are_known_ = false;
  llvm::DenseMap<llvm::Instruction *, std::optional<Range>> ranges_;
  llvm::SmallVector<Pair, 8> pairs_; ///< What must be asked.
};

} // namespace assay::engine
