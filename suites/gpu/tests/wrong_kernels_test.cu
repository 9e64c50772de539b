// Faults that test_kernel has to find, by name.

#include <gtest/gtest.h>

#include <assay/gpu.hpp>

#include <vector>

namespace missing_barrier {
#include "../wrong/missing_barrier.cu"
}
namespace read_beyond {
#include "../wrong/read_beyond.cu"
}
namespace wrong_rule {
#include "../wrong/wrong_rule.cu"
}

using namespace assay;
using testutils::Verdict;

/// The first record that is no pass.
static testutils::Record first_failure(const testutils::Report &report) {
  for (const testutils::Record &record : report.records)
    if (testutils::outcome_of(record.verdict) == testutils::Outcome::failed)
      return record;
  return {};
}

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(WrongKernels, MissingBarrier) {
  const testutils::Report report =
      check_kernel_reverse(missing_barrier::block_sum, launch(2, 64), arg<Duplicated>(std::vector<double>(128, 0.5)),
                           arg<Duplicated>(std::vector<double>(2)));
  const testutils::Record record = first_failure(report);
  EXPECT_EQ(record.verdict, Verdict::nondeterministic);
  EXPECT_TRUE(contains(record.detail, "missing_barrier.cu:")) << record.detail;
  EXPECT_EQ(report.signature.function, "missing_barrier::block_sum<<<2,64>>>");
  EXPECT_EQ(record.backend, "emulated device");
}

TEST(WrongKernels, ReadBeyondABuffer) {
  const testutils::Report report =
      check_kernel_forward({.names = {"in", "out", "n"}}, read_beyond::stencil, launch(1, 64),
                           arg<Duplicated>(std::vector<double>(64, 1)), arg<Duplicated>(std::vector<double>(64)), 64);
  const testutils::Record record = first_failure(report);
  EXPECT_TRUE(contains(record.detail, "read_beyond.cu:") && contains(record.detail, "in")) << record.detail;
}

TEST(WrongKernels, WrongRule) {
  std::vector<double> in{0.5, -0.5, 1.5, -1.25};
  in.resize(16, -0.75);
  const testutils::Report report =
      check_kernel_forward_all({.names = {"in", "out"}}, wrong_rule::apply, launch(1, 16), in, std::vector<double>(16));
  EXPECT_GT(report.failed, 0U);
  const testutils::Record record = first_failure(report);
  EXPECT_EQ(record.verdict, Verdict::wrong_derivative);
  ASSERT_FALSE(record.worst.empty());
  EXPECT_TRUE(record.worst.front().path.starts_with("out[")) << record.worst.front().path;
  EXPECT_TRUE(contains(record.replay, "ASSAY_SEED=1 ")) << record.replay;
}

namespace {
void no_kernel(const double *, double *) {}
__global__ void identity(const double *in, double *out) {
  out[threadIdx.x] = in[threadIdx.x];
}
} // namespace

TEST(Refused, WhatIsNoKernel) {
  try {
    test_kernel_forward_all(no_kernel, launch(1, 1), std::vector<double>(1), std::vector<double>(1));
    FAIL() << "nothing was said";
  } catch (const testutils::SubjectError &error) {
    EXPECT_TRUE(contains(error.what(), "`__global__`")) << error.what();
  }
}

TEST(Refused, MoreThreadsThanABlockHas) {
  const testutils::Report report =
      check_kernel_forward(identity, launch(1, 2048), arg<Duplicated>(std::vector<double>(2048)),
                           arg<Duplicated>(std::vector<double>(2048)));
  EXPECT_TRUE(contains(first_failure(report).detail, "at most 1024 threads")) << first_failure(report).detail;
}
