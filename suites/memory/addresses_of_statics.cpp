// Addresses of static variables that are computed with as integers: the compiler makes them constants, which no
// instruction converts.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <cstdint>

namespace {

double pool[40];

/// The first of the pool whose address is a multiple of 64.
double rounded_up(const double *x, int n) {
  auto *numbers = reinterpret_cast<double *>((reinterpret_cast<std::uintptr_t>(pool) + 63) & ~std::uintptr_t(63));
  for (int i = 0; i < n; ++i)
    numbers[i] = x[i] * x[i];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += numbers[n - 1 - i] * x[i];
  return sum;
}

/// What is behind an index that only runs, and a part of the pool.
double rounded_down(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    auto *pair = reinterpret_cast<double *>(reinterpret_cast<std::uintptr_t>(pool + 3 + i) & ~std::uintptr_t(15));
    pair[0] = x[i];
    pair[1] = x[i] * x[i];
    sum += pair[0] * pair[1];
  }
  return sum;
}

double first, second;

double flagged(const double *x, int n) {
  std::uintptr_t words[2] = {reinterpret_cast<std::uintptr_t>(&first) | 1, reinterpret_cast<std::uintptr_t>(&second)};
  first = x[0] * x[1];
  second = x[n - 1] * x[0];
  double sum = 0;
  for (std::uintptr_t word : words)
    sum += *reinterpret_cast<double *>(word & ~std::uintptr_t(7)) * double(2 - (word & 1)) * x[1];
  return sum;
}

/// Flags in the initializer of a table.
std::uintptr_t table[2] = {reinterpret_cast<std::uintptr_t>(&first) + 3, reinterpret_cast<std::uintptr_t>(&second) + 1};

double from_table(const double *x, int n) {
  for (int i = 0; i < 2; ++i)
    *reinterpret_cast<double *>(table[i] & ~std::uintptr_t(7)) = x[i] * x[n - 1];
  double product = 1;
  for (std::uintptr_t word : table)
    product *= *reinterpret_cast<double *>(word & ~std::uintptr_t(7)) + double(word & 3);
  return product;
}

double exclusive_or(const double *x, int n) {
  const std::uintptr_t both = reinterpret_cast<std::uintptr_t>(&first) ^ reinterpret_cast<std::uintptr_t>(&second);
  first = x[0] * x[0];
  second = x[n - 1] * x[1];
  const double *other = reinterpret_cast<double *>(both ^ reinterpret_cast<std::uintptr_t>(&first));
  return *other * first;
}

thread_local double own[34];

double of_the_thread(const double *x, int n) {
  auto *numbers = reinterpret_cast<double *>((reinterpret_cast<std::uintptr_t>(own) + 15) & ~std::uintptr_t(15));
  for (int i = 0; i < n; ++i)
    numbers[i] = x[i] * x[i];
  return numbers[0] * numbers[n - 1];
}

} // namespace

PLUGIN_TEST(AddressesOfStatics, rounded_up) {
  CHECK_FUNCTION(rounded_up, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesOfStatics, rounded_down) {
  CHECK_FUNCTION(rounded_down, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesOfStatics, with_flags) {
  CHECK_FUNCTION(flagged, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesOfStatics, with_flags_in_an_initializer) {
  CHECK_FUNCTION(from_table, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesOfStatics, exclusive_or_of_two) {
  CHECK_FUNCTION(exclusive_or, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesOfStatics, of_a_thread) {
  CHECK_FUNCTION(of_the_thread, 0.3, 0.7, 1.1, 0.4);
}
PLUGIN_TEST(AddressesOfStatics, have_second_derivatives) {
  CHECK_SECOND_ORDER(rounded_up, 0.3, 0.7, 1.1, 0.4);
}
