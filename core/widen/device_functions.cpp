// M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964: chapter 7 for the error functions, chapter 9
// for those of Bessel.

#include "core/widen/device_functions.hpp"

extern "C" {
using assay::widen::Wide;
Wide sqrtf128(Wide), cbrtf128(Wide), hypotf128(Wide, Wide), sinf128(Wide), cosf128(Wide), atanf128(Wide),
    fabsf128(Wide);
Wide expf128(Wide), logf128(Wide), erff128(Wide), erfcf128(Wide), remainderf128(Wide, Wide), copysignf128(Wide, Wide);
}

namespace assay::widen {

namespace {

const Wide pi = 4 * atanf128(1);
const Wide precision = Wide(0x1p-112);

/// The slope of erf.
Wide bell(Wide number) {
  return 2 / sqrtf128(pi) * expf128(-number * number);
}

/// A zero of a function by Newton's steps, from a first guess on.
template <class Step>
Wide newton(Wide guess, Step step) {
  constexpr int most = 100;
  for (int count = 0; count < most; ++count) {
    const Wide by = step(guess);
    guess += by;
    if (!(fabsf128(by) > precision * fabsf128(guess)))
      break;
  }
  return guess;
}

/// For results that are not negative. The function is convex there, so that the steps go up only.
Wide inverse_erfc_right(Wide number) {
  const Wide size = -logf128(number * sqrtf128(pi));
  const Wide guess = size > 2 ? sqrtf128(size - logf128(size) / 2) : Wide(0);
  return newton(guess, [&](Wide at) { return (erfcf128(at) - number) / bell(at); });
}

/// The sum over k of (x x / 4)^k / (k! (k + order)!), all of which are positive.
Wide bessel_series(Wide number, int order) {
  const Wide quarter = number * number / 4;
  Wide term = 1, sum = 1;
  for (int k = 1; term > precision * sum; ++k) {
    term *= quarter / (Wide(k) * Wide(k + order));
    sum += term;
  }
  return sum;
}

} // namespace

Wide reciprocal_root(Wide number) {
  return 1 / sqrtf128(number);
}
Wide reciprocal_cube_root(Wide number) {
  return 1 / cbrtf128(number);
}
Wide reciprocal_length(Wide x, Wide y) {
  return 1 / hypotf128(x, y);
}

Wide sine_of_half_turns(Wide number) {
  const Wide part = remainderf128(number, 2); // From -1 to 1.
  return sinf128(pi * (fabsf128(part) > Wide(0.5) ? copysignf128(1, part) - part : part));
}
Wide cosine_of_half_turns(Wide number) {
  const Wide part = fabsf128(remainderf128(number, 2));
  return sinf128(pi * (Wide(0.5) - part));
}

Wide normal_distribution(Wide number) {
  return erfcf128(-number / sqrtf128(2)) / 2;
}
Wide inverse_normal_distribution(Wide number) {
  return -sqrtf128(2) * inverse_erfc(2 * number);
}
Wide inverse_erf(Wide number) {
  const Wide size = fabsf128(number);
  if (!(size < Wide(0.5)))
    return copysignf128(inverse_erfc(1 - size), number);
  return newton(number * sqrtf128(pi) / 2, [&](Wide at) { return (number - erff128(at)) / bell(at); });
}
Wide inverse_erfc(Wide number) {
  if (!(number > 0 && number < 2))
    return (1 - number) / (number * (2 - number) * 0); // Infinite at the ends, NaN beyond.
  return number > 1 ? -inverse_erfc_right(2 - number) : inverse_erfc_right(number);
}
Wide scaled_erfc(Wide number) {
  if (number < 50)
    return expf128(number * number) * erfcf128(number);
  Wide fraction = number; // Its continued fraction, from the end.
  for (int k = 40; k > 0; --k)
    fraction = number + k / Wide(2) / fraction;
  return 1 / (sqrtf128(pi) * fraction);
}

Wide modified_bessel_0(Wide number) {
  return bessel_series(number, 0);
}
Wide modified_bessel_1(Wide number) {
  return number / 2 * bessel_series(number, 1);
}

} // namespace assay::widen
