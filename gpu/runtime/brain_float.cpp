// Conversions to numbers of 16 bits with the exponent of a float, which the compiler calls and its support library may
// not have.

#include <assay/detail/half_numbers.hpp>

#include <bit>
#include <cstdint>

namespace {

using BrainFloat = __bf16;

/// To nearest, ties to even; a NaN stays one.
BrainFloat rounded(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const bool is_nan = (bits & 0x7fffffffU) > 0x7f800000U;
  const std::uint32_t kept = is_nan ? bits >> 16U | 0x40U : (bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U;
  return std::bit_cast<BrainFloat>(static_cast<std::uint16_t>(kept));
}

} // namespace

extern "C" {
__attribute__((weak)) BrainFloat __truncsfbf2(float number) {
  return rounded(number);
}
__attribute__((weak)) BrainFloat __truncdfbf2(double number) {
  return std::bit_cast<BrainFloat>(assay::detail::half_bits_of<assay::detail::brain_float>(number));
}
}
