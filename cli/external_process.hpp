#pragma once
// Runs another program with a limit of its processor time and keeps its output.

#include <chrono>
#include <string>
#include <vector>

namespace assay::cli {

struct ProgramEnd {
  enum class Kind { exited, killed, out_of_time };
  Kind kind = Kind::exited;
  int code = 0;       ///< Exit code or signal.
  std::string output; ///< Standard output and standard error, as they came; the first 64 MiB.
};

/// `words` are the program, found in PATH, and its arguments. Processes that it started end with it. The limit is
/// processor time, in whole seconds, of each process, so that a busy machine changes no answer; a program that waits
/// has ten times as long.
ProgramEnd run_external(const std::vector<std::string> &words, std::chrono::milliseconds limit);

} // namespace assay::cli
