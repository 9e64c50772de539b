#pragma once
// Hears of every report that a test makes. Where the variable ASSAY_REPORT names a folder, each test leaves a file of
// result records there (assay/testing/result_file.hpp); the program ends with how many combinations it checked.

#include <assay/testing/result_file.hpp>

#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

namespace assay::detail {

class ResultListener : public ::testing::EmptyTestEventListener {
public:
  /// The one of this program; GoogleTest owns it.
  static ResultListener &get() {
    static ResultListener *const listener = [] {
      auto *made = new ResultListener; // NOLINT(cppcoreguidelines-owning-memory)
      ::testing::UnitTest::GetInstance()->listeners().Append(made);
      return made;
    }();
    return *listener;
  }

  void hear(const testutils::Report &report, bool is_optimised) {
    reports.push_back(report);
    optimised = is_optimised;
    checked += report.checked;
    passed += report.passed;
    failed += report.failed;
    undecided += report.undecided;
    in_test += report.checked;
    if (::testing::UnitTest::GetInstance()->current_test_info() != nullptr)
      ::testing::Test::RecordProperty("combinations", std::to_string(in_test));
  }

  void OnTestStart(const ::testing::TestInfo & /*test*/) override {
    reports.clear();
    in_test = 0;
  }

  void OnTestEnd(const ::testing::TestInfo &test) override {
    const char *folder = std::getenv("ASSAY_REPORT");
    if (folder == nullptr || *folder == '\0' || reports.empty())
      return;
    const std::vector<std::string> arguments = ::testing::internal::GetArgvs();
    testutils::TestResults results{arguments.empty() ? "tests" : arguments.front(),
                                   test.file() == nullptr ? "" : test.file(),
                                   test.test_suite_name(),
                                   test.name(),
                                   optimised,
                                   reports.front().seed,
                                   static_cast<double>(test.result()->elapsed_time()) / 1000,
                                   std::move(reports)};
    try {
      testutils::write_results(folder, results);
    } catch (const std::exception &error) {
      std::cerr << "assay: ASSAY_REPORT: " << error.what() << '\n';
      std::exit(2); // Records that are asked for and missing must not look like a success.
    }
  }

  void OnTestProgramEnd(const ::testing::UnitTest & /*program*/) override {
    if (checked > 0)
      std::cout << "[  ASSAY   ] " << checked << " combinations checked, " << passed << " passed, " << failed
                << " failed, " << undecided << " undecided\n";
  }

private:
  std::vector<testutils::Report> reports; ///< Of the running test.
  bool optimised = false;
  std::size_t in_test = 0;
  std::size_t checked = 0, passed = 0, failed = 0, undecided = 0;
};

/// Before the first test runs.
inline const bool listens_to_results = (ResultListener::get(), true);

inline constexpr bool compiled_optimised =
#ifdef __OPTIMIZE__
    true;
#else
    false;
#endif

} // namespace assay::detail
