#pragma once
// IR text as a module, and the analyses that passes over it expect.

#include "core/passes/module_analyses.hpp"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <stdexcept>
#include <string>

namespace assay::test {

/// Throws when the text is not valid IR.
inline std::unique_ptr<llvm::Module> parsed(llvm::StringRef text, llvm::LLVMContext &context) {
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  if (!module) {
    std::string message;
    llvm::raw_string_ostream out(message);
    problem.print("test", out);
    throw std::runtime_error(message);
  }
  return module;
}

/// All of LLVM's analyses, each level knowing the others.
struct Analyses : ModuleAnalyses {
  explicit Analyses(llvm::PassBuilder builder = llvm::PassBuilder()) : ModuleAnalyses(builder) {}
};

} // namespace assay::test
