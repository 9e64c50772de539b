#pragma once
// The number in which movements are carried: 113 bits of mantissa and 15 of exponent, so that the movement of a double
// by 2^-40 of itself is followed to 70 bits and more, and never underflows.

namespace assay::widen {

using Wide = __float128;

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc99-extensions"
using ComplexWide = _Complex __float128;
#pragma clang diagnostic pop

inline bool is_zero(Wide number) {
  unsigned __int128 bits = 0;
  __builtin_memcpy(&bits, &number, sizeof bits);
  return (bits << 1) == 0;
}

inline bool is_finite(Wide number) {
  return number - number == 0;
}

inline Wide magnitude(Wide number) {
  return number < 0 ? -number : number;
}

} // namespace assay::widen
