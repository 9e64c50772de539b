// Derivatives in other forms: batches, split reverse mode, run-time activity; and how many of all combinations are
// checked.

#include <assay/testing.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace {

using namespace assay;
using testutils::Combination;
using testutils::Form;
using testutils::RuntimeActivity;

double weighted(double weight, const std::vector<double> &x) {
  double sum = 0;
  for (const double element : x)
    sum += weight * element * element;
  return sum;
}

void square_all(std::vector<float> &x, int count) {
  for (int i = 0; i < count; ++i)
    x[i] *= x[i];
}

struct Polar {
  double length, angle;
};

Polar polar(double x, double y) {
  return {std::sqrt(x * x + y * y), std::atan2(y, x)};
}

std::array<double, 2> rotated(const std::array<double, 2> &point, double angle) {
  return {point[0] * std::cos(angle) - point[1] * std::sin(angle),
          point[0] * std::sin(angle) + point[1] * std::cos(angle)};
}

TestForm form_of(const Combination &combination) {
  return {combination.width, combination.form == Form::split, combination.runtime_activity == RuntimeActivity::on};
}

std::size_t count_in(const testutils::Report &report, const TestForm &form) {
  return std::count_if(report.records.begin(), report.records.end(),
                       [&](const testutils::Record &record) { return form_of(record.combination) == form; });
}

const std::vector<double> some_x{0.5, -1.25, 2};

TEST(Variations, EveryFormOfAScalarAndOfMemoryThatIsRead) {
  const testutils::Report forward = check_forward_all(TestOptions{.variations = on}, weighted, 0.75, some_x);
  const testutils::Report reverse = check_reverse_all(TestOptions{.variations = on}, weighted, 0.75, some_x);
  EXPECT_EQ(forward.passed, forward.checked);
  EXPECT_EQ(reverse.passed, reverse.checked);
  for (const unsigned width : {1U, 2U, 3U, 4U, 8U})
    for (const bool split : {false, true})
      for (const bool runtime_activity : {false, true}) {
        EXPECT_GE(count_in(reverse, {width, split, runtime_activity}), 1U) << width << split << runtime_activity;
        EXPECT_EQ(count_in(forward, {width, split, runtime_activity}) > 0, !split) << width << runtime_activity;
      }
}

TEST(Variations, MemoryThatIsChangedAndAnIntegerThatMustBeKept) {
  const std::vector<float> x{0.5F, -1.25F, 2};
  test_forward_all(TestOptions{.variations = on}, square_all, x, 3);
  test_reverse_all(TestOptions{.variations = on}, square_all, x, 3);
}

TEST(Variations, ResultsOfClassType) {
  test_forward_all(TestOptions{.variations = on}, polar, 0.5, 1.5);
  test_reverse_all(TestOptions{.variations = on}, polar, 0.5, 1.5);
  test_reverse_all(rotated, std::array{0.5, -2.0}, 0.3);
  test_forward_all(rotated, std::array{0.5, -2.0}, 0.3);
}

TEST(Variations, WithoutAnyThereIsThePlainFormAlone) {
  const testutils::Report report = check_reverse_all(TestOptions{.variations = off}, weighted, 0.75, some_x);
  EXPECT_EQ(count_in(report, {}), report.checked);
  EXPECT_EQ(report.checked, 3U);
}

TEST(Variations, ATestThatSaysNothingHasBatchesSplitFormAndRunTimeActivity) {
  const testutils::Report report = check_reverse_all(weighted, 0.75, some_x);
  EXPECT_EQ(report.passed, 7U);
  EXPECT_EQ(count_in(report, {.split = true}), 1U);
  EXPECT_EQ(count_in(report, {.width = 3}), 1U);
  EXPECT_EQ(count_in(report, {.width = 4, .split = true, .runtime_activity = true}), 1U);
  EXPECT_EQ(count_in(report, {.width = 8, .runtime_activity = true}), 1U);
}

TEST(Variations, OneCombinationInFormsThatAreNamed) {
  constexpr auto forms = each_in_forms<TestForm{.width = 5}, TestForm{.width = 2, .split = true}>;
  const testutils::Report report =
      check_reverse<Active>(TestOptions{.variations = forms}, weighted, arg<Active>(0.75), arg<Duplicated>(some_x));
  EXPECT_EQ(report.passed, 3U);
  EXPECT_EQ(count_in(report, {.width = 5}), 1U);
  EXPECT_EQ(count_in(report, {.width = 2, .split = true}), 1U);
}

TEST(Variations, RunTimeActivityOfAllCombinationsIsReported) {
  const testutils::Report report =
      check_forward_all(TestOptions{.runtime_activity = on, .variations = off}, weighted, 0.75, some_x);
  EXPECT_EQ(report.passed, report.checked);
  EXPECT_EQ(count_in(report, {.runtime_activity = true}), report.checked);
}

