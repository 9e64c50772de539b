// Would catch: movements that outlive what they belong to, or that are found at the wrong place.

#include "core/widen/shadow_memory.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assay::widen;

std::uintptr_t at(const void *address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

TEST(ShadowMemory, KnowsWhatWasStored) {
  ShadowMemory memory;
  alignas(16) double x[2] = {1, 2};
  memory.store(at(&x[0]), 8, 0.5);
  EXPECT_EQ(memory.load(at(&x[0]), 8).found, Found::number);
  EXPECT_EQ(static_cast<double>(memory.load(at(&x[0]), 8).delta), 0.5);
  EXPECT_EQ(memory.load(at(&x[1]), 8).found, Found::nothing);
}

// Would catch: an entry of one half in the place of its neighbour's.
TEST(ShadowMemory, KnowsEachOfManyHalves) {
  ShadowMemory memory;
  alignas(16) std::uint16_t x[4] = {1, 2, 3, 4};
  for (int index = 0; index < 4; ++index)
    memory.store(at(&x[index]), 2, index + 0.5);
  for (int index = 0; index < 4; ++index)
    EXPECT_EQ(static_cast<double>(memory.load(at(&x[index]), 2).delta), index + 0.5);
  std::vector<Movement> movements;
  EXPECT_EQ(memory.collect(at(x), sizeof x, movements), Found::number);
  EXPECT_EQ(movements.size(), 4U);
}

TEST(ShadowMemory, NoticesWhenMemoryChanges) {
  ShadowMemory memory;
  double x = 1;
  memory.store(at(&x), 8, 0.5);
  x = 2;
  EXPECT_EQ(memory.load(at(&x), 8).found, Found::changed);
}

TEST(ShadowMemory, TellsPartsFromWholes) {
  ShadowMemory memory;
  double x[2] = {1, 2};
  memory.store(at(&x[0]), 8, 0.5);
  EXPECT_EQ(memory.load(at(&x[0]), 4).found, Found::part);
  EXPECT_EQ(memory.load(at(&x[0]) + 4, 4).found, Found::part);
  EXPECT_EQ(memory.load(at(&x[0]) + 4, 8).found, Found::part);
  memory.clear(at(&x[0]) + 7, 1);
  EXPECT_EQ(memory.load(at(&x[0]), 8).found, Found::nothing);
}

TEST(ShadowMemory, CopiesOverlappingMemoryAndAcrossPages) {
  ShadowMemory memory;
  std::vector<double> x(3000);
  for (std::size_t index = 0; index < x.size(); ++index) {
    x[index] = static_cast<double>(index) + 1;
    memory.store(at(&x[index]), 8, x[index]);
  }
  memory.copy(at(&x[1]), at(&x[0]), 2000 * sizeof(double));
  std::copy_backward(x.begin(), x.begin() + 2000, x.begin() + 2001);
  for (std::size_t index = 0; index < x.size(); ++index)
    ASSERT_EQ(static_cast<double>(memory.load(at(&x[index]), 8).delta), x[index]) << index;
}

/// Page by page that would take minutes.
TEST(ShadowMemory, ForgetsRangesOfManyTerabytesAtOnce) {
  ShadowMemory memory;
  double x[2] = {1, 2};
  memory.store(at(&x[0]), 8, 1);
  memory.store(at(&x[1]), 8, 1);
  memory.clear(at(&x[1]), std::size_t(1) << 46);
  EXPECT_EQ(memory.load(at(&x[0]), 8).found, Found::number);
  EXPECT_EQ(memory.load(at(&x[1]), 8).found, Found::nothing);
  memory.clear(at(&x[0]) - (std::size_t(1) << 45), std::size_t(1) << 46);
  EXPECT_EQ(memory.load(at(&x[0]), 8).found, Found::nothing);
}

TEST(ShadowMemory, TakesUnalignedNumbers) {
  ShadowMemory memory;
  alignas(16) unsigned char bytes[32] = {};
  memory.store(at(bytes) + 3, 8, 1);
  EXPECT_EQ(memory.load(at(bytes) + 3, 8).found, Found::number);
  memory.copy(at(bytes) + 17, at(bytes) + 3, 8);
  EXPECT_EQ(memory.load(at(bytes) + 17, 8).found, Found::number);
}

} // namespace
