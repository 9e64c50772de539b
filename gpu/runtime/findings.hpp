#pragma once
// What went wrong in a launch, one sentence each; the same sentence is kept once.

#include "gpu/runtime/interface.hpp"

#include <string>
#include <vector>

namespace assay::gpu {

class Findings {
public:
  void add(std::string sentence);
  const std::vector<std::string> &sentences() const { return sentences_; }
  std::vector<std::string> take();

private:
  std::vector<std::string> sentences_;
};

/// Of the launches of this process.
Findings &findings();

/// `saxpy.cu:12`, or the function where there is no debug information.
std::string text_of(const Site *site);
/// `thread (3, 0, 0) of block (1, 0, 0)`.
std::string text_of(const Extent &thread, const Extent &block);

} // namespace assay::gpu