ASSAY_GRADIENT_TEST_WITH(Weighted, (TestOptions{.variations = on, .budget = 12}), weighted, gen::real(-2, 2),
                         gen::vector(gen::real(-2, 2), 1, 4))

// ---- Budget ----

double slow(double x, double y) {
  double sum = 0;
  for (int i = 0; i < 1000000; ++i)
    sum += std::sin(x + 1e-7 * i) * y;
  return sum;
}

TEST(Time, OfASlowFunctionIsLimited) {
  const auto report = check_reverse_all({.seconds = 0.5}, slow, 0.5, 1.5);
  EXPECT_TRUE(report.ok());
  ASSERT_EQ(report.left_out.size(), 1U);
  EXPECT_NE(report.left_out.front().find("only the derivative at each, no wide arithmetic: a call takes about "),
            std::string::npos)
      << report.left_out.front();
}

std::vector<Combination> drawn(std::size_t budget, std::uint64_t seed, std::vector<std::string> &left_out) {
  const testutils::Report report =
      check_reverse_all(TestOptions{.seed = seed, .variations = on, .budget = budget}, weighted, 0.75, some_x);
  left_out = report.left_out;
  std::vector<Combination> combinations;
  for (const testutils::Record &record : report.records)
    combinations.push_back(record.combination);
  return combinations;
}

TEST(Budget, DrawsTheSameCombinationsForTheSameSeedAndSaysSo) {
  std::vector<std::string> left_out;
  const std::vector<Combination> five = drawn(5, 3, left_out);
  EXPECT_EQ(five.size(), 5U);
  EXPECT_EQ(left_out, (std::vector<std::string>{"17 of 22 combinations: the budget is 5"}));
  EXPECT_EQ(five, drawn(5, 3, left_out));
  EXPECT_NE(five, drawn(5, 4, left_out));
}

TEST(Budget, IsToldByTheRunningTest) {
  testing::internal::CaptureStdout();
  test_reverse_all({.budget = 2}, weighted, 0.75, some_x);
  const std::string output = testing::internal::GetCapturedStdout();
  EXPECT_NE(output.find("5 of 7 combinations: the budget is 2"), std::string::npos) << output;
}

// ---- What only the split form shows ----

// Its rule reads in the reverse sweep what the caller may have overwritten by then.
__attribute__((noinline)) double square_at(const double *x) {
  return *x * *x;
}
struct Augmented {
  void *tape;
  double primal;
};
Augmented augmented_square_at(const double *x, double *) {
  return {nullptr, *x * *x};
}
void forgetful_reverse(const double *x, double *dx, double seed, void *) {
  *dx += 2 * *x * seed;
}
double uses_square_at(const std::vector<double> &x) {
  return square_at(x.data());
}

TEST(Split, AValueThatWasNotKeptIsFound) {
  const testutils::Report plain = check_reverse_all(TestOptions{.variations = off}, uses_square_at, some_x);
  EXPECT_TRUE(plain.ok());
  const testutils::Report report = check_reverse_all(uses_square_at, some_x);
  EXPECT_GRADIENT_FAILURE(report, wrong_derivative);
  for (const testutils::Record &record : report.records)
    EXPECT_EQ(testutils::outcome_of(record.verdict) == testutils::Outcome::failed,
              record.combination.form == Form::split)
        << testutils::describe(report.signature, record.combination);
}

// Its rule uses the argument as a work space.
__attribute__((noinline)) double cube_at(double *x) {
  return *x * *x * *x;
}
struct AugmentedCube {
  double tape;
  double primal;
};
AugmentedCube augmented_cube_at(double *x, double *) {
  return {*x, *x * *x * *x};
}
void untidy_reverse(double *x, double *dx, double seed, double tape) {
  *dx += 3 * tape * tape * seed;
  *x = tape;
}
double uses_cube_at(std::vector<double> &x) {
  return cube_at(x.data());
}

TEST(Split, AWriteToMemoryThatTheCallerHasBackIsFound) {
  EXPECT_TRUE(check_reverse_all(TestOptions{.variations = off}, uses_cube_at, some_x).ok());
  EXPECT_GRADIENT_FAILURE(check_reverse_all(uses_cube_at, some_x), wrong_mutation);
}

} // namespace

void *__enzyme_register_gradient_square_at[] = {(void *)square_at, (void *)augmented_square_at,
                                                (void *)forgetful_reverse};
void *__enzyme_register_gradient_cube_at[] = {(void *)cube_at, (void *)augmented_cube_at, (void *)untidy_reverse};
