#pragma once
// The optimisation pipeline of clang with the engine's passes where the plugin puts them.

#include "core/engine/support/test_hooks.hpp"
#include "core/jit/compile_source.hpp"
#include "llvm/IR/Module.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Target/TargetMachine.h"
#include <functional>
#include <string>
#include <vector>

namespace assay::jit {

/// What may change the module on its way.
struct PipelineChanges {
  std::function<void(llvm::Module &)> simplified = {};     ///< After simplification, before anything is differentiated.
  std::function<void(llvm::Module &)> differentiated = {}; ///< After that, before the vectorisers.
  std::function<void(const llvm::Module &)> finished =
      {}; ///< When it is about to become machine code, unless there were errors.
};

/// Optimises `module` and replaces the convention's calls in it. The result is what the engine reported; empty is
/// success.
std::vector<std::string> run_pipeline(llvm::Module &module, llvm::TargetMachine &machine, OptimizationLevel level,
                                      const engine::TestHooks &test_hooks = {}, const PipelineChanges &changes = {});

/// Optimises a module in which everything is differentiated; `changes.finished` alone is used.
std::vector<std::string> optimise(llvm::Module &module, llvm::TargetMachine &machine, OptimizationLevel level,
                                  const PipelineChanges &changes);

llvm::OptimizationLevel level_of(OptimizationLevel level);

} // namespace assay::jit
