#pragma once
// Numbers of 16 bits as the host has them: their bits, and conversions from and to double that round once, whatever the
// compiler's library has.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace assay::detail {

/// How the 16 bits are shared out: a sign, and these.
struct HalfFormat {
  int exponent_bits, fraction_bits;

  /// Distance from 1 to the next number.
  constexpr double epsilon() const { return 1.0 / (1 << fraction_bits); }
  /// As `std::numeric_limits` counts it: the smallest normal number is 2^(min_exponent - 1).
  constexpr int min_exponent() const { return 3 - (1 << (exponent_bits - 1)); }
};
inline constexpr HalfFormat binary16{5, 10}, brain_float{8, 7};

/// To nearest, ties to even; too large a number becomes infinite, and a NaN stays one.
template <HalfFormat Format>
std::uint16_t half_bits_of(double value) {
  constexpr int fraction = Format.fraction_bits, least = Format.min_exponent();
  constexpr std::uint16_t infinity = ((1U << Format.exponent_bits) - 1) << fraction;
  const std::uint16_t sign = std::signbit(value) ? 0x8000U : 0U;
  if (std::isnan(value))
    return sign | infinity | 1U << (fraction - 1);
  const double size = std::abs(value);
  if (size >= std::ldexp(2 - Format.epsilon() / 2, 2 - least))
    return sign | infinity;
  int exponent = 0;
  std::frexp(size, &exponent);
  exponent = size == 0 ? least : std::max(exponent, least);
  // In units of the last place; a number that is rounded up to the next power of two carries into the exponent.
  const double units = std::ldexp(size, fraction + 1 - exponent), whole = std::floor(units), rest = units - whole;
  auto count = static_cast<std::uint32_t>(whole);
  count += rest > 0.5 || (rest == 0.5 && count % 2 == 1) ? 1U : 0U;
  return static_cast<std::uint16_t>(sign | (count + (static_cast<std::uint32_t>(exponent - least) << fraction)));
}

template <HalfFormat Format>
double half_of_bits(std::uint16_t bits) {
  constexpr int fraction = Format.fraction_bits;
  constexpr std::uint32_t all = (1U << Format.exponent_bits) - 1;
  const std::uint32_t exponent = bits >> fraction & all, units = bits & ((1U << fraction) - 1);
  double size = 0;
  if (exponent == all)
    size = units != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    size = std::ldexp(units, Format.min_exponent() - 1 - fraction);
  else
    size = std::ldexp(units + (1U << fraction), static_cast<int>(exponent) + Format.min_exponent() - 2 - fraction);
  return (bits & 0x8000U) != 0 ? -size : size;
}

/// A number of 16 bits that is converted as a built-in one is.
template <HalfFormat Format>
class HalfNumber {
public:
  HalfNumber() = default;
  explicit HalfNumber(double value) : bits_(half_bits_of<Format>(value)) {}
  explicit operator double() const { return half_of_bits<Format>(bits_); }

  /// The next number above or below a finite one.
  HalfNumber next(bool is_above) const {
    HalfNumber other;
    const bool is_negative = (bits_ & 0x8000U) != 0;
    if ((bits_ & 0x7fffU) == 0)
      other.bits_ = is_above ? 0x0001U : 0x8001U;
    else
      other.bits_ = static_cast<std::uint16_t>(is_above == is_negative ? bits_ - 1 : bits_ + 1);
    return other;
  }

private:
  std::uint16_t bits_ = 0;
};
using Binary16 = HalfNumber<binary16>;
using BrainFloat = HalfNumber<brain_float>;

} // namespace assay::detail
