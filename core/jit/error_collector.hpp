#pragma once
// The errors that LLVM's passes and the engine report.

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"

#include <string>
#include <vector>

namespace assay::jit {

/// Collects errors while it lives and leaves out everything else.
class ErrorCollector {
public:
  explicit ErrorCollector(llvm::LLVMContext &context) : context_(context) {
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *info, void *self) { static_cast<ErrorCollector *>(self)->take(*info); }, this);
  }
  ~ErrorCollector() { context_.setDiagnosticHandlerCallBack(nullptr); }
  ErrorCollector(const ErrorCollector &) = delete;
  ErrorCollector &operator=(const ErrorCollector &) = delete;

  std::vector<std::string> errors;

private:
  void take(const llvm::DiagnosticInfo &info) {
    if (info.getSeverity() != llvm::DS_Error)
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    if (const auto *unsupported = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info))
      stream
          << unsupported->getMessage(); // Has its own place; what would come before is the entry's, which nobody wrote.
    else
      info.print(printer);
    errors.push_back(llvm::StringRef(text).trim().str());
  }

  llvm::LLVMContext &context_;
};

} // namespace assay::jit
