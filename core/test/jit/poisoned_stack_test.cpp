// Would catch: variables of a derivative that are read before they are written, and happen to hold zero.

#include "core/jit/poisoned_stack.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace {

[[gnu::noinline]] double unwritten() {
  volatile double numbers[64];
  asm volatile("" : : "r"(numbers) : "memory");
  return numbers[7];
}

TEST(PoisonedStack, IsNotANumber) {
  assay::jit::poison_stack();
  EXPECT_TRUE(std::isnan(unwritten()));
}

} // namespace
