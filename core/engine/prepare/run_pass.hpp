#pragma once
// Runs a pass of one of the engine's lists (prepare/passes.hpp, tidy/passes.hpp) as a pass manager would: LLVM's
// instrumentation is told (`-print-after`, `-print-changed`, `-time-passes`, `-verify-each`), and analyses end that are
// no longer true. A manager itself would neither stop at an error nor leave out passes that are not due.

#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// The name that LLVM knows a pass by: `assay-prepare<byte-loops>`.
inline std::string full_name(llvm::StringRef list, llvm::StringRef pass) {
  return (list + "<" + pass + ">").str();
}

/// Its name is only known when it runs.
class ListedPass : public llvm::PassInfoMixin<ListedPass> {
public:
  ListedPass(llvm::StringRef list, llvm::StringRef pass) : name_(full_name(list, pass)) {}
  llvm::StringRef name() const { return name_; }
  static bool isRequired() { return true; }

  /// `pass` tells which analyses are still true.
  void run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
           llvm::function_ref<llvm::PreservedAnalyses()> pass) const {
    const llvm::PassInstrumentation instrumentation = analyses.getResult<llvm::PassInstrumentationAnalysis>(function);
    if (!instrumentation.runBeforePass<llvm::Function>(*this, function))
      return;
    const llvm::PreservedAnalyses preserved = pass();
    analyses.invalidate(function, preserved);
    instrumentation.runAfterPass<llvm::Function>(*this, function, preserved);
  }

private:
  std::string name_;
};

} // namespace assay::engine
