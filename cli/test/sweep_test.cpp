// A small sweep with each oracle, and what surrounds it.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>
#include <vector>

namespace {

using assay::cli::test::campaign_size;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

/// The numbers of one row of the table: functions, passed, failed, undecided, ...
std::vector<unsigned> row(const Outcome &outcome, const std::string &terrain, const std::string &precision) {
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, second;
    if (!(words >> first >> second) || first != terrain || second != precision)
      continue;
    return {std::istream_iterator<unsigned>(words), {}};
  }
  return std::vector<unsigned>(6);
}

/// Would catch: a tolerance, or an error estimate, that calls right derivatives wrong.
TEST(Sweep, RightDerivativesOfSmoothFunctionsPass) {
  const unsigned functions = campaign_size(30, 100);
  const Outcome outcome =
      Workplace().assay(fmt::format("sweep --functions {} --planted 0 --seed 5 --budget 4", functions));
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  for (const char *precision : {"double", "float"}) {
    const auto numbers = row(outcome, "smooth", precision);
    EXPECT_EQ(numbers[0], functions) << outcome.output;
    EXPECT_GE(50 * numbers[1], 49 * functions) << "too many are undecided: " << outcome.output;
  }
}

/// Would catch: finite differences that are believed across a kink, a jump or a pole.
TEST(Sweep, WhatIsNotSmoothAtThePointIsUndecidedAndWhatIsCloseToItDoesNotFail) {
  const unsigned planted = campaign_size(3, 8);
  const Outcome outcome =
      Workplace().assay(fmt::format("sweep --functions 0 --planted {} --seed 5 --budget 12", planted));
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  for (const char *terrain : {"kink", "jump", "pole"})
    for (const char *precision : {"double", "float"})
      EXPECT_EQ(row(outcome, terrain, precision)[3], planted) << outcome.output;
}

TEST(Sweep, WideArithmeticRaisesNoFalseAlarmEither) {
  const Outcome outcome =
      Workplace().assay(fmt::format("sweep --functions {} --planted {} --seed 5 --budget 6 --oracle auto",
                                    campaign_size(4, 10), campaign_size(2, 4)));
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

TEST(Sweep, OneFunctionCanBeCheckedAgain) {
  const Outcome outcome = Workplace().assay("sweep --seed 5 --only kink/double/3");
  EXPECT_EQ(outcome.last_line(), "1 functions, 0 passed, 0 failed, 1 undecided") << outcome.output << outcome.errors;
}

/// Would catch: values of nested exponentials beyond what float holds, whose derivatives are not numbers.
TEST(Sweep, NoValueOverflows) {
  const Outcome outcome = Workplace().assay("sweep --seed 3 --only smooth/float/1472");
  EXPECT_EQ(outcome.last_line(), "1 functions, 1 passed, 0 failed, 0 undecided") << outcome.output << outcome.errors;
}

TEST(Sweep, NamesThatMeanNothingAreRefused) {
  EXPECT_EQ(Workplace().assay("sweep --only hill/double/3").code, 2);
  EXPECT_EQ(Workplace().assay("sweep --only kink/half/3").code, 2);
  EXPECT_EQ(Workplace().assay("sweep --only kink/double/x").code, 2);
  EXPECT_EQ(Workplace().assay("sweep --functions 0 --planted 0").code, 2);
}

/// Would catch: noise in single precision that hides a kink between slopes which are nearly the same.
TEST(Sweep, WeakKinksInFloatAreUndecided) {
  for (const char *id : {"kink/float/12", "near-kink/float/29"}) {
    const Outcome outcome = Workplace().assay(std::string("sweep --seed 5 --oracle fd --budget 12 --only ") + id);
    EXPECT_NE(outcome.output.find("0 failed, 1 undecided"), std::string::npos) << outcome.output;
  }
}

} // namespace
