#pragma once
// Bytes that are loaded and stored as integers narrower than any float: whether they are pieces of a float that is
// moved in pieces, or something else, as flags and padding are.

#include "core/engine/analysis/types_implementation.hpp"

namespace assay::engine {

class SubwordCopies {
public:
  explicit SubwordCopies(const TypeAnalysis &types);

  /// True of a byte that a loop may copy floats by.
  bool may_be_part_of_float(const llvm::Value &value, NodeId node, FrameId frame) const;
  bool are_no_part_of_float(const llvm::Value &value, Location at, FrameId frame) const;

private:
  void note_half_precision();
  bool moves_alone(const llvm::Value &value, FrameId frame) const;
  bool is_padding(const llvm::Value &value, Location at) const;
  bool is_beside_float(const llvm::Value &value, Location at) const;
  BasicType type_at(const llvm::Value &value, Location at, std::int64_t distance) const;

  const TypeAnalysis &types_;
  const MemoryClasses &memory_;
  bool has_half_precision_ = false;
  bool converts_upper_halves_ = false;
};

} // namespace assay::engine
