#pragma once
// Standard output diverted into a file of its own for a while, so that its text can be counted wherever it goes.

namespace assay::testutils {

/// Of the C and the C++ library.
void flush_output();

class DivertedOutput {
public:
  DivertedOutput();
  /// Hands the text on.
  ~DivertedOutput();
  DivertedOutput(const DivertedOutput &) = delete;
  DivertedOutput &operator=(const DivertedOutput &) = delete;

private:
  int file_ = -1, output_ = -1; ///< Descriptors; -1 where there is none.
};

} // namespace assay::testutils
