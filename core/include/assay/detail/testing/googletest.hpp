#pragma once
// GoogleTest as a listener: it names the case, and hears of records.

#include <assay/detail/testing/listener.hpp>
#include <assay/testing/check.hpp>
#include <assay/testing/message.hpp>

#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

namespace assay::detail {

/// `Suite.Case` of the running test, or empty names outside of one.
struct RunningTest {
  std::string suite, name;
  RunningTest() {
    if (const ::testing::TestInfo *test = ::testing::UnitTest::GetInstance()->current_test_info()) {
      suite = test->test_suite_name();
      name = test->name();
    }
  }
};

inline std::string shell_quoted(const std::string &text) {
  if (text.find_first_of(" '\"$&|;<>()*?[]#~`\\") == std::string::npos)
    return text;
  std::string quoted = "'";
  for (const char letter : text)
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

/// The words after the seed in the command that runs the current test again.
inline std::string replay_suffix() {
  const RunningTest test;
  const std::vector<std::string> arguments = ::testing::internal::GetArgvs();
  if (test.suite.empty() || arguments.empty())
    return {};
  return shell_quoted(arguments.front()) + " --gtest_filter=" + shell_quoted(test.suite + "." + test.name);
}

inline std::optional<std::uint64_t> number_from_environment(const char *variable) {
  const char *text = std::getenv(variable);
  if (text == nullptr || *text == '\0')
    return std::nullopt;
  char *end = nullptr;
  const std::uint64_t value = std::strtoull(text, &end, 0);
  if (*end != '\0')
    throw std::invalid_argument(std::string(variable) + " is not a number: " + text);
  return value;
}

// Whole messages for this many failures; the others get a line.
inline constexpr std::size_t most_messages = 3;

/// The messages of the running test, failures among them.
inline int parts_of_test() {
  const ::testing::TestInfo *test = ::testing::UnitTest::GetInstance()->current_test_info();
  return test == nullptr ? 0 : test->result()->total_part_count();
}

/// Failures fail the test; undecided combinations are said, and fail nothing. Where the test expects the failure and
/// catches it (EXPECT_NONFATAL_FAILURE), it is no result of the program.
inline void tell_googletest(const testutils::Report &report) {
  const int parts = parts_of_test();
  std::size_t failures = 0;
  for (const testutils::Record &record : report.records) {
    const testutils::Outcome outcome = testutils::outcome_of(record.verdict);
    if (outcome == testutils::Outcome::undecided)
      std::cout << "[ UNDECIDED] " << testutils::summary_line(report.signature, record) << '\n';
    if (outcome != testutils::Outcome::failed)
      continue;
    ADD_FAILURE() << (failures < most_messages ? testutils::failure_message(report.signature, record)
                                               : testutils::summary_line(report.signature, record));
    ++failures;
  }
  for (const std::string &reason : report.left_out)
    std::cout << "[ LEFT OUT ] " << reason << '\n';
  if (failures > 0 || !report.left_out.empty())
    std::cout << testutils::totals_line(report) << '\n';
  if (report.checked == 0)
    ADD_FAILURE() << "nothing was checked of " << report.signature.function
                  << ": no argument can be differentiated, or no output depends on one";
  const bool in_test = ::testing::UnitTest::GetInstance()->current_test_info() != nullptr;
  const bool is_expected = in_test && failures > 0 && parts_of_test() == parts;
  if (!is_expected)
    ResultListener::get().hear(report, compiled_optimised);
}

} // namespace assay::detail
