#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>

namespace assay::engine {

/// A few bytes that are copied without enough of the bytes beside them to be a part of a float that is copied in
/// pieces: flags of a class that move in one word, for example. `is_other` tells the bytes at a distance from the first
/// that are known to be no part of a number.
bool is_lone_piece(const llvm::Value &value, llvm::function_ref<bool(std::int64_t distance)> is_other);

/// Integer arithmetic that rounds floats to numbers of 16 bits, or widens these.
bool converts_upper_half(const llvm::Instruction &instruction);

} // namespace assay::engine
