#pragma once
// Numbers that are cut into bytes by shifts, and put together from bytes, as serialisers of any byte order do:
// `buffer[i] = bits >> 8 * i`. An integer of few bits has no derivative, memory has: the number is stored to a place on
// the stack, from which its bytes are copied to where they are stored; and bytes that become a number are copied to
// such a place, from which it is loaded. The copies say that they move parts of numbers (MemoryContent::bytes).

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True where there were some.
bool move_bytes_of_numbers(llvm::Function &function);

} // namespace assay::engine
