#pragma once
// Shortest ways of a derivative: from an active input to a value, and from the value to an active output.
//
// The activity analysis only asks which vertices are reached. Here its graph is searched once more, breadth first from
// all inputs and against the edges from all outputs, and each vertex remembers the one that it was reached from. Edges
// say nothing of the instructions that made them: loads and stores are found again among the users of the two ends.

#include "core/engine/analysis/activity_implementation.hpp"
#include "core/engine/explain/explanation.hpp"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace assay::engine {

class ActivityPaths {
public:
  ActivityPaths(const ActivityAnalysis &activity, const SourceNames &names);

  /// Of a value that may carry a derivative; of a pointer: of the memory behind it.
  std::optional<DerivativeFlow::Vertex> vertex(const llvm::Value &value) const;
  bool is_varied(DerivativeFlow::Vertex vertex) const { return from_.reached[vertex]; }
  bool is_useful(DerivativeFlow::Vertex vertex) const { return to_.reached[vertex]; }
  std::vector<ExplainedStep> from_input(DerivativeFlow::Vertex vertex) const;
  std::vector<ExplainedStep> to_output(DerivativeFlow::Vertex vertex) const;
  /// The parameters and globals that a value depends on, active or not.
  std::vector<std::string> depends_on(DerivativeFlow::Vertex vertex) const;
  /// True where a derivative that leaves `own` gets to an output, be it by way of others or of `own` again.
  bool leads_to_output(llvm::ArrayRef<DerivativeFlow::Vertex> own) const;
  /// The same from an input to `own`.
  bool comes_from_input(llvm::ArrayRef<DerivativeFlow::Vertex> own) const;
  /// The name of an object in the memory: `memory of x`.
  std::string memory_text(NodeId node) const;

private:
  using Vertex = DerivativeFlow::Vertex;
  static constexpr Vertex nowhere = ~0U;
  struct Search {
    std::vector<bool> reached;
    std::vector<Vertex> before; ///< On the way; `nowhere` at its start.
  };
  enum class Direction : std::uint8_t { along, against };

  Search search(llvm::ArrayRef<Vertex> starts, Direction direction) const;
  llvm::SmallVector<Vertex, 8> next_to(llvm::ArrayRef<Vertex> own, Direction direction) const;
  llvm::ArrayRef<Vertex> neighbours(Vertex vertex, Direction direction) const;
  std::vector<ExplainedStep> steps(llvm::ArrayRef<Vertex> way) const;
  std::optional<ExplainedStep> step(Vertex vertex, std::optional<Vertex> before) const;
  const llvm::Instruction *store_between(Vertex value, NodeId node) const;
  const SourceNames &names_in(FrameId frame) const;
  void note_values();

  const ActivityAnalysis::Implementation &activity_;
  const DerivativeFlow &flow_;
  const MemoryClasses &memory_;
  const SourceNames &names_;
  std::vector<FramedValue> values_; ///< By vertex; null for memory and the vertices that join calls.
  Search from_, to_;
  mutable llvm::DenseMap<Vertex, ExplainedStep> steps_;
  mutable llvm::DenseMap<const llvm::Function *, std::unique_ptr<SourceNames>> names_of_callees_;
};

} // namespace assay::engine
