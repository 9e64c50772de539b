#pragma once
// The device's library of mathematics (libdevice) comes as a file of LLVM IR, of which clang links what the program
// calls before any pass runs. Its functions stay calls until they are differentiated, as if they were declared;
// functions that only derivatives call (the cosine of a program that has sines) are linked afterwards.

#include "llvm/IR/PassManager.h"
#include <string>

namespace assay::engine {

/// True for a function of the device's library that has a body.
bool is_linked_device_function(const llvm::Function &function);

/// Links what derivatives call from `file`, and inlines what that file says is always inlined. Does nothing where
/// there is no file, or no function is missing.
class LinkDeviceLibraryPass : public llvm::PassInfoMixin<LinkDeviceLibraryPass> {
public:
  explicit LinkDeviceLibraryPass(std::string file) : file_(std::move(file)) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  std::string file_;
};

} // namespace assay::engine
