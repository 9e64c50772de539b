// The program computed again in wide arithmetic, beside itself. Every operation is computed, also where no correction
// has come in yet: its own rounding is the first.

#include "core/widen/wide_values.hpp"

#include "core/widen/functions.hpp"
#include "core/widen/run.hpp"

#include <cfenv>
#include <cmath>
#include <cstdint>

extern "C" {
using assay::widen::Wide;
Wide sqrtf128(Wide), fmodf128(Wide, Wide), remainderf128(Wide, Wide), rintf128(Wide), powf128(Wide, Wide);
Wide copysignf128(Wide, Wide), jnf128(int, Wide), ynf128(int, Wide), nextafterf128(Wide, Wide);
}

namespace assay::widen {

namespace {

/// Stands for a corrected number that is 0 where the program's is not finite.
constexpr Wide almost_zero = 0x1p-1000;

bool same_bits(Wide left, Wide right) {
  return __builtin_memcmp(&left, &right, sizeof left) == 0;
}

Wide corrected(Wide value, Wide correction) {
  if (is_finite(value))
    return value + correction;
  return is_zero(correction) ? value : correction;
}

Wide correction(Wide whole, Wide value) {
  if (is_finite(value))
    return whole - value;
  if (same_bits(whole, value) || (whole != whole && value != value))
    return 0;
  return is_zero(whole) ? almost_zero : whole;
}

/// The run, if there is one that still counts.
Run *live_run() {
  Run *run = Run::current();
  return run && run->count_operation() ? run : nullptr;
}

Wide with_sign_of(Wide number, Wide sign) {
  const bool differs = (copysignf128(1, number) < 0) != (copysignf128(1, sign) < 0);
  return differs ? -number : number;
}

/// The part of a number that its correction is.
Wide relative(Wide value, Wide its_correction) {
  const Wide size = magnitude(corrected(value, its_correction));
  return is_zero(its_correction) ? 0 : magnitude(its_correction) / size;
}

/// A sum whose terms are right to more digits than itself has lost them here.
void note_cancellation(Run &run, Wide before, Wide after, const char *site) {
  constexpr Wide rounding = 0x1p-53;
  const Wide factor = after / (before < rounding ? rounding : before);
  run.note_cancellation(static_cast<double>(factor), site);
}

Wide settle_sum(Wide sum, Wide left_part, Wide right_part, Wide result, const char *site) {
  Run *run = live_run();
  if (!run)
    return 0;
  const Wide its_correction = correction(sum, result);
  if (is_zero(its_correction))
    return its_correction;
  note_cancellation(*run, left_part < right_part ? right_part : left_part, relative(result, its_correction), site);
  return its_correction;
}

/// The result of a library function, which may be off in its last digit in any rounding mode: it is moved where a run
/// rounds upward to be compared with one that rounds to nearest. To both sides, so that differences of such results
/// show it as well.
Wide with_rounding_of_library(Wide result) {
  if (std::fegetround() != FE_UPWARD || is_zero(result) || !is_finite(result))
    return result;
  std::uint64_t low = 0;
  __builtin_memcpy(&low, &result, sizeof low);
  constexpr std::uint64_t odd_factor = 0x9e3779b97f4a7c15;
  const bool is_down = (low * odd_factor) >> 63U;
  return nextafterf128(result, Wide(is_down ? -HUGE_VAL : HUGE_VAL));
}

/// What a function that is constant between steps, or has a kink, does where the program is.
Wide piece(const UnaryFunction &function, Wide value, Wide whole) {
  switch (function.shape) {
  case Shape::smooth:
    return with_rounding_of_library(function.wide(whole));
  case Shape::root:
    return sqrtf128(whole);
  case Shape::size:
    return value == 0 ? magnitude(whole) : with_sign_of(whole, value * whole < 0 ? -1 : 1);
  case Shape::step:
    return function.wide(value);
  }
  return whole;
}

bool takes_left(Selection selection, Wide left, Wide right) {
  if (right != right)
    return true;
  return selection == Selection::smaller ? left <= right : left >= right;
}

/// x - n y, with the n of the program's own numbers.
Wide remainder_after(Wide whole_left, Wide whole_right, Wide left, Wide right, Wide rest) {
  const Wide times = rintf128((left - rest) / right);
  return is_finite(times) ? whole_left - times * whole_right : rest;
}

Wide piece(const BinaryFunction &function, Wide left, Wide whole_left, Wide right, Wide whole_right) {
  switch (function.selection) {
  case Selection::smaller:
  case Selection::larger:
    return takes_left(function.selection, left, right) ? whole_left : whole_right;
  case Selection::excess:
    return left > right                     ? whole_left - whole_right
           : left == left && right == right ? Wide(0)
                                            : function.wide(left, right);
  case Selection::sign:
    return with_sign_of(left == 0 ? magnitude(whole_left) : with_sign_of(whole_left, left * whole_left), right);
  case Selection::none:
    break;
  }
  if (function.name == "fmod")
    return remainder_after(whole_left, whole_right, left, right, fmodf128(left, right));
  if (function.name == "remainder" || function.name == "drem")
    return remainder_after(whole_left, whole_right, left, right, remainderf128(left, right));
  if (function.name == "fmaxmag" || function.name == "fminmag")
    return same_bits(function.wide(left, right), left) ? whole_left : whole_right;
  return with_rounding_of_library(function.wide(whole_left, whole_right));
}

} // namespace

} // namespace assay::widen

