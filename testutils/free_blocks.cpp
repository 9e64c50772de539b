#include "testutils/free_blocks.hpp"

#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <unistd.h>

namespace assay::testutils {

namespace {

/// A block that is kept.
struct Kept {
  Kept *next;
};
Kept *kept = nullptr; // Reachable, so that nothing looks lost.

/// Where the block begins that all others end before: it grows where none of them is large enough.
std::uintptr_t start_of_last_block() {
  return reinterpret_cast<std::uintptr_t>(::sbrk(0)) - ::mallinfo2().keepcost;
}

/// False where the next block would come from behind all others.
bool take_one(std::size_t size, std::uintptr_t last) {
  auto *block = static_cast<Kept *>(std::malloc(size));
  if (!block || reinterpret_cast<std::uintptr_t>(block) >= last) {
    std::free(block);
    return false;
  }
  block->next = kept;
  kept = block;
  return true;
}

} // namespace

void take_free_blocks() {
  constexpr std::size_t most = 1 << 16, least = 24; // Larger ones are few, and smaller ones there are none.
  const std::uintptr_t last = start_of_last_block();
  for (std::size_t size = most; size >= least; size -= size / 8)
    while (take_one(size, last))
      ;
}

} // namespace assay::testutils
