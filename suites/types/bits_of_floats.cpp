// Programs that compute with the bits of floats: exponents, signs, unions, comparisons and copies as integers.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <cstdint>
namespace {

union Bits {
  double number;
  std::uint64_t bits;
};
constexpr std::uint64_t mantissa = (std::uint64_t(1) << 52) - 1, sign = std::uint64_t(1) << 63;

double copy_of_sign(const double *x, int) {
  Bits a, s;
  a.number = x[0];
  s.number = x[1];
  a.bits = (a.bits & ~sign) | (s.bits & sign);
  return a.number * a.number * x[2] + a.number;
}
double larger_exponent(const double *x, int) {
  Bits a;
  a.number = x[0];
  a.bits += std::uint64_t(3) << 52;
  return a.number * x[1];
}
double reduced_argument(const double *x, int) {
  Bits a;
  a.number = x[0];
  const int exponent = int(a.bits >> 52 & 0x7ff) - 1023;
  a.bits = (a.bits & mantissa) | std::uint64_t(1023) << 52;
  const double t = (a.number - 1) / (a.number + 1);
  return t * t * x[1] + exponent * 0.6931;
}
double inverse_root(double number) {
  std::uint64_t bits;
  double y = number;
  std::memcpy(&bits, &y, sizeof y);
  bits = 0x5fe6eb50c7b537a9 - (bits >> 1);
  std::memcpy(&y, &bits, sizeof y);
  return y * (1.5 - 0.5 * number * y * y);
}
double fast_inverse_root(const double *x, int) {
  return inverse_root(x[0]) * x[1];
}
double fast_logarithm(const double *x, int) {
  Bits a;
  a.number = x[0] * x[1];
  return double(std::int64_t(a.bits)) * 0x1p-52 - 1023;
}
double high_word(const double *x, int) {
  std::uint64_t bits;
  std::memcpy(&bits, x, sizeof bits);
  const auto high = std::uint32_t(bits >> 32) + (2 << 20);
  bits = std::uint64_t(high) << 32 | std::uint32_t(bits);
  double scaled;
  std::memcpy(&scaled, &bits, sizeof bits);
  return scaled * scaled * x[1];
}
double integers_between_arrays(const double *x, int n) {
  std::uint64_t kept[3];
  std::memcpy(kept, x, sizeof kept);
  double y[3];
  for (int i = 0; i < n; ++i)
    std::memcpy(&y[i], &kept[n - 1 - i], sizeof(double));
  return y[0] * y[1] + y[2] * y[2];
}
/// Integers that are ordered as the numbers are.
std::int64_t key_of(double number) {
  std::int64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  if (bits < 0)
    bits ^= 0x7fffffffffffffff;
  return bits;
}
double sorted_by_bits(const double *x, int n) {
  double sorted[3];
  for (int i = 0; i < n; ++i)
    sorted[i] = x[i] * x[i] * x[i];
  for (int i = 1; i < n; ++i) {
    const double moved = sorted[i];
    int place = i;
    for (; place > 0 && key_of(sorted[place - 1]) > key_of(moved); --place)
      sorted[place] = sorted[place - 1];
    sorted[place] = moved;
  }
  return sorted[0] + 10 * sorted[1] + 100 * sorted[2];
}

double largest_by_bits(const double *x, int n) {
  double best = x[0];
  for (int i = 1; i < n; ++i) {
    std::int64_t one, other;
    std::memcpy(&one, &x[i], sizeof one);
    std::memcpy(&other, &best, sizeof other);
    if (one > other)
      best = x[i];
  }
  return best * best * x[0];
}
struct Number {
  int kind;
  union {
    double wide;
    float narrow;
    int whole;
  };
};
double value(Number number) {
  return number.kind == 0 ? number.wide : number.kind == 1 ? double(number.narrow) : number.whole;
}
double tagged_numbers(const double *x, int) {
  Number numbers[3];
  numbers[0].kind = 0;
  numbers[0].wide = x[0] * x[1];
  numbers[1].kind = 1;
  numbers[1].narrow = float(x[1]);
  numbers[2].kind = 2;
  numbers[2].whole = 7;
  double result = 1;
  for (Number number : numbers)
    result = result * 0.5 + value(number);
  return result;
}
double uniform_numbers(const double *x, int n) { // a random generator makes floats of integers that are none
  std::uint64_t state = 12345;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    Bits a;
    a.bits = state >> 12 | std::uint64_t(1023) << 52;
    sum += a.number * x[i] * x[0];
  }
  return sum;
}
std::uint64_t bits_of(double number) {
  return Bits{number}.bits;
}
double number_of(std::uint64_t bits) {
  Bits a;
  a.bits = bits;
  return a.number;
}
double below_two(const double *x, int n) { // a loop of unknown length changes the bits
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double y = x[i];
    while (y >= 2)
      y = number_of(bits_of(y) - (std::uint64_t(1) << 52));
    sum += y * y * x[0];
  }
  return sum;
}
double scaled_in_integers(const double *x, int n) {
  std::uint64_t bits = bits_of(x[0] * x[1]);
  for (int i = 0; i < n; ++i)
    if (x[i] > 1)
      bits += std::uint64_t(1) << 52;
  const double y = number_of(bits);
  return y * y * x[2];
}
double sum_of_mantissas(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double m = number_of((bits_of(x[i]) & ~(std::uint64_t(0x7ff) << 52)) | std::uint64_t(1022) << 52);
    sum += m * m * x[0];
  }
  return sum;
}
double kept_with_tags(const double *x, int n) { // of which the lowest bits are an index
  std::uint64_t kept[8];
  for (int i = 0; i < n; ++i)
    kept[i] = (bits_of(x[i]) & ~std::uint64_t(15)) | (i & 7);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double y = number_of(kept[i] & ~std::uint64_t(7));
    sum += y * y * x[0] * double(kept[i] & 7);
  }
  return sum;
}

} // namespace

