// Loops whose counters are doubled or halved, of all widths and signs, past zero and past the largest number.
#include "support/vector_program.hpp"

#include <cstdint>
#include <utility>

namespace {

/// Each step of a sum by halves depends on what the one before left.
double tree_sum(const double *x, int n) {
  double parts[64] = {};
  for (int i = 0; i < n; ++i)
    parts[i] = std::sin(x[i]);
  for (int distance = 32; distance > 0; distance /= 2)
    for (int i = 0; i < distance; ++i)
      parts[i] = parts[i] * parts[i + distance] + parts[i];
  return parts[0];
}

double sorting_network(const double *x, int n) {
  double sorted[8];
  for (int i = 0; i < 8; ++i)
    sorted[i] = x[i % n] + 0.001 * i;
  for (unsigned length = 2; length <= 8; length *= 2)
    for (unsigned distance = length >> 1; distance > 0; distance >>= 1)
      for (unsigned i = 0; i < 8; ++i) {
        const unsigned partner = i ^ distance;
        if (partner > i && (sorted[i] > sorted[partner]) == ((i & length) == 0))
          std::swap(sorted[i], sorted[partner]);
      }
  double sum = 0;
  for (int i = 0; i < 8; ++i)
    sum = sum * 0.9 + sorted[i] * sorted[i];
  return sum;
}

/// Numbers of the loop take part in each step, so that the reverse sweep needs them.
template <class Integer, class Next>
double stepped(const double *x, int n, Integer start, int steps, Next next) {
  double r = 1;
  Integer number = start;
  for (int step = 0; step < steps; ++step) {
    r = std::sin(r * (1 + 1e-2 * static_cast<double>(static_cast<long long>(number) % 97)) + x[step % n]);
    number = next(number);
  }
  return r;
}

double doubled_past_the_largest(const double *x, int n) {
  return stepped<std::uint32_t>(x, n, 3, 40, [](std::uint32_t number) { return number * 2; });
}
double doubled_words(const double *x, int n) {
  return stepped<std::uint64_t>(x, n, 5, 70, [](std::uint64_t number) { return number << 3U; });
}
double halved_bytes(const double *x, int n) {
  return stepped<std::uint8_t>(x, n, 201, 12, [](std::uint8_t number) { return std::uint8_t(number / 2); });
}
double halved_past_zero(const double *x, int n) {
  return stepped<std::uint32_t>(x, n, 0xf00dbeefU, 20, [](std::uint32_t number) { return number >> 2U; });
}
double shifted_signs(const double *x, int n) {
  return stepped<std::int32_t>(x, n, -1000, 40, [](std::int32_t number) { return number >> 1; });
}
double negative_quotients(const double *x, int n) {
  return stepped<std::int32_t>(x, n, -1001, 14, [](std::int32_t number) { return number / 2; });
}
double quotients_of_the_least(const double *x, int n) {
  return stepped<std::int32_t>(x, n, INT32_MIN, 40, [](std::int32_t number) { return number / 4; });
}
double positive_quotients(const double *x, int n) {
  return stepped<std::int64_t>(x, n, 123456789012345, 30, [](std::int64_t number) { return number / 8; });
}
double by_another_number(const double *x, int n) {
  return stepped<std::int32_t>(x, n, 12345, 9, [](std::int32_t number) { return number / 3; });
}

} // namespace

PLUGIN_TEST(HalvingLoops, ATreeOfSums) {
  CHECK_FUNCTION(tree_sum, 0.7, 1.3, -0.4, 0.9, 0.2, -1.1);
}
PLUGIN_TEST(HalvingLoops, ASortingNetwork) {
  CHECK_FUNCTION(sorting_network, 0.7, 1.3, -0.4, 0.9, 0.2, -1.1, 1.7, -0.8);
}
PLUGIN_TEST(HalvingLoops, DoubledPastTheLargest) {
  CHECK_FUNCTION(doubled_past_the_largest, 0.7, 1.3, -0.4);
}
PLUGIN_TEST(HalvingLoops, DoubledWords) {
  CHECK_FUNCTION(doubled_words, 0.7, 1.3, -0.4);
}
PLUGIN_TEST(HalvingLoops, HalvedBytes) {
  CHECK_FUNCTION(halved_bytes, 0.7, 1.3, -0.4);
}
PLUGIN_TEST(HalvingLoops, HalvedPastZero) {
  CHECK_FUNCTION(halved_past_zero, 0.7, 1.3, -0.4);
}
PLUGIN_TEST(HalvingLoops, ShiftedSigns) {
  CHECK_FUNCTION(shifted_signs, 0.7, 1.3, -0.4);
}
PLUGIN_TEST(HalvingLoops, NegativeQuotients) {
  CHECK_FUNCTION(negative_quotients, 0.7, 1.3, -0.4);
}
PLUGIN_TEST(HalvingLoops, QuotientsOfTheLeast) {
  CHECK_FUNCTION(quotients_of_the_least, 0.7, 1.3, -0.4);
}
PLUGIN_TEST(HalvingLoops, PositiveQuotients) {
  CHECK_FUNCTION(positive_quotients, 0.7, 1.3, -0.4);
}
PLUGIN_TEST(HalvingLoops, ByAnotherNumber) {
  CHECK_FUNCTION(by_another_number, 0.7, 1.3, -0.4);
}
