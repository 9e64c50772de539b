#pragma once
// Failures of an earlier report.

#include "cli/check_request.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

struct EarlierFailure {
  std::string file, function;
};

/// Throws jit::BadRequest where `folder` has no report.
std::vector<EarlierFailure> failures_in(const std::filesystem::path &folder);

bool is_among(const std::vector<EarlierFailure> &failures, const CheckRequest &request);

} // namespace assay::cli
