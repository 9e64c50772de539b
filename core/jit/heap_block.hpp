#pragma once
// A block on the heap that watched code allocated, and the canaries behind it.

#include <cstddef>
#include <new>

namespace assay::jit {

enum class Origin { c, plain_new, array_new, aligned_new, aligned_array_new };

const char *allocator_of(Origin origin);
const char *release_of(Origin origin);

struct HeapBlock {
  std::size_t bytes;
  Origin origin;
  std::align_val_t alignment;
  std::size_t canaries;   ///< Bytes behind the block.
  const void *site;       ///< The code that allocated it.
  std::size_t usable = 0; ///< Of the C library's chunk.
};

/// The content of memory that was not written: all bits set, as numbers NaNs, as addresses nothing.
inline constexpr int poison = 0xff;
/// Of a large block only the beginning: most of it may never be touched.
inline constexpr std::size_t most_poisoned = std::size_t(64) << 10;
void fill_with_poison(void *memory, std::size_t bytes);

/// The bytes that are allocated for a block of `bytes`.
std::size_t with_canaries(std::size_t bytes);
/// Behind a block that is as large as `with_canaries` says.
void write_canaries(void *memory, const HeapBlock &block);
bool holds_only(const void *memory, std::size_t bytes, int value);
bool is_overrun(const void *memory, const HeapBlock &block);

/// To the C library.
void give_back(void *memory, const HeapBlock &block);

} // namespace assay::jit
