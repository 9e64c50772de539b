#pragma once
// Comparisons of the address of a kernel's by-value parameter. With run-time activity a derivative asks whether an
// object is its own shadow. A parameter whose address nothing else knows is no other's shadow, so the answer is known;
// and LLVM's backend for NVPTX cannot translate the question, since it moves the parameter to an address space of its
// own.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class ParameterAddressesPass : public llvm::PassInfoMixin<ParameterAddressesPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<parameter-addresses>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
