#pragma once
// `assay bisect`: the commit of a project at which a case began to fail.

#include "cli/check_command.hpp"

namespace assay::cli {

struct BisectArguments {
  std::string id;
  std::string good, bad = "HEAD";
  std::filesystem::path report;
  std::optional<std::filesystem::path> project; ///< Absent: where it lay.
  std::string program;
  std::optional<std::string> prepare; ///< Shell command that runs in the project's folder of each commit first.
};

/// Throws jit::BadRequest where there is nothing to search.
ExitCode run_bisect(const BisectArguments &arguments);

} // namespace assay::cli
