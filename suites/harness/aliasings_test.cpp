// Would catch: arguments that share memory in a test and are copied apart, ways that are left out, and rules that are
// wrong for one of them.

#include "harness/failures.hpp"

#include <assay/testing/aliasings.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace assay;
using Vector = std::vector<double>;

// Function objects: a derivative of a pointer would consider all functions of its type.
const auto sines = [](const Vector &x, Vector &y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = 2 * std::sin(x[i]);
};
const auto product = [](const Vector &x, const Vector &y, Vector &z, double weight) {
  for (std::size_t i = 0; i < x.size(); ++i)
    z[i] += weight * x[i] * y[i];
};
const auto exchange = [](double &a, double &b) {
  const double old = a;
  a = 2 * b;
  b = 3 * old * a;
};

TEST(Aliasings, VectorsAreRightInEveryWay) {
  test_forward_all_aliasings(assay::suites::plainly, sines, Vector{0.3, -0.8}, Vector{1.5, 0.25});
  test_reverse_all_aliasings(assay::suites::plainly, sines, Vector{0.3, -0.8}, Vector{1.5, 0.25});
}

TEST(Aliasings, NumbersByReferenceAreRightInEveryWay) {
  const auto reports = check_reverse_all_aliasings(assay::suites::plainly, exchange, 0.5, 1.25);
  ASSERT_EQ(reports.size(), 2U);
  for (const testutils::Report &report : reports)
    EXPECT_TRUE(report.ok() && report.passed > 0) << report.signature.function;
}

TEST(Aliasings, EveryWayIsAReportThatNamesIt) {
  const auto reports =
      check_reverse_all_aliasings(TestOptions{.name = "product", .names = {"x", "y", "z", "w"}, .variations = off},
                                  product, Vector{0.3, -0.8}, Vector{1.5, 0.25}, Vector{0.7, 1.1}, 1.5);
  ASSERT_EQ(reports.size(), 5U);
  for (const char *way :
       {"product", "product with y = x", "product with x = z", "product with y = z", "product with x = z, y = z"}) {
    const auto is_it = [&](const testutils::Report &report) { return report.signature.function == way; };
    EXPECT_EQ(std::count_if(reports.begin(), reports.end(), is_it), 1) << way;
  }
  for (const testutils::Report &report : reports)
    EXPECT_TRUE(report.ok() && report.passed > 0) << report.signature.function;
  EXPECT_EQ(reports.back().signature.parameters.size(), 2U);
  EXPECT_EQ(reports.back().signature.parameters[0].name, "z");
}

TEST(Aliasings, MemoryOfOtherLengthIsNotShared) {
  const auto reports = check_forward_all_aliasings(assay::suites::plainly, sines, Vector{1, 2}, Vector{1, 2, 3});
  ASSERT_EQ(reports.size(), 1U);
  ASSERT_EQ(reports[0].left_out.size(), 1U);
  EXPECT_EQ(reports[0].left_out[0], "x1 = x2: they differ in length");
}

// ---- A rule that is right for separate memory ----

__attribute__((noinline)) void cubes(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * x[i];
}
double *cubes_augmented(const double *x, const double * /*dx*/, double *y, const double * /*dy*/, int n) {
  auto *slopes = new double[static_cast<std::size_t>(n)];
  for (int i = 0; i < n; ++i) {
    slopes[i] = 3 * x[i] * x[i];
    y[i] = x[i] * x[i] * x[i];
  }
  return slopes;
}
void cubes_reverse(const double * /*x*/, double *dx, double * /*y*/, double *dy, int n, double *slopes) {
  for (int i = 0; i < n; ++i) {
    dx[i] += slopes[i] * dy[i];
    dy[i] = 0;
  }
  delete[] slopes;
}

const auto cubes_of = [](std::span<const double> x, std::span<double> y) {
  cubes(x.data(), y.data(), static_cast<int>(x.size()));
};

TEST(Aliasings, ARuleThatIsWrongInPlaceFailsThereAlone) {
  Vector a{0.3, -0.8}, b{1.5, 0.25};
  const auto reports = check_reverse_all_aliasings(
      TestOptions{.name = "cubes", .names = {"x", "y"}, .runtime_activity = on, .variations = off}, cubes_of,
      std::span<const double>(a), std::span<double>(b));
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_TRUE(reports[0].ok()) << assay::suites::messages_of(reports[0]);
  EXPECT_GT(reports[1].failed, 0U);
  EXPECT_EQ(reports[1].signature.function, "cubes with x = y");
}

} // namespace

void *__enzyme_register_gradient_cubes[] = {(void *)cubes, (void *)cubes_augmented, (void *)cubes_reverse};
