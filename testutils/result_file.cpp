#include <assay/testing/result_file.hpp>

#include "reports/json_lines.hpp"
#include "reports/write_report.hpp"
#include "testutils/report_record.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace assay::testutils {

static reports::Record record_of(const TestResults &results, const Signature &signature, const Record &source) {
  reports::Record record = report_record(signature, source);
  record.file = results.source;
  record.test = results.suite + "." + results.name;
  record.optimization_level = results.optimised ? 2 : 0; // clang does not tell a program at which of them it is.
  return record;
}

static reports::Run run_of(const TestResults &results) {
  reports::Run run;
  run.command = fmt::format("{} --gtest_filter={}.{}", results.program, results.suite, results.name);
  run.seed = results.seed;
  run.environment = __VERSION__;
  run.seconds = results.seconds;
  for (const Report &report : results.reports) {
    for (const Record &record : report.records)
      run.records.push_back(record_of(results, report.signature, record));
    for (const std::string &reason : report.left_out)
      run.notes.push_back(report.signature.function + ": left out " + reason);
  }
  return run;
}

/// The parameters of a test stand behind a slash in its name.
static std::string file_name(const TestResults &results) {
  std::string name = results.suite + "." + results.name;
  std::replace(name.begin(), name.end(), '/', '_');
  return name + ".jsonl";
}

std::filesystem::path write_results(const std::filesystem::path &folder, const TestResults &results) {
  const std::filesystem::path own = folder / std::filesystem::path(results.program).filename();
  std::error_code error;
  std::filesystem::create_directories(own, error);
  if (error)
    throw std::runtime_error(fmt::format("cannot make the folder {}: {}", own.string(), error.message()));
  const std::filesystem::path file = own / file_name(results);
  reports::write_whole_file(file, reports::to_json_lines(run_of(results)));
  return file;
}

} // namespace assay::testutils
