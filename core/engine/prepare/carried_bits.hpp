#pragma once
// The bits of a float that a loop changes as an integer, iteration by iteration: `while (x >= 2) bits -= 1 << 52`. The
// phi of the integer becomes one of the float, so that what each iteration does to the bits is a function of one
// float, as float_bits.hpp follows it.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True where there was one.
bool carry_bits_as_floats(llvm::Function &function);

} // namespace assay::engine
