#pragma once
// The state of a process beside its memory and its processor: locale, working directory, signal mask, open files, text
// that was written, and a ProcessState.

#include "testutils/process_state.hpp"

#include <csignal>
#include <string>
#include <sys/types.h>
#include <vector>

namespace assay::testutils {

/// As they are when they are made; that takes some calls of the system's.
class Surroundings {
public:
  Surroundings();

  /// All but open files and text.
  void put_back() const;

  /// One sentence for each difference.
  std::vector<std::string> changes_since(const Surroundings &before) const;
  /// Differences that right code may make as well, likewise.
  std::vector<std::string> remarks_since(const Surroundings &before) const;

private:
  std::string locale_, directory_;
  sigset_t signals_;
  mode_t mask_;
  int descriptor_; ///< The next file would get it.
  ProcessState process_;
  off_t output_, errors_; ///< Bytes of text, where the streams are files.
};

} // namespace assay::testutils
