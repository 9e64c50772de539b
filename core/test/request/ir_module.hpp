#pragma once
// A module from IR text, with the analyses that a pass expects.

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace assay::test {

class IrModule {
public:
  explicit IrModule(const std::string &text) {
    llvm::SMDiagnostic diagnostic;
    module_ = llvm::parseAssemblyString(text, diagnostic, context_);
    if (!module_)
      throw std::runtime_error("IR: " + diagnostic.getMessage().str() + ": " + diagnostic.getLineContents().str());
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules_);
    builder.registerCGSCCAnalyses(sccs_);
    builder.registerFunctionAnalyses(functions_);
    builder.registerLoopAnalyses(loops_);
    builder.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  }

  llvm::Module &module() { return *module_; }
  llvm::Function &function(const std::string &name) { return *module_->getFunction(name); }
  llvm::ModuleAnalysisManager &analyses() { return modules_; }
  std::string text() const {
    std::string out;
    llvm::raw_string_ostream stream(out);
    module_->print(stream, nullptr);
    return out;
  }
  bool is_valid() const { return !llvm::verifyModule(*module_, &llvm::errs()); }

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;
};

inline std::string text_of(llvm::Error error) {
  return llvm::toString(std::move(error));
}

} // namespace assay::test
