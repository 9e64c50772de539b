#pragma once
// Memory of which every use is seen: bytes that are allocated in the analysed functions and neither leave them nor are
// exchanged with memory that does. Bytes without evidence there are padding, or content that nobody looks at.
//
// Open are ranges of bytes. They begin at arguments, globals, results and unknown calls, at places that hold different
// things and at bytes that are moved one by one (whose types are not followed), and spread by copies and moved
// integers.

#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/memory_classes.hpp"

namespace assay::engine {

/// An integer goes to or comes from memory.
struct MemoryMove {
  enum class Direction : std::uint8_t { from_memory, to_memory, both };
  FramedValue value;
  Location memory;
  Direction direction;
  unsigned first_word; ///< Of the value's, in IntegerProvenance.
  unsigned words;      ///< How many it has.
  std::uint64_t bytes;
};

struct MemoryCopy {
  Location target, source;
  std::optional<std::uint64_t> size;
};

class NonEscapingBytes {
public:
  NonEscapingBytes(const MemoryClasses &memory, const IntegerProvenance &bits, llvm::ArrayRef<MemoryMove> moves,
                   llvm::ArrayRef<MemoryCopy> copies);

  void open(NodeId node);
  void open(NodeId node, OffsetSet at, std::uint64_t length);
  /// To be called when all is open that is from the start.
  void spread();

  bool contains(Location at) const { return !is_open(at.node, at.at); }
  bool contains_word(FramedValue value, unsigned index) const {
    return !open_words_.contains(bits_.word_id(value, index));
  }

private:
  struct Range {
    OffsetSet at;
    std::uint64_t length;
  };

  struct OpenRanges {
    llvm::SmallVector<Range, 2> ranges;
    bool is_whole = false;
    std::uint64_t version = 1; ///< Grows whenever more of it opens.
  };

  bool is_open(NodeId node, OffsetSet at) const;
  const OpenRanges *ranges_of(NodeId node) const;
  OpenRanges &make_ranges(NodeId node);
  std::uint64_t version(NodeId node) const;
  std::uint64_t version(const MemoryMove &move) const;
  void open_reachable(NodeId node);
  void open_pointees(NodeId node);
  void open_what_leaves();
  void open_call(const llvm::CallBase &call, FrameId frame);
  void open_single_bytes();
  void spread_by_move(const MemoryMove &move);
  void spread_by_copy(Location from, Location to, std::optional<std::uint64_t> size);

  const MemoryClasses &memory_;
  const IntegerProvenance &bits_;
  llvm::ArrayRef<MemoryMove> moves_;
  llvm::ArrayRef<MemoryCopy> copies_;
  std::vector<OpenRanges> ranges_;
  llvm::DenseMap<NodeId, unsigned> of_nodes_; ///< Indices of ranges.
  llvm::BitVector reached_;                   ///< Nodes that are open with all that can be reached from them.
  llvm::DenseSet<unsigned> open_words_;
  bool changed_ = false;
};

} // namespace assay::engine
