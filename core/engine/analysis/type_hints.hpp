#pragma once
// What callers know of the memory that a function is given: taken from the analysis of a caller, handed to that of the
// function. Floats that a caller was seen to keep there count as much as what the function does there itself, since a
// declaration as an integer is only a name for bits; everything else is outranked by what the function knows.

#include "core/engine/analysis/call_tree.hpp"
#include "core/engine/analysis/evidence.hpp"
#include "core/engine/analysis/memory_graph.hpp"
#include "core/engine/analysis/types.hpp"
#include <tuple>

namespace assay::engine {

struct TypeHints {
  struct Field {
    OffsetSet at;
    BasicType type;
    Rank rank;
  };
  struct Node {
    llvm::SmallVector<Field, 8> fields;
    llvm::SmallVector<std::pair<std::int64_t, unsigned>, 2> pointees; ///< By offset.
  };
  struct Actual {
    unsigned formal;
    unsigned node;
    OffsetSet at;
  };
  /// Where a caller was seen to keep a float of which type.
  using Float = std::tuple<unsigned, std::int64_t, std::uint64_t, const llvm::Type *>;
  std::vector<Float> floats() const;
  bool tell_floats() const { return !floats().empty(); }

  std::vector<Node> nodes;
  std::vector<Actual> actuals;
};

/// Adds what `caller` knows behind `actual`, which is passed as parameter `formal`.
void add_hints(TypeHints &hints, const TypeAnalysis &caller, FrameId frame, const llvm::Value &actual, unsigned formal);
/// Adds what `analysis` knows in every frame of `callee`.
void add_hints_of_frames(TypeHints &hints, const TypeAnalysis &analysis, const llvm::Function &callee);

} // namespace assay::engine
