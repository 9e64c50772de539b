#pragma once
// Puts drawn programs to the test: compiles them with the plugin at one level, runs them, and reads the verdicts.

#include "generators/programs/program.hpp"

#include <filesystem>
#include <span>

namespace assay::cli {

enum class FuzzVerdict {
  passed,
  oracle_unreliable,
  diagnostic, ///< The plugin refused a valid program.
  compiler_crash,
  compiler_timeout,
  wrong_primal,
  wrong_gradient,
  wrong_tangent,
  nondeterministic,
  crash,
  timeout,
};

std::string_view name_of(FuzzVerdict verdict);
bool is_failure(FuzzVerdict verdict);

struct FuzzOutcome {
  FuzzVerdict verdict = FuzzVerdict::passed;
  std::string detail; ///< The message of the test or the compiler.

  /// The detail without what changes while a program shrinks: numbers and names.
  std::string kind() const;
};

/// A folder to work in, with the files that all programs share.
class FuzzBench {
public:
  struct Tools {
    std::string clang;
    std::filesystem::path plugin;
    std::vector<std::string> flags; ///< Of the compilations with the plugin.
  };
  explicit FuzzBench(Tools tools);
  ~FuzzBench();
  FuzzBench(const FuzzBench &) = delete;
  FuzzBench &operator=(const FuzzBench &) = delete;

  /// The oracle of these programs, for `test` at any level. Throws std::logic_error where a program is not valid C.
  void prepare(std::span<const gen::programs::Program> programs);
  /// One outcome for each of the programs that were prepared.
  std::vector<FuzzOutcome> test(unsigned level);

private:
  using Programs = std::span<const gen::programs::Program>;
  std::vector<FuzzOutcome> test(Programs programs, std::size_t first, unsigned level);
  std::vector<FuzzOutcome> run(std::size_t count) const;
  std::string path(const char *name) const { return (folder_ / name).string(); }
  void write(const char *name, const std::string &text) const;

  Tools tools_;
  std::filesystem::path folder_;
  std::vector<gen::programs::Program> programs_;
};

} // namespace assay::cli
