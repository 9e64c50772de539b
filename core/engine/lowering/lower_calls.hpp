#pragma once
// The convention's call sites (`__enzyme_autodiff`, `__enzyme_fwddiff`, ...): found, understood, replaced by calls of
// derivatives.

#include "core/engine/plan/derivative_source.hpp"
#include <functional>
#include <memory>

namespace assay::engine {

/// To be run before anything else of the pipeline: keeps markers, registration tables and registered functions as they
/// are (no inlining, no folding of `int enzyme_dup`) until `lower_calls`. True when the module uses the convention at
/// all.
bool protect_convention(llvm::Module &module);

/// Makes the source of derivatives; `make_engine` makes the engine.
using MakeDerivatives = std::function<std::unique_ptr<DerivativeSource>(
    llvm::Module &module, FunctionInfo function_info, llvm::ModuleAnalysisManager &analyses)>;
std::unique_ptr<DerivativeSource> make_engine(llvm::Module &module, FunctionInfo function_info,
                                              llvm::ModuleAnalysisManager &analyses);

/// Replaces every call of the convention in `module`. All errors are collected; calls that failed are replaced by
/// poison.
llvm::Error lower_calls(llvm::Module &module, llvm::ModuleAnalysisManager &analyses,
                        const MakeDerivatives &make = make_engine);

/// The module pass behind the plugin and `-passes=assay`; reports errors through the module's diagnostic handler.
struct AssayPass : llvm::PassInfoMixin<AssayPass> {
  AssayPass() = default;
  /// For tests of tests.
  explicit AssayPass(TestHooks test_hooks) : test_hooks_(std::move(test_hooks)) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  TestHooks test_hooks_;
};
struct ProtectPass : llvm::PassInfoMixin<ProtectPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace assay::engine
