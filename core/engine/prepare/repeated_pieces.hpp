#pragma once
// A float that is stored twice side by side: where both are one word, the optimiser multiplies the bits with a constant
// that has a bit for each copy. A product is integer arithmetic to whoever asks what a value is, so it becomes the
// pieces at their places again.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool place_repeated_pieces(llvm::Function &function);

} // namespace assay::engine
