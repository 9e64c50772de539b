// Wrong derivatives that a user could write are caught, with a message that leads to them.

#include "harness/failures.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <gtest/gtest-spi.h>

namespace {

using namespace assay;
using assay::suites::messages_of;

// Its rule forgets the factor 2 in both modes.
__attribute__((noinline)) double square(double x) {
  return x * x;
}
double wrong_forward_square(double x, double dx) {
  return x * dx;
}
struct Augmented {
  void *tape;
  double primal;
};
Augmented augmented_square(double x) {
  return {nullptr, x * x};
}
double wrong_reverse_square(double x, double seed, void *tape) {
  return x * seed;
}

// Its rule forgets the last element.
__attribute__((noinline)) double total(const double *x, int count) {
  double sum = 0;
  for (int index = 0; index < count; ++index)
    sum += x[index];
  return sum;
}
Augmented augmented_total(const double *x, double *dx, int count) {
  return {nullptr, total(x, count)};
}
void wrong_reverse_total(const double *x, double *dx, int count, double seed, void *tape) {
  for (int index = 0; index + 1 < count; ++index)
    dx[index] += seed;
}

double uses_square(double x, double y) {
  return square(x) + y;
}
double total_of(const std::vector<double> &x) {
  return total(x.data(), static_cast<int>(x.size()));
}

TEST(WrongRule, IsCaughtInReverseWhereItsArgumentIsActiveAndOnlyThere) {
  const testutils::Report report =
      check_reverse_all({.name = "uses_square", .names = {"x", "y"}}, uses_square, 1.5, 2.0);
  EXPECT_GRADIENT_FAILURE(report, wrong_derivative);
  for (const testutils::Record &record : report.records) {
    const bool square_is_active = record.combination.arguments[0] != testutils::Activity::constant;
    EXPECT_EQ(testutils::outcome_of(record.verdict) == testutils::Outcome::failed, square_is_active)
        << testutils::describe(report.signature, record.combination);
  }
}

TEST(WrongRule, IsCaughtInForwardMode) {
  EXPECT_GRADIENT_FAILURE(check_forward_all({.name = "uses_square"}, uses_square, 1.5, 2.0), wrong_derivative);
}

TEST(WrongRule, MessageNamesElementValuesHintAndReplayCommand) {
  const testutils::Report report =
      check_reverse_all({.name = "total", .names = {"x"}}, total_of, std::vector<double>{1.5, 2, -3});
  const std::string message = messages_of(report);
  for (const char *part :
       {"wrong derivative", "total(Duplicated x: double[3]) -> Active double", "x[2]", "nothing was added",
        "last element of x", "ASSAY_SEED=", "--gtest_filter=WrongRule.MessageNamesElementValuesHintAndReplayCommand"})
    EXPECT_NE(message.find(part), std::string::npos) << "missing: " << part << "\n" << message;
}

TEST(WrongRule, FailsTheRunningTest) {
  EXPECT_NONFATAL_FAILURE(test_reverse<Active>(uses_square, arg<Active>(1.5), 2.0), "wrong derivative");
}

TEST(WrongRule, IsCaughtByAPropertyAndShrunk) {
  const testutils::Report report = detail::check_provided<detail::ThisFile>(
      TestOptions<>{}, "uses_square", [] { return uses_square; }, gen::real(-2, 2), gen::real(-2, 2));
  EXPECT_GRADIENT_FAILURE(report, wrong_derivative);
  ASSERT_FALSE(report.records.empty());
  EXPECT_EQ(report.records.front().inputs, (testutils::Arguments{{1}, {0}})) << messages_of(report);
}

// Fails on purpose when it is told to: what a replay command repeats.
TEST(Replay, FailsWhenAsked) {
  if (std::getenv("ASSAY_TEST_OF_REPLAY") == nullptr)
    return; // Run by Replay.CommandGivesTheSameMessage.
  test_reverse<Active>(uses_square, arg<Active>(1.5), 2.0);
}

std::string output_of(const std::string &command) {
  const std::unique_ptr<FILE, int (*)(FILE *)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 4096> buffer{};
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr)
    output += buffer.data();
  return output;
}

std::string replay_line(const std::string &output) {
  const std::size_t start = output.find("ASSAY_SEED=");
  return start == std::string::npos ? "" : output.substr(start, output.find('\n', start) - start);
}

TEST(Replay, CommandGivesTheSameMessage) {
  const std::string program = testing::internal::GetArgvs().front();
  const std::string first =
      output_of("ASSAY_TEST_OF_REPLAY=1 ASSAY_SEED=77 '" + program + "' --gtest_filter=Replay.FailsWhenAsked 2>&1");
  const std::string command = replay_line(first);
  ASSERT_NE(command.find("ASSAY_SEED=77"), std::string::npos) << first;
  const std::string second = output_of("ASSAY_TEST_OF_REPLAY=1 " + command + " 2>&1");
  const auto failure_in = [](const std::string &output) {
    const std::size_t start = output.find("wrong derivative");
    return output.substr(start, output.find("ASSAY_SEED=") - start);
  };
  EXPECT_EQ(failure_in(first), failure_in(second));
}

} // namespace

void *__enzyme_register_derivative_square[] = {(void *)square, (void *)wrong_forward_square};
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented_square, (void *)wrong_reverse_square};
void *__enzyme_register_gradient_total[] = {(void *)total, (void *)augmented_total, (void *)wrong_reverse_total};
