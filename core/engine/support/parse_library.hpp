#pragma once
// The engine's own library (core/engine/library), whose files are in the engine as the text of their LLVM IR.

#include "llvm/IR/Module.h"
#include <memory>

namespace assay::engine {

/// `source` as a module that can be linked into `module`: how the library was compiled says nothing of that.
std::unique_ptr<llvm::Module> parse_library(llvm::StringRef source, const llvm::Module &module);

} // namespace assay::engine
