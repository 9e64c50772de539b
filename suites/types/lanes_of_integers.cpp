// Doubles that are moved and change signs as lanes of integers, of another width too.
#include "support/vector_program.hpp"
#include <cstdint>
#include <cstring>

namespace {

using Doubles = double __attribute__((vector_size(16)));
using Words = std::int64_t __attribute__((vector_size(16)));
using Halves = std::int32_t __attribute__((vector_size(16)));

std::int64_t bits_of(double value) {
  std::int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

double sign_in_a_half(const double *x, int) { // one of four integers holds the sign of the second double
  const Doubles pair = {x[0] * x[1], x[2] * x[3]};
  const Doubles flipped = (Doubles)((Halves)pair ^ Halves{0, 0, 0, INT32_MIN});
  return flipped[0] * flipped[1] + 3 * flipped[1];
}

double put_together_as_integers(const double *x, int) {
  const Words words = {bits_of(x[0] * x[2]), bits_of(-x[1])};
  const Doubles flipped = (Doubles)((Halves)words ^ Halves{0, INT32_MIN, 0, 0});
  return flipped[0] * flipped[0] * x[3] + flipped[1] * flipped[0];
}

double taken_apart_as_integers(const double *x, int) {
  const Doubles pair = {x[0] * x[1], x[2] / x[3]};
  const Words words = (Words)pair;
  char memory[16];
  for (int i = 0; i < 2; ++i) {
    const std::int64_t word = words[1 - i];
    std::memcpy(memory + 8 * i, &word, 8);
  }
  double values[2];
  std::memcpy(values, memory, sizeof values);
  return values[0] * values[0] + values[0] * values[1];
}

using Bytes = std::int8_t __attribute__((vector_size(16)));

/// A flag beside a number, in one vector of bytes; the number stays what it is.
double number_and_flag(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    Bytes bytes = (Bytes)Doubles{x[i] * x[0], 0};
    bytes[8] = static_cast<std::int8_t>(x[i] > 0.5);
    const Doubles both = (Doubles)bytes;
    const Words words = (Words)bytes;
    sum += both[0] * both[0] * (words[1] == 1 ? 3 : x[i]);
  }
  return sum;
}

} // namespace

PLUGIN_TEST(LanesOfIntegers, KeepASignInHalfADouble) {
  CHECK_FUNCTION(sign_in_a_half, 0.3, 1.2, -0.4, 0.9);
}
PLUGIN_TEST(LanesOfIntegers, ArePutTogether) {
  CHECK_FUNCTION(put_together_as_integers, 0.3, 1.2, -0.4, 0.9);
}
PLUGIN_TEST(LanesOfIntegers, AreTakenApart) {
  CHECK_FUNCTION(taken_apart_as_integers, 0.3, 1.2, -0.4, 0.9);
}
PLUGIN_TEST(LanesOfIntegers, HoldAFlagBesideANumber) {
  CHECK_FUNCTION(number_and_flag, 0.3, 1.2, -0.4, 0.9);
}
