#pragma once
// A fork of this process that runs a function and sends lines back.

#include "cli/call_limits.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

/// How a child came to its end.
struct ChildEnd {
  enum class Kind { returned, ended_process, killed, hung, out_of_time, out_of_memory, too_much_output, interrupted };
  Kind kind = Kind::returned;
  int code = 0;            ///< Exit code, signal, or seconds.
  std::uint64_t bytes = 0; ///< Out of memory, too much output: the limit.
  std::string last_words;  ///< The end of what it wrote to standard error.
};

/// Whether it was stopped because it did not come to an end, within time or memory.
bool gave_no_answer(const ChildEnd &end);

/// `SIGSEGV (invalid memory access)`, `it ended the process with exit code 3`, ...
std::string describe(const ChildEnd &end);

/// Sends one line; never splits a line over two sends that a crash could fall between.
using SendLine = std::function<void(std::string_view)>;

/// Runs `work` in a child, with standard output and standard error out of the way, and calls `receive` for every line
/// that it sends. A child that sends nothing for `patience` is killed, one that reaches a limit ends, and all are
/// killed when this process is interrupted.
ChildEnd run_in_child(const std::function<void(const SendLine &)> &work,
                      const std::function<void(std::string_view)> &receive, std::chrono::seconds patience,
                      const CallLimits &limits = {});

/// The same with one child for each of `works`, all at once.
std::vector<ChildEnd> run_in_children(const std::vector<std::function<void(const SendLine &)>> &works,
                                      const std::function<void(std::string_view)> &receive,
                                      std::chrono::seconds patience, const CallLimits &limits = {});

/// Work for one child of a pool.
struct PooledWork {
  std::function<void(const SendLine &)> work;
  std::function<void(std::string_view)> receive;
  std::function<void(const ChildEnd &)> ended;
};

/// Keeps `jobs` children busy with the work of `next`, until that is nothing and all have ended. Once `stops` is true,
/// those that run are killed, and nothing more is heard of them.
void run_pool(unsigned jobs, const std::function<std::optional<PooledWork>()> &next, const std::function<bool()> &stops,
              std::chrono::seconds patience, const CallLimits &limits = {});

} // namespace assay::cli
