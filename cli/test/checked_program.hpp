#pragma once
// Fixture for checks of the functions in one file of programs/.

#include "cli/test/run_command.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

namespace assay::cli::test {

inline bool mentions(const Outcome &outcome, const std::string &part) {
  return outcome.output.find(part) != std::string::npos;
}

class CheckedProgram : public testing::Test {
protected:
  /// The file and the words that follow it in each check.
  explicit CheckedProgram(std::string program) : program_(std::move(program)) {}

  Outcome check(const std::string &words) const {
    return place.assay("check " ASSAY_PROGRAMS "/" + program_ + " " + words);
  }

  void expect_all_passed(const std::string &words) const {
    const Outcome outcome = check(words);
    EXPECT_EQ(outcome.code, 0) << words << "\n" << outcome.output << outcome.errors;
    EXPECT_NE(outcome.last_line().find(" 0 failed, 0 undecided"), std::string::npos) << outcome.output;
    EXPECT_FALSE(outcome.last_line().starts_with("0 ")) << outcome.output;
  }

  /// One line of errors, which contains `part`.
  void expect_refusal(const std::string &words, const std::string &part) const {
    const Outcome outcome = check(words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.output;
    EXPECT_NE(outcome.errors.find(part), std::string::npos) << words << "\n" << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  }

  void expect_repeated_by(const std::string &replay) const {
    const Outcome again = place.shell(replay);
    EXPECT_EQ(again.code, 1) << again.output << again.errors;
    EXPECT_EQ(again.replay_command(), replay);
  }

  Workplace place;

private:
  std::string program_;
};

} // namespace assay::cli::test
