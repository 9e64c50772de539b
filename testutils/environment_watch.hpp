#pragma once
// The effects of compiled code on its surroundings during one call: how the processor rounds, signals, the locale, open
// files. Its changes are said, and undone, so that no later call computes under it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay::testutils {

struct EnvironmentReport {
  std::vector<std::string> changes; ///< One sentence each: `the rounding mode is upward after the call, it was ...`.
  /// Changes that right code may make as well: floating-point exceptions that were raised, errno; likewise.
  std::vector<std::string> remarks;
  bool left_range = false; ///< An operation overflowed or underflowed.
};

/// Arithmetic costs nothing to look at; locale, directory, signals and files take some calls of the system's.
enum class Watched : std::uint8_t {
  arithmetic,
  arithmetic_after_errors, ///< errno and the floating-point exception flags tell of errors in code before the call.
  everything               ///< Put back before, as it was before the first watched call of the process.
};

class Surroundings;

/// Those of `seen` that `usual` does not have.
std::vector<std::string> beyond(const std::vector<std::string> &seen, const std::vector<std::string> &usual);

class EnvironmentWatch {
public:
  explicit EnvironmentWatch(Watched watched);
  /// Of everything, which is put back before as `surroundings` have it.
  explicit EnvironmentWatch(const Surroundings &surroundings);
  /// Undoes all changes but open files.
  ~EnvironmentWatch();
  EnvironmentWatch(const EnvironmentWatch &) = delete;
  EnvironmentWatch &operator=(const EnvironmentWatch &) = delete;

  EnvironmentReport report() const;

private:
  void watch(Watched watched);

  struct State;
  std::unique_ptr<State> before_;
};

} // namespace assay::testutils
