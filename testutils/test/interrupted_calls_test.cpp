// Would catch: two calls that are never under way at once, and an end that does not come.

#include "testutils/interrupted_calls.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <mutex>

namespace {

using assay::testutils::call_interrupted;

/// Some microseconds of work.
void work() {
  for (volatile int step = 0; step < 2000; step = step + 1) {
  }
}

TEST(InterruptedCalls, AreUnderWayAtOnce) {
  std::atomic<bool> is_inside = false, was_inside = false;
  call_interrupted(
      [&] {
        is_inside = true;
        work();
        is_inside = false;
        return false;
      },
      [&] {
        was_inside = was_inside || is_inside;
        return was_inside.load();
      });
  EXPECT_TRUE(was_inside);
}

TEST(InterruptedCalls, EndWhereNothingIsSeen) {
  unsigned calls = 0;
  call_interrupted(
      [&] {
        work();
        ++calls;
        return false;
      },
      [] { return false; });
  EXPECT_GT(calls, 2U);
}

TEST(InterruptedCalls, EndWhereBothNeedOneLock) {
  std::mutex mutex;
  const auto locked = [&] {
    const std::lock_guard lock(mutex);
    work();
    return false;
  };
  call_interrupted(locked, locked);
}

} // namespace
