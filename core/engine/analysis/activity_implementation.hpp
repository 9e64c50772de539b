#pragma once
// What ActivityAnalysis keeps; `explain` searches its graph for the ways of a derivative.

#include "core/engine/analysis/activity.hpp"
#include "core/engine/analysis/shadow_analysis.hpp"

namespace assay::engine {

struct ActivityAnalysis::Implementation {
  Implementation(const Request &request, const Knowledge &knowledge, const TypeAnalysis &types)
      : mode(request.mode), knowledge(knowledge), types(types), memory(types.implementation().memory),
        flow(types, knowledge), shadows(request, knowledge, types, flow) {
    find_writers();
  }

  void find_writers();
  bool writes_shadowed_itself(const llvm::Instruction &instruction, FrameId frame) const;
  bool reaches_shadowed(const llvm::CallBase &call, FrameId frame) const;
  bool writes_shadowed(const llvm::CallBase &call) const;
  bool passes_derivative(const llvm::CallBase &call, unsigned index) const;
  bool is_null_of_shadowed(const llvm::CallBase &call, unsigned index) const;

  Mode mode;
  const Knowledge &knowledge;
  const TypeAnalysis &types;
  const MemoryClasses &memory;
  DerivativeFlow flow;
  ShadowAnalysis shadows;
  std::vector<bool> writers; ///< Frames that may write to memory with a shadow.
};

} // namespace assay::engine
