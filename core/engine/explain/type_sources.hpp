#pragma once
// Where the type of a value, or of the memory behind a pointer, was learned. The type analysis keeps for each place the
// best of what it saw and forgets who said it; here the accesses, the debug information and the allocations of the same
// memory are listed again, best first.

#include "core/engine/analysis/types_implementation.hpp"
#include "core/engine/explain/explanation.hpp"

namespace assay::engine {

class TypeSources {
public:
  explicit TypeSources(const TypeAnalysis &types);

  std::string type_text(const llvm::Value &value) const;
  std::vector<ExplainedStep> evidence(const llvm::Value &value) const;

private:
  struct Source {
    Rank rank;
    ExplainedStep step;
  };
  void visit_frame(FrameId frame);
  void visit_access(FrameId frame, const llvm::Instruction &instruction);
  void add(NodeId node, Rank rank, ExplainedStep step);
  std::string pointer_text(const llvm::Value &pointer) const;

  const TypeAnalysis &types_;
  const MemoryClasses &memory_;
  llvm::DenseMap<NodeId, std::vector<Source>> sources_;
};

} // namespace assay::engine
