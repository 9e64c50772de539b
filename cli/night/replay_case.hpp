#pragma once
// `assay replay ID`: one case of a night again, alone, and compared with its record link by link.

#include "cli/check_command.hpp"

namespace assay::cli {

struct ReplayArguments {
  std::string id;                               ///< Of a case, or the number of a record.
  std::filesystem::path report;                 ///< Of the night or the check.
  std::optional<std::filesystem::path> project; ///< Absent: where it lay.
  std::optional<std::filesystem::path> emit;    ///< Folder for the code of the case.
  bool is_debugged = false;                     ///< A program of the case is started in a debugger.
  bool is_sanitized = false;                    ///< Its programs are run with sanitizers.
  std::string program;
};

/// Something failed: a derivative is wrong, or something is not as the record has it. Throws jit::BadRequest where
/// there is no such case.
ExitCode run_replay(const ReplayArguments &given);

} // namespace assay::cli
