// Bits of numbers that go through memory as integers and come back in a way that no derivative follows are errors, not
// zeros.

#include "core/test/support/compile_and_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::AllOf;
using testing::HasSubstr;

namespace assay::test {
namespace {

class NumberBitsError : public testing::TestWithParam<std::string> {
protected:
  /// Of double f(const double *x, int n).
  std::string errors(const std::string &function) const {
    const std::string source = R"(
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static double number_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof bits);
  return x;
}
)" + function + R"(
int main() {
  double x[2] = {1.5, 2.25}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 2);
}
)";
    const ProcessResult result =
        compile({.source = source, .language = Language::c, .level = GetParam(), .flags = {"-w"}});
    EXPECT_EQ(result.exit_code, 1);
    return result.err;
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, NumberBitsError, testing::Values("-O0", "-O2"),
                         [](const auto &info) { return info.param.substr(1); });

constexpr const char *unknown_bits =
    "a float is made of the bits of another by integer operations whose derivative is not known";

TEST_P(NumberBitsError, bytes_that_are_encrypted_one_by_one) {
  EXPECT_THAT(errors(R"(
double f(const double *x, int n) {
  unsigned char bytes[64];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++)
      bytes[8 * i + k] = (unsigned char)(bits_of(x[i] * x[i]) >> 8 * k) ^ (0x5a + k);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    uint64_t bits = 0;
    for (int k = 0; k < 8; k++)
      bits |= (uint64_t)(bytes[8 * i + k] ^ (0x5a + k)) << 8 * k;
    sum += number_of(bits);
  }
  return sum;
})"),
              AllOf(HasSubstr("in function 'f'"), HasSubstr(unknown_bits)));
}

TEST_P(NumberBitsError, seven_bits_in_each_byte) {
  EXPECT_THAT(errors(R"(
double f(const double *x, int n) {
  unsigned char *bytes = malloc(10 * n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 10; k++)
      bytes[10 * i + k] = (bits_of(x[i] * x[i]) >> 7 * k & 0x7f) | (k < 9 ? 0x80 : 0);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    uint64_t bits = 0;
    for (int k = 0; k < 10; k++)
      bits |= (uint64_t)(bytes[10 * i + k] & 0x7f) << 7 * k;
    sum += number_of(bits);
  }
  free(bytes);
  return sum;
})"),
              HasSubstr(unknown_bits));
}

TEST_P(NumberBitsError, flags_in_the_last_bits) {
  EXPECT_THAT(errors(R"(
double f(const double *x, int n) {
  uint64_t words[16];
  for (int i = 0; i < n; i++)
    words[i] = (bits_of(x[i] * x[i]) & ~UINT64_C(7)) | (i + 1);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (words[i] & 7) * number_of(words[i] & ~UINT64_C(7));
  return sum;
})"),
              HasSubstr(unknown_bits));
}

TEST_P(NumberBitsError, a_number_or_an_address_with_flags) {
  EXPECT_THAT(errors(R"(
double f(const double *x, int n) {
  uint64_t words[16];
  double own[16];
  for (int i = 0; i < n; i++) {
    own[i] = x[i] * x[i];
    words[2 * i] = bits_of(x[i]);
    words[2 * i + 1] = UINT64_C(0xfffc) << 48 | (uint64_t)(uintptr_t)&own[i];
  }
  double sum = 0;
  for (int i = 0; i < 2 * n; i++)
    sum += words[i] < UINT64_C(0xfff8) << 48 ? number_of(words[i])
                                             : *(const double *)(uintptr_t)(words[i] & (UINT64_C(1) << 48) - 1);
  return sum;
})"),
              HasSubstr("a word holds a number, or an address with flags in it, as its bits tell"));
}

} // namespace
} // namespace assay::test
