#pragma once
// Memory operations get types. Callers are asked where the function itself does not tell, or tells no more than that it
// copies what it declares as integers; then words are told apart by their bits, and last come guesses, where the user
// wants them.

#include "core/engine/prepare/prepare.hpp"

namespace assay::engine {

/// `clone` is made of `source`, by which callers are asked.
void type_memory(llvm::Function &clone, const llvm::Function &source, const PrepareContext &context);

} // namespace assay::engine
