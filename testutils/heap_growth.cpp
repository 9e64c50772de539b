// The C library counts blocks that it keeps for the next request of their size as in use, up to seven of each size
// (glibc). A block that is lost may come from these and does not show then. So before the heap is looked at each size
// is filled up to seven: what is in use beyond is the program's.

#include "testutils/heap_growth.hpp"

#include "testutils/free_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <memory>
#include <new>
#include <unistd.h>
#include <vector>

namespace assay::testutils {

/// So many that what a call keeps once is little beside what all of them lose.
static constexpr std::size_t calls_in_a_round = 32;
static constexpr std::size_t few_calls = 3;
static constexpr int rounds = 3;
static constexpr std::size_t smallest_block = 16;

namespace {

struct Release {
  void operator()(void *block) const { ::operator delete(block); }
};

} // namespace

/// A request may get a larger block whose rest would be too small to be one, which is none of its size when it is given
/// back.
static void fill_kept_blocks() {
  constexpr std::size_t kept_of_one_size = 7, attempts = 32, least = 24, most = 1032; // What blocks have room for.
  std::vector<std::unique_ptr<void, Release>> blocks;
  blocks.reserve(attempts * (most / smallest_block + 1));
  for (std::size_t size = least; size <= most; size += smallest_block)
    for (std::size_t attempt = 0, found = 0; attempt < attempts && found < kept_of_one_size; ++attempt) {
      blocks.emplace_back(::operator new(size));
      found += ::malloc_usable_size(blocks.back().get()) == size ? 1 : 0;
    }
}

static std::size_t heap_in_use() {
  fill_kept_blocks();
  const auto heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

static void make_looking_fast() {
  constexpr std::size_t many = 2048;
  if (::mallinfo2().ordblks > many)
    take_free_blocks();
}

/// Below zero where a call gives back what was kept before, or a block that is in use is cut otherwise.
static std::ptrdiff_t growth_after(std::size_t calls, const std::function<void()> &call) {
  const std::size_t before = heap_in_use();
  for (std::size_t index = 0; index < calls; ++index)
    call();
  return static_cast<std::ptrdiff_t>(heap_in_use() - before);
}

std::size_t heap_growth(const std::function<void()> &call) {
  make_looking_fast();
  // One call may keep something, or its loss be hidden by a free block that is cut otherwise: a few lose more than
  // that.
  if (growth_after(1, call) == 0 && growth_after(few_calls, call) == 0)
    return 0;
  auto least = std::numeric_limits<std::ptrdiff_t>::max();
  for (int round = 0; round < rounds; ++round) {
    least = std::min(least, growth_after(calls_in_a_round, call));
    if (least < static_cast<std::ptrdiff_t>(calls_in_a_round * smallest_block))
      return 0;
  }
  return static_cast<std::size_t>(least) / calls_in_a_round;
}

/// Of the address space, without what the C library has for the heap; 0 where there is no such file system.
static std::size_t mapped_beside_heap() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const auto heap = ::mallinfo2();
  const std::size_t all = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), of_heap = heap.arena + heap.hblkhd;
  return all > of_heap ? all - of_heap : 0;
}

std::size_t mapping_growth(const std::function<void()> &call) {
  constexpr std::size_t calls = 4;
  call();
  const std::size_t before = mapped_beside_heap();
  for (std::size_t index = 0; index < calls; ++index)
    call();
  const std::size_t after = mapped_beside_heap();
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return after >= before + calls * page ? (after - before) / calls : 0;
}

} // namespace assay::testutils
