#pragma once
// The optimisation pipeline of clang with the engine's passes where the plugin puts them.

#include "core/engine/request/alterations.hpp"
#include "core/jit/compile_source.hpp"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <functional>
#include <string>
#include <vector>

namespace assay::jit {

/// Optimises `module` and replaces the convention's calls in it. The result is what the engine reported; empty is
/// success. `simplified` may change the module after it is simplified, before anything is differentiated.
std::vector<std::string> run_pipeline(llvm::Module &module, llvm::TargetMachine &machine, OptimizationLevel level,
                                      const engine::Alterations &alterations = {},
                                      const std::function<void(llvm::Module &)> &simplified = {});

} // namespace assay::jit
