#pragma once
// What a program leaves on the heap, measured where no sanitizer is at hand: the bytes in use before and after many
// runs.

#include "support/plugin_test.hpp"
#include <malloc.h>

namespace assay::suites {

inline std::size_t heap_in_use() {
  const auto heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

inline constexpr int warming_runs = 4, counted_runs = 512;

/// Runs `body` until the allocator's caches are filled, then often enough that one lost block in each run would show.
template <class Body>
void expect_no_growth(Body body, const char *file, int line) {
  constexpr std::size_t smallest_block = 16;
  for (int run = 0; run < warming_runs; ++run)
    body();
  const std::size_t before = heap_in_use();
  for (int run = 0; run < counted_runs; ++run)
    body();
  expect_true(heap_in_use() < before + counted_runs * smallest_block, "the heap does not grow", file, line);
}

} // namespace assay::suites

#define EXPECT_NO_GROWTH(...) assay::suites::expect_no_growth(__VA_ARGS__, __FILE__, __LINE__)

/// The reverse sweep of a function of n numbers releases all that it and its forward sweep allocate; so does forward
/// mode.
#define EXPECT_NOTHING_LEFT(program, ...)                                                                              \
  EXPECT_NO_GROWTH([] {                                                                                                \
    auto x = std::array{__VA_ARGS__};                                                                                  \
    auto shadow = x;                                                                                                   \
    __enzyme_autodiff<void>((void *)program, enzyme_dup, x.data(), shadow.data(), enzyme_const, int(x.size()));        \
    __enzyme_fwddiff<double>((void *)program, enzyme_dup, x.data(), shadow.data(), enzyme_const, int(x.size()));       \
  })