using namespace assay::widen;

Wide assay_wide_corrected(Wide value, Wide correction) {
  return corrected(value, correction);
}

Wide assay_wide_correction(Wide whole, Wide value) {
  return live_run() ? correction(whole, value) : 0;
}

Wide assay_wide_add_numbers(Wide left, Wide left_correction, Wide right, Wide right_correction, Wide result,
                            const char *site) {
  return settle_sum(corrected(left, left_correction) + corrected(right, right_correction),
                    relative(left, left_correction), relative(right, right_correction), result, site);
}

Wide assay_wide_subtract_numbers(Wide left, Wide left_correction, Wide right, Wide right_correction, Wide result,
                                 const char *site) {
  return settle_sum(corrected(left, left_correction) - corrected(right, right_correction),
                    relative(left, left_correction), relative(right, right_correction), result, site);
}

Wide assay_wide_multiply_corrected(Wide left, Wide right) {
  return left * right;
}

Wide assay_wide_divide_corrected(Wide left, Wide right) {
  return left / right;
}

Wide assay_wide_unary_corrected(unsigned function, Wide value, Wide correction) {
  return piece(unary_function_at(function), value, corrected(value, correction));
}

Wide assay_wide_binary_corrected(unsigned function, Wide left, Wide left_correction, Wide right,
                                 Wide right_correction) {
  return piece(binary_function_at(function), left, corrected(left, left_correction), right,
               corrected(right, right_correction));
}

Wide assay_wide_power_of_integer_corrected(Wide value, Wide correction, int exponent) {
  return with_rounding_of_library(powf128(corrected(value, correction), exponent));
}

Wide assay_wide_bessel_corrected(int second_kind, int order, Wide value, Wide correction) {
  const Wide at = corrected(value, correction);
  return with_rounding_of_library(second_kind ? ynf128(order, at) : jnf128(order, at));
}

Wide assay_wide_divide_complex_corrected(unsigned part, Wide a, Wide a_correction, Wide b, Wide b_correction, Wide c,
                                         Wide c_correction, Wide d, Wide d_correction) {
  return complex_quotient(part, corrected(a, a_correction), corrected(b, b_correction), corrected(c, c_correction),
                          corrected(d, d_correction));
}

Wide assay_wide_complex_corrected(unsigned function, unsigned part, Wide a, Wide a_correction, Wide b,
                                  Wide b_correction) {
  return with_rounding_of_library(
      complex_value(function, part, corrected(a, a_correction), corrected(b, b_correction)));
}
