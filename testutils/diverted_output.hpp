#pragma once
// Standard output in a file of its own for a while, so that what is written can be counted wherever it goes.

namespace assay::testutils {

class DivertedOutput {
public:
  DivertedOutput();
  /// Hands on what has been written.
  ~DivertedOutput();
  DivertedOutput(const DivertedOutput &) = delete;
  DivertedOutput &operator=(const DivertedOutput &) = delete;

private:
  int file_ = -1, output_ = -1; ///< Descriptors; -1 where there is none.
};

} // namespace assay::testutils
