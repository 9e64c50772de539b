#pragma once
// The findings of a test, as a file of result records in JSON lines: one file for each test, so that a file depends
// neither on which other tests ran nor in how many processes.

#include <assay/testing/record.hpp>

#include <filesystem>

namespace assay::testutils {

struct TestResults {
  std::string program; ///< The path of the test program.
  std::string source;  ///< The file that the test is written in.
  std::string suite, name;
  bool optimised = true; ///< Whether the compiler optimised the test.
  std::uint64_t seed = 1;
  double seconds = 0;
  std::vector<Report> reports;
};

/// `folder`/program/suite.name.jsonl, which appears whole or not at all. Throws std::runtime_error.
std::filesystem::path write_results(const std::filesystem::path &folder, const TestResults &results);

} // namespace assay::testutils
