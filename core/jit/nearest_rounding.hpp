#pragma once
// The rounding modes of the processor show how far the roundings of a derivative's arithmetic reach. Conversions
// between numbers and text, and to integers, follow these modes as well, by steps that are no roundings of arithmetic:
// of 2.5 as an integer, or with six digits as text. Such calls round to nearest in every mode.

#include "core/jit/loaded_code.hpp"
#include "llvm/IR/Module.h"

namespace assay::jit {

/// Around all such calls of `module`, unless it chooses rounding modes itself.
void keep_nearest_rounding(llvm::Module &module);

/// The functions that the rewritten code calls.
NamedFunctions nearest_rounding_symbols();

} // namespace assay::jit
