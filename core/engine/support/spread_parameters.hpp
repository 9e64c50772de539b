#pragma once
// Which LLVM parameters are pieces of one struct or complex number that was passed by value, where no name tells it (C
// has none). Clang's own code does, before anything is optimised: a function begins by putting the pieces together in
// one variable.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace assay::engine {

/// Notes in an attribute of each function of `module` that takes such pieces how many belong together. To be called
/// before the code is simplified.
void note_spread_parameters(llvm::Module &module);

/// How many LLVM parameters each source parameter takes, after a hidden struct-return parameter, where it was noted.
std::optional<llvm::SmallVector<unsigned, 8>> spread_parameters(const llvm::Function &function);

} // namespace assay::engine
