#pragma once
// The number in which movements are carried: 113 bits of mantissa and 15 of exponent, so that the movement of a double
// by 2^-40 of itself is followed to 70 bits and more, and never underflows.

namespace assay::widen {

#ifdef __SIZEOF_FLOAT128__
using Wide = __float128;
#else
using Wide = long double; // Where that has 113 bits.
static_assert(__LDBL_MANT_DIG__ == 113);
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc99-extensions"
#ifdef __SIZEOF_FLOAT128__
using ComplexWide = _Complex __float128;
#else
using ComplexWide = _Complex long double;
#endif
#pragma clang diagnostic pop

// By their bits: arithmetic and comparisons are calls of the compiler's library, and each operation asks.
inline unsigned __int128 bits_of(Wide number) {
  unsigned __int128 bits = 0;
  __builtin_memcpy(&bits, &number, sizeof bits);
  return bits;
}

inline bool is_zero(Wide number) {
  return (bits_of(number) << 1) == 0;
}

inline bool is_zero(double number) {
  return number == 0;
}

inline bool is_finite(Wide number) {
  constexpr unsigned mantissa_bits = 112, largest_exponent = 0x7fff;
  return (static_cast<unsigned>(bits_of(number) >> mantissa_bits) & largest_exponent) != largest_exponent;
}

inline bool is_finite(double number) {
  return __builtin_isfinite(number);
}

inline Wide magnitude(Wide number) {
  return number < 0 ? -number : number;
}

} // namespace assay::widen