PLUGIN_TEST(BitsOfFloats, Sign) {
  CHECK_FUNCTION(copy_of_sign, 1.5, -2.0, 3.0);
}
PLUGIN_TEST(BitsOfFloats, Exponent) {
  CHECK_FUNCTION(larger_exponent, 1.3, 2.0);
}
PLUGIN_TEST(BitsOfFloats, Mantissa) {
  CHECK_FUNCTION(reduced_argument, 5.3, 2.0);
}
PLUGIN_TEST(BitsOfFloats, InverseRootByShift) {
  CHECK_FUNCTION(fast_inverse_root, 1.7, 2.0);
}
PLUGIN_TEST(BitsOfFloats, NumberOfBits) {
  CHECK_FUNCTION(fast_logarithm, 1.3, 1.1);
}
PLUGIN_TEST(BitsOfFloats, HighWord) {
  CHECK_FUNCTION(high_word, 1.3, 2.0);
}
PLUGIN_TEST(BitsOfFloats, IntegersBetweenArrays) {
  CHECK_FUNCTION(integers_between_arrays, 1.0, 2.0, 3.0);
}
PLUGIN_TEST(BitsOfFloats, ComparisonAsIntegers) {
  CHECK_FUNCTION(largest_by_bits, 1.0, 2.0, 3.0);
}
PLUGIN_TEST(BitsOfFloats, SortedByBits) {
  CHECK_FUNCTION(sorted_by_bits, 0.5, -0.3, -0.7);
}
PLUGIN_TEST(BitsOfFloats, TaggedUnion) {
  assay::suites::check_function<tagged_numbers>(std::array{1.5, 2.0}, __FILE__, __LINE__, 2e-4);
}
PLUGIN_TEST(BitsOfFloats, RandomNumbersAreConstants) {
  CHECK_FUNCTION(uniform_numbers, 1.0, 2.0, 3.0);
}
PLUGIN_TEST(BitsOfFloats, ChangedInLoopOfUnknownLength) {
  CHECK_FUNCTION(below_two, 7.0, 1.5, 2.5);
}
PLUGIN_TEST(BitsOfFloats, CarriedAsInteger) {
  CHECK_FUNCTION(scaled_in_integers, 1.3, 2.0, 3.0);
}
PLUGIN_TEST(BitsOfFloats, MantissasInLoop) {
  CHECK_FUNCTION(sum_of_mantissas, 2.7, 3.2, 1.5);
}
PLUGIN_TEST(BitsOfFloats, Tags) {
  assay::suites::check_function<kept_with_tags>(std::array{1.5, 2.0, 2.5}, __FILE__, __LINE__, 2e-4);
}
PLUGIN_TEST(BitsOfFloats, SecondDerivativeOfMantissas) {
  CHECK_SECOND_ORDER(sum_of_mantissas, 2.7, 3.2, 1.5);
}
PLUGIN_TEST(BitsOfFloats, SecondDerivativeAfterLoop) {
  CHECK_SECOND_ORDER(below_two, 7.0, 1.5, 2.5);
}
