#pragma once
// What ActivityAnalysis keeps; `explain` searches its graph for the ways of a derivative.

#include "core/engine/analysis/activity.hpp"
#include "core/engine/analysis/shadow_analysis.hpp"

namespace assay::engine {

struct ActivityAnalysis::Implementation {
  Implementation(const Request &request, const FunctionInfo &function_info, const TypeAnalysis &types)
      : mode(request.mode), function_info(function_info), types(types), memory(types.implementation().memory),
        flow(types, function_info), shadows(request, function_info, types, flow) {
    find_writers();
  }

  void find_writers();
  bool writes_shadowed_itself(const llvm::Instruction &instruction, FrameId frame) const;
  bool reaches_shadowed(const llvm::CallBase &call, FrameId frame) const;
  bool writes_shadowed(const llvm::CallBase &call) const;
  bool passes_derivative(const llvm::CallBase &call, unsigned index) const;
  bool is_null_of_shadowed(const llvm::CallBase &call, unsigned index) const;

  Mode mode;
  const FunctionInfo &function_info;
  const TypeAnalysis &types;
  const MemoryClasses &memory;
  DerivativeFlow flow;
  ShadowAnalysis shadows;
  std::vector<bool> writers; ///< Frames that may write to memory with a shadow.
};

} // namespace assay::engine
