#pragma once
// Blocks on the heap that a program keeps from call to call.

#include "core/jit/heap_block.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay::jit {

using HeapBlocks = std::unordered_map<void *, HeapBlock>;
/// As HeapWatch has it.
using NameOfSite = std::function<std::string(const void *)>;

/// `a block of 24 bytes that f allocated`
std::string described(const HeapBlock &block, const NameOfSite &name_of_site);
/// `memory behind a block of 24 bytes that f allocated on the heap was written`
std::string overrun(const HeapBlock &block, const NameOfSite &name_of_site);

class KeptBlocks {
public:
  /// Keeps those of `left` and of its own that can be reached from the addresses `held`, which is asked where there are
  /// any, and forgets all others. Returns a sentence for each that was written behind.
  std::vector<std::string> take(const HeapBlocks &left, const std::function<std::vector<std::uintptr_t>()> &held,
                                const NameOfSite &name_of_site);

  /// A block that is released. A sentence where it was written behind; else empty.
  std::string forget(void *memory, const NameOfSite &name_of_site);

private:
  HeapBlocks blocks_;
};

/// Those of this thread.
KeptBlocks &kept_blocks();

} // namespace assay::jit
