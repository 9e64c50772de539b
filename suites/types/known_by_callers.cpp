// Functions that move memory without a word of what is in it: their callers know, or the user says it.
#include "support/vector_program.hpp"
#include <cstdlib>

extern "C" {
void __enzyme_double(void *, std::size_t);
}

namespace {

[[gnu::noinline]] void copy_numbers(const double *from, double *to, int n) {
  std::memcpy(to, from, std::size_t(n) * sizeof(double));
}
[[gnu::noinline]] void copy_eight_bytes(const void *from, void *to) {
  std::memcpy(to, from, 8);
}
typedef long __attribute__((may_alias)) AnyLong;
[[gnu::noinline]] void reverse_longs(const AnyLong *from, AnyLong *to, int n) {
  for (int i = 0; i < n; ++i)
    to[n - 1 - i] = from[i];
}
[[gnu::noinline]] void copy_declared(void *from, void *to, std::size_t bytes) {
  __enzyme_double(from, bytes);
  std::memcpy(to, from, bytes);
}

struct Numbers {
  double from[3] = {1, 2, 3}, to[3] = {}, from_shadow[3] = {}, to_shadow[3] = {5, 6, 7};
};

void expect_moved(const Numbers &numbers, std::array<double, 3> expected, int line) {
  for (std::size_t i = 0; i < 3; ++i)
    assay::suites::expect_near_element(numbers.from_shadow[i], expected[i], 0, "gradient", i, __FILE__, line);
}

} // namespace

PLUGIN_TEST(KnownByCallers, Copy) {
  Numbers n;
  __enzyme_autodiff<void>((void *)copy_numbers, enzyme_dup, n.from, n.from_shadow, enzyme_dup, n.to, n.to_shadow,
                          enzyme_const, 3);
  expect_moved(n, {5, 6, 7}, __LINE__);
  EXPECT_SAME(n.to_shadow[1], 0);
}
PLUGIN_TEST(KnownByCallers, EightBytes) {
  Numbers n;
  __enzyme_autodiff<void>((void *)copy_eight_bytes, enzyme_dup, n.from, n.from_shadow, enzyme_dup, n.to, n.to_shadow);
  expect_moved(n, {5, 0, 0}, __LINE__);
}
PLUGIN_TEST(KnownByCallers, Integers) {
  Numbers n;
  __enzyme_autodiff<void>((void *)reverse_longs, enzyme_dup, n.from, n.from_shadow, enzyme_dup, n.to, n.to_shadow,
                          enzyme_const, 3);
  expect_moved(n, {7, 6, 5}, __LINE__);
}
PLUGIN_TEST(KnownByCallers, WhatTheUserSays) {
  void *memory[4];
  for (void *&piece : memory)
    piece = std::calloc(3, sizeof(double));
  std::memcpy(memory[3], std::array{5.0, 6.0, 7.0}.data(), sizeof(double[3]));
  __enzyme_autodiff<void>((void *)copy_declared, enzyme_dup, memory[0], memory[1], enzyme_dup, memory[2], memory[3],
                          enzyme_const, sizeof(double[3]));
  double moved[3];
  std::memcpy(moved, memory[1], sizeof moved);
  EXPECT_SAME(moved[0], 5);
  EXPECT_SAME(moved[2], 7);
  for (void *piece : memory)
    std::free(piece);
}
