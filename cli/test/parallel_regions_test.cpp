// Would catch: a program with parallel regions that cannot be checked, a wrong rule inside of one that passes, and
// messages that name what the compiler made of a region.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;
using testing::HasSubstr, testing::Not;

constexpr const char *program = R"(#include <math.h>
int omp_get_thread_num(void);
int omp_get_max_threads(void);
double total(const double *x, int n) {
  double s = 0, parts[64] = {0};
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 2)
  for (int i = 0; i < n; i++)
    s += sin(x[i]) * x[(i + 1) % n];
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      parts[omp_get_thread_num()] += x[i] > 0 ? x[i] * x[i] : x[i];
  }
  for (int i = 0; i < omp_get_max_threads(); i++)
    s += parts[i];
  return s;
}
double square(double x) { return x * x; }
static double augmented(double x) { return x * x; }
static double wrong(double x, double d) { return 3 * x * d; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented, (void *)wrong};
double squares(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += square(x[i]);
  return s;
}
)";

struct ParallelRegions : testing::Test {
  ParallelRegions() { place.write("f.c", program); }
  Outcome check(const std::string &request) const {
    return place.assay("check f.c --plain --arg 'double[6]' --arg int=6 --function " + request + " -- -fopenmp");
  }
  Workplace place;
};

TEST_F(ParallelRegions, AreCheckedWithoutTheirRuntime) {
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = check("total --opt-level " + level);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_THAT(outcome.last_line(), HasSubstr("3 passed, 0 failed, 0 undecided"));
    EXPECT_THAT(outcome.output, Not(HasSubstr("omp_outlined")));
    EXPECT_THAT(outcome.output, Not(HasSubstr("no input found"))); // Of the comparisons in the source, all sides were.
  }
}

TEST_F(ParallelRegions, DoNotHideAWrongRule) {
  const Outcome outcome = check("squares --mode reverse");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output,
              HasSubstr("square: augmented and wrong, registered by __enzyme_register_gradient_square"));
  EXPECT_THAT(outcome.output, HasSubstr("in squares"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("omp_outlined")));
}

/// std::async passes the function that joins its thread on by its address.
TEST(Futures, AreChecked) {
  const Workplace place;
  place.write("f.cpp", R"(#include <cmath>
#include <future>
static double part(const double *x, int begin, int end) {
  double s = 0;
  for (int i = begin; i < end; ++i)
    s += std::sin(x[i]) * x[i];
  return s;
}
double parts(const double *x, int n) {
  auto first = std::async(std::launch::async, part, x, 0, n / 2);
  const double second = part(x, n / 2, n);
  return first.get() * second;
}
)");
  const Outcome outcome =
      place.assay("check f.cpp --plain --arg 'double[6]' --arg int=6 --function parts --mode reverse --seconds 5");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.last_line(), HasSubstr("0 failed, 0 undecided"));
}

TEST(WaitingThreads, AreChecked) {
  const Workplace place;
  place.write("f.cpp", R"(#include <cmath>
#include <latch>
#include <thread>
double parts(const double *x, int n) {
  double sums[2] = {0, 0};
  std::latch done(2);
  const auto run = [&](int k) {
    for (int i = k; i < n; i += 2)
      sums[k] += std::sin(x[i]) * x[i];
    done.count_down();
  };
  std::jthread first(run, 0), second(run, 1);
  done.wait();
  return sums[0] * sums[1];
}
)");
  const Outcome outcome =
      place.assay("check f.cpp --plain --arg 'double[6]' --arg int=6 --function parts --mode reverse --seconds 5");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.last_line(), HasSubstr("0 failed, 0 undecided"));
}

/// Would catch: loops of the C++ library that wait, listed as comparisons of the user's, and locks that wide arithmetic
/// does not know.
TEST(WaitingThreads, LeaveNothingToBeSeenInTheLibrary) {
  const Workplace place;
  place.write("f.cpp", "#include <future>\n#include <mutex>\n"
                       "double square(double x) {\n"
                       "  std::mutex mutex;\n"
                       "  std::lock_guard lock(mutex);\n"
                       "  auto product = std::async(std::launch::async, [&] { return x * x; });\n"
                       "  return product.get();\n"
                       "}\n");
  const Outcome outcome = place.assay("check f.cpp --plain --function square");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("by wide arithmetic"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("std::")));
}

} // namespace
