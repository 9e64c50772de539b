#pragma once
// A module from IR text, with the analyses that a pass expects.

#include "core/test/support/ir.hpp"
#include "llvm/IR/Verifier.h"
#include <gtest/gtest.h>

namespace assay::test {

class IrModule {
public:
  explicit IrModule(const std::string &text) : module_(parsed(text, context_)) {}

  llvm::Module &module() { return *module_; }
  llvm::Function &function(const std::string &name) { return *module_->getFunction(name); }
  llvm::ModuleAnalysisManager &analyses() { return analyses_.modules; }
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
  Analyses analyses_;
};

inline std::string text_of(llvm::Error error) {
  return llvm::toString(std::move(error));
}

} // namespace assay::test
