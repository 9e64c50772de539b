#pragma once
// The list of passes over derivatives that were written, in their order: those that the engine runs on each, and those
// that have their places in the pipeline of the compiler. There is no other such list.
//
// Each pass runs alone as well: `opt -load-pass-plugin=assay-plugin.so -passes='assay-tidy<hoist-loads>'`.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace assay::engine {

inline constexpr llvm::StringLiteral tidy_list = "assay-tidy";

/// Something that is true of a derivative behind one pass, and that others need.
struct TidyProperty {
  llvm::StringLiteral name;
  bool (*holds)(llvm::Function &, llvm::FunctionAnalysisManager &);
};

struct TidyPass {
  llvm::StringLiteral name;
  llvm::PreservedAnalyses (*run)(llvm::Function &, llvm::FunctionAnalysisManager &);
  const TidyProperty *needs = nullptr, *leaves = nullptr;
};

/// A pass of the compiler's pipeline knows its own name.
struct LatePass {
  llvm::StringLiteral name;
  void (*add)(llvm::FunctionPassManager &);
};

/// One over all derivatives of a module.
struct ModulePass {
  llvm::StringLiteral name;
  void (*add)(llvm::ModulePassManager &);
};

/// On each derivative as soon as it is written, and again on what others are inlined into.
llvm::ArrayRef<TidyPass> passes_after_emission();
/// Only on what was just written.
llvm::ArrayRef<TidyPass> passes_on_new_derivatives();
/// On modules, once all derivatives are written.
llvm::ArrayRef<ModulePass> passes_over_derivatives();
/// In a pipeline that makes vectors, before it does.
llvm::ArrayRef<LatePass> passes_before_vectorisers();
/// In a pipeline that optimises, at its end.
llvm::ArrayRef<LatePass> passes_at_the_end();

/// Each once, in the order of the list.
std::vector<llvm::StringRef> tidy_names();
/// Where `ASSAY_VERIFY_IR` is on, a pass that does not find what it needs, or does not leave what it says, is reported
/// as an error of the compilation.
void run_tidy_pass(const TidyPass &pass, llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
/// Adds the pass of that name, as it is run alone; `all` is what `tidy_new_derivative` runs.
void add_tidy_pass(llvm::StringRef name, llvm::ModulePassManager &passes);

/// Runs `passes_after_emission`.
void tidy(llvm::Function &derivative, llvm::FunctionAnalysisManager &analyses);
/// And `passes_on_new_derivatives`.
void tidy_new_derivative(llvm::Function &derivative, llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
