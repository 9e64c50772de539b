#include "testutils/heap_growth.hpp"

#include <algorithm>
#include <cstdint>
#include <malloc.h>

namespace assay::testutils {

/// More than the C library keeps of one size (glibc: 7).
static constexpr std::size_t calls_at_first = 8;
/// So many that what it keeps is little beside what they lose.
static constexpr std::size_t calls_in_a_round = 32;
static constexpr int rounds = 3;
static constexpr std::size_t smallest_block = 16;

static std::size_t heap_in_use() {
  const auto heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

static std::size_t growth_after(std::size_t calls, const std::function<void()> &call) {
  const std::size_t before = heap_in_use();
  for (std::size_t index = 0; index < calls; ++index)
    call();
  const std::size_t after = heap_in_use();
  return after > before ? after - before : 0;
}

std::size_t heap_growth(const std::function<void()> &call) {
  // What the first round finds may be a cache that fills; what it does not find may come from the C library's.
  if (growth_after(calls_at_first, call) == 0)
    return 0;
  std::size_t least = SIZE_MAX;
  for (int round = 0; round < rounds; ++round) {
    least = std::min(least, growth_after(calls_in_a_round, call));
    if (least < calls_in_a_round * smallest_block)
      return 0;
  }
  return least / calls_in_a_round;
}

} // namespace assay::testutils
