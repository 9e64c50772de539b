#pragma once
// Memory of the emulated device. A buffer ends in front of a page that cannot be accessed, as near as its alignment
// allows; canaries fill the rest. New memory holds NaNs.

#include <cstddef>
#include <cstdint>
#include <optional>

namespace assay::gpu {

/// Null for no bytes, and where there is no memory.
void *allocate(std::size_t bytes);
/// False where `memory` is not such a buffer.
bool release(void *memory);
/// Bytes of the buffer that holds this address, from its begin.
struct Buffer {
  const char *begin;
  std::size_t bytes;
};
std::optional<Buffer> buffer_at(const void *address);
/// Writes behind buffers are added to findings().
void check_canaries();

/// Of malloc and free in kernels.
struct HeapCounts {
  std::uint64_t allocations = 0, blocks_left = 0, bytes_left = 0, most_bytes = 0;
};
HeapCounts heap_counts();
/// malloc in a kernel returns null where more would be in use. There is no limit before the program sets one.
void set_heap_limit(std::uint64_t bytes);
void reset_heap_counts();

} // namespace assay::gpu
