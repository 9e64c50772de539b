#include "core/jit/heap_block.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace assay::jit {

const char *allocator_of(Origin origin) {
  switch (origin) {
  case Origin::c:
    return "malloc";
  case Origin::plain_new:
  case Origin::aligned_new:
    return "new";
  case Origin::array_new:
  case Origin::aligned_array_new:
    return "new[]";
  }
  return "malloc";
}

const char *release_of(Origin origin) {
  switch (origin) {
  case Origin::c:
    return "free";
  case Origin::plain_new:
  case Origin::aligned_new:
    return "delete";
  case Origin::array_new:
  case Origin::aligned_array_new:
    return "delete[]";
  }
  return "free";
}

void fill_with_poison(void *memory, std::size_t bytes) {
  std::memset(memory, poison, std::min(bytes, most_poisoned));
}

/// Behind each block; as numbers 5e-4 and 0.7, so that what is added to them changes them.
static constexpr int canary = 0x3f;
/// So many that a few numbers too far still end there and not in the C library's own data.
static constexpr std::size_t most_canaries = 256;

std::size_t with_canaries(std::size_t bytes) {
  return bytes > SIZE_MAX - most_canaries ? bytes : bytes + most_canaries;
}

void write_canaries(void *memory, const HeapBlock &block) {
  auto *end = static_cast<std::byte *>(memory) + block.bytes;
  std::memset(end, canary, block.canaries);
  // What is left there of an earlier block may be an address, and a derivative follows those in blocks of variables.
  std::memset(end + block.canaries, poison, block.usable - block.bytes - block.canaries);
}

bool holds_only(const void *memory, std::size_t bytes, int value) {
  const auto *begin = static_cast<const unsigned char *>(memory);
  return std::all_of(begin, begin + bytes, [&](unsigned char byte) { return byte == value; });
}

bool is_overrun(const void *memory, const HeapBlock &block) {
  static const std::vector<unsigned char> intact(most_canaries, canary);
  return std::memcmp(static_cast<const std::byte *>(memory) + block.bytes, intact.data(), block.canaries) != 0;
}

void give_back(void *memory, const HeapBlock &block) {
  switch (block.origin) {
  case Origin::c:
    return std::free(memory);
  case Origin::plain_new:
  case Origin::array_new:
    return ::operator delete(memory);
  case Origin::aligned_new:
  case Origin::aligned_array_new:
    return ::operator delete(memory, block.alignment);
  }
}

} // namespace assay::jit
