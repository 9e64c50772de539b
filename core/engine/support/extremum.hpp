#pragma once
// Maxima and minima: intrinsics, the device's among them, and library functions.

#include "llvm/IR/InstrTypes.h"

#include <optional>

namespace assay::engine {

/// A call of a maximum or minimum, which gives one of its two operands.
bool is_extremum(const llvm::Instruction &instruction);

enum class Extremum : std::uint8_t { maximum, minimum };

/// Of those that prefer a number to a NaN, as fmax and fmin do; nothing for other instructions.
std::optional<Extremum> extremum_of_numbers(const llvm::Instruction &instruction);

} // namespace assay::engine
