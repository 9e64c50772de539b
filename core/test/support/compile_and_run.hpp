#pragma once
// Compiles a small program with clang and the plugin, as a user would, and runs what came out.
//
//   auto result = compile_and_run({.source = R"(... int main() { printf("%g", __enzyme_autodiff(f, 3.0)); })", .level =
//   "-O2"}); EXPECT_EQ(result.output(), "6");
//
// Files live in a fresh directory under the system's temporary directory, which is removed before the call returns.

#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace assay::test {

enum class Language { c, cpp, llvm_ir };
enum class Plugin { loaded, absent };

struct Program {
  std::string source;
  Language language = Language::c;
  std::string level = "-O2";               ///< An optimisation level as clang takes it.
  std::vector<std::string> flags = {};     ///< Extra flags of the compiler; `-lm` is always there.
  std::vector<std::string> arguments = {}; ///< The program's own arguments.
  Plugin plugin = Plugin::loaded;
  std::chrono::seconds time_limit{60}; ///< For the compiler and for the program, each.
};

/// How one process ended. A process killed by signal N has `exit_code` 128 + N; one that ran out of time has 124.
struct ProcessResult {
  int exit_code = -1;
  std::string out;
  std::string err;
};

struct RunResult {
  ProcessResult compiler;
  std::optional<ProcessResult> program; ///< Absent when the compiler failed.

  bool compiled() const { return compiler.exit_code == 0; }
  bool succeeded() const { return program && program->exit_code == 0; }
  /// What the program printed; the compiler's errors when there is no program, so that a failed expectation shows them.
  std::string output() const;
};
std::ostream &operator<<(std::ostream &out, const RunResult &result);

RunResult compile_and_run(const Program &program);
/// Only compiles (and links).
ProcessResult compile(const Program &program);
/// `opt -load-pass-plugin=... -passes=PASSES -S` on LLVM IR; `out` is the IR that comes out.
ProcessResult run_opt(const std::string &ir, const std::string &passes, const std::vector<std::string> &flags = {});
/// Runs a command (found in PATH unless it is a path) and waits for it.
ProcessResult run_process(const std::vector<std::string> &command,
                          std::chrono::seconds time_limit = std::chrono::seconds{60});

/// The levels that every program is expected to work at; without ASSAY_ALL_LEVELS those of them that tests run by
/// default.
extern const std::vector<std::string> optimisation_levels;

} // namespace assay::test
