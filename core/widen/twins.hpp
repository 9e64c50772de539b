#pragma once
// Widened functions beside those of a program: a call `__assay_widened(f)` becomes the address of a copy of f that is
// widened (widen.hpp) with movements, `__assay_corrected(f)` of one with corrections, with copies of all functions of
// the module that it reaches. The program's own functions stay as they are, and so do the pointers to functions that it
// keeps in memory: a call through one asks a table of the module, while it runs, for the copy. Null where f is not a
// function of the module.

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace assay::widen {

/// Of the names of copies.
inline constexpr llvm::StringLiteral twin_suffixes[] = {".assay.widened", ".assay.corrected"};

/// Of the function that this is a copy of, or its own.
llvm::StringRef name_without_suffix(const llvm::Function &function);

/// False if the module asks for none.
bool write_twins(llvm::Module &module);

/// After derivatives were written, so that they are followed as well.
struct TwinsPass : llvm::PassInfoMixin<TwinsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    return write_twins(module) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace assay::widen
