#pragma once
// Calls that move single bytes of numbers: a byte by value has no derivative, so the function that takes it to memory,
// or from there, has to be a part of the one that cuts the number.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True of a function that cuts numbers, or makes some of bytes: of what it calls to move single bytes, both have to
/// see the same.
bool handles_bytes_of_numbers(llvm::Function &function);
/// True of a function that is given bytes, or gives one back, and takes them to memory or from there as they are.
bool moves_single_bytes(const llvm::Function &function);

/// An integer of less than a number.
bool is_part_of_number(const llvm::Type &type);

} // namespace assay::engine
