// Would catch: derivatives that leave memory behind or free it twice and still pass, and false alarms where the
// function itself keeps memory or a cache only fills.

#include "testutils/heap_growth.hpp"
#include "testutils/test/subjects.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

void lose(std::size_t bytes) {
  void *volatile block = std::malloc(bytes);
  static_cast<void>(block);
}

HandSubject losing_product(std::size_t bytes) {
  return product().with_fault([bytes](const DerivativeRequest &, DerivativeOutcome &) { lose(bytes); });
}

HeapUse use_of(std::size_t blocks, std::vector<std::string> faults = {}) {
  return {blocks, 24 * blocks, std::move(faults)};
}

TEST(Release, ADerivativeThatLosesMemoryFailsInBothModes) {
  for (const Mode mode : {Mode::forward, Mode::reverse})
    for (const std::size_t bytes : {1U, 40U, 5000U, 1U << 20U}) {
      HandSubject subject = losing_product(bytes);
      CheckOptions options;
      options.modes = {mode};
      const Report report = check_gradients(subject, options);
      EXPECT_EQ(report.failed, report.checked) << bytes;
      const Record &record = report.records.front();
      EXPECT_EQ(record.verdict, Verdict::wrong_release);
      EXPECT_EQ(record.check, "all memory is freed");
      EXPECT_NE(record.detail.find("bytes on the heap, while the function leaves none"), std::string::npos)
          << record.detail;
    }
}

TEST(Release, WhatTheFunctionKeepsItselfIsNoFault) {
  const HandSubject plain = product();
  HandSubject subject{{"keeping", {scalar("x"), scalar("y")}, scalar("result")},
                      [](Arguments &x) {
                        lose(64);
                        return Values{x[0][0] * x[1][0]};
                      },
                      [](const Arguments &x, Arguments &t) { return Values{t[0][0] * x[1][0] + x[0][0] * t[1][0]}; },
                      [](const Arguments &x, const Values &seed, Arguments &s) {
                        s[0][0] += seed[0] * x[1][0];
                        s[1][0] += seed[0] * x[0][0];
                      }};
  EXPECT_TRUE(check_gradients(subject).ok());
}

/// A subject that sees the heap.
TEST(Release, ABlockThatIsFreedTwiceIsNamed) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &, DerivativeOutcome &outcome) {
    outcome.heap = use_of(0, {"a block of 24 bytes is freed twice"});
  });
  const Report report = check_gradients(subject);
  EXPECT_EQ(report.failed, report.checked);
  EXPECT_EQ(report.records.front().verdict, Verdict::wrong_release);
  EXPECT_NE(report.records.front().detail.find("a block of 24 bytes is freed twice"), std::string::npos);
}

TEST(Release, ALibraryMayFreeWhatTheSubjectSawAllocated) {
  HandSubject subject =
      product().with_fault([](const DerivativeRequest &, DerivativeOutcome &outcome) { outcome.heap = use_of(2); });
  EXPECT_TRUE(check_gradients(subject).ok());
}

TEST(HeapGrowth, IsWhatEachCallLeaves) {
  EXPECT_GE(heap_growth([] { lose(100); }), 100U);
  EXPECT_EQ(heap_growth([] {
              void *volatile block = std::malloc(100);
              std::free(block);
            }),
            0U);
}

TEST(HeapGrowth, IsSeenThoughFreedBlocksOfTheSizeAreKept) {
  for (const std::size_t size : {24, 100, 600, 5000}) {
    std::vector<void *> freed(40);
    for (void *&block : freed)
      block = std::malloc(size);
    for (void *block : freed)
      std::free(block);
    EXPECT_GE(heap_growth([size] { lose(size); }), size);
  }
}

TEST(HeapGrowth, TakesFourCallsWhereNothingIsLeft) {
  unsigned calls = 0;
  EXPECT_EQ(heap_growth([&] {
              ++calls;
              const std::vector<double> numbers(7), others(700);
              void *volatile block = std::malloc(48);
              std::free(block);
            }),
            0U);
  EXPECT_EQ(calls, 4U);
}

TEST(HeapGrowth, IsNothingWhereACacheFills) {
  std::vector<void *> cache;
  EXPECT_EQ(heap_growth([&] {
              if (cache.size() < 10)
                cache.push_back(std::malloc(100));
            }),
            0U);
  for (void *block : cache)
    std::free(block);
}

} // namespace
} // namespace assay::testutils
