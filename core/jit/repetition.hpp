#pragma once

#include <cstdint>

namespace assay::jit {

/// How often a call runs through the same code, where the caller knows: that decides how much work machine code is
/// worth.
enum class Repetition : std::uint8_t { unknown, little };

} // namespace assay::jit
