#pragma once
// The pieces of memory and of numbers that the analyses of types count in.

#include <cstdint>

namespace assay::engine {

/// A word is the smallest piece that is followed by itself: a float, half a double or half an address.
constexpr std::uint64_t word_bytes = 4;
constexpr unsigned word_bits = 32;
constexpr std::uint64_t pointer_bytes = 8;
/// Of larger pieces all that was seen behind them is taken; lengths of copies that never run may be any number.
constexpr std::uint64_t most_single_bytes = 4096;
constexpr unsigned narrowest_float_bits = 16;

} // namespace assay::engine
