#pragma once
// Failures of an earlier report: what a check of them alone leaves out stays in the report.

#include "cli/check_request.hpp"
#include "reports/record.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

class EarlierReport {
public:
  /// Without failures.
  EarlierReport() = default;
  /// Throws jit::BadRequest where `folder` has no report.
  explicit EarlierReport(const std::filesystem::path &folder);

  bool has_failure_of(const CheckRequest &request) const;
  /// All combinations of the function were decided: earlier failures count no more.
  void set_checked(const CheckRequest &request);
  /// Failures that the new `records` say nothing about, each with a note that says so.
  std::vector<reports::Record> failures_left(const std::vector<reports::Record> &records) const;

private:
  std::vector<reports::Record> failures_;
};

} // namespace assay::cli
