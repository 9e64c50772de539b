#pragma once
// What LLVM's passes over a module need beside it.

#include "llvm/Passes/PassBuilder.h"

namespace assay {

/// The analyses of loops, functions, call graphs and modules, known to each other.
struct ModuleAnalyses {
  explicit ModuleAnalyses(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

} // namespace assay
