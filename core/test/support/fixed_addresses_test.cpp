// Where the memory of programs at fixed addresses lies, by what the kernel says of the process.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string_view>
#include <unistd.h>

namespace assay::engine::library {
extern "C" {
// C, whose declarations of functions of the C library are none of C++.
#define _Bool bool
#include "core/engine/library/fixed_addresses.h"
}
#undef _Bool
} // namespace assay::engine::library

namespace {

using namespace assay::engine::library;

FixedMemory memory_in(std::string_view text) {
  return fixed_memory_in(text.data(), text.size());
}

TEST(FixedAddresses, AreThoseOfTheImageAndOfTheHeap) {
  const FixedMemory memory = memory_in(
      "7 (a) b) R 1 7 7 0 -1 4194304 94 0 0 0 0 0 0 0 20 0 1 0 99 3018752 236 18446744073709551615 4198400 4215653 "
      "140736 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 4225000 4229000 709771264 140736 140737 140737 140738 0\n");
  EXPECT_EQ(memory.end_of_image, 4229000 + largest_uninitialised);
  EXPECT_EQ(memory.start_of_heap, 709771264U);
}

// Would catch: all that is below the heap's end taken for a number where nothing is known.
TEST(FixedAddresses, MayBeAnythingWhereTheKernelTellsNothing) {
  EXPECT_EQ(memory_in("").start_of_heap, 0U);
  EXPECT_EQ(memory_in("7 (a) R 1 7").start_of_heap, 0U);
}

TEST(FixedAddresses, AreReadOfThisProcess) {
  errno = EDOM;
  const FixedMemory memory = read_fixed_memory();
  EXPECT_EQ(errno, EDOM);
  EXPECT_GT(memory.start_of_heap, 0U);
  EXPECT_LE(memory.start_of_heap, reinterpret_cast<std::uint64_t>(::sbrk(0)));
}

} // namespace
