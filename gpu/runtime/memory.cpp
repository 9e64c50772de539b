#include "gpu/runtime/memory.hpp"

#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/interface.hpp"
#include "gpu/runtime/watch.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>

namespace assay::gpu {

namespace {

constexpr std::size_t alignment = 256; // That of cudaMalloc.
constexpr int poison = 0xff, canary = 0xa5;

struct Mapping {
  char *pages;
  std::size_t mapped, bytes, slack;
};

/// By their begin.
std::map<const char *, Mapping> &buffers() {
  static auto *all = new std::map<const char *, Mapping>;
  return *all;
}

bool is_intact(const char *begin, const Mapping &mapping) {
  const char *end = begin + mapping.bytes;
  return std::all_of(end, end + mapping.slack, [](char byte) { return static_cast<unsigned char>(byte) == canary; });
}

void check(const char *begin, const Mapping &mapping) {
  if (!is_intact(begin, mapping))
    findings().add("something was written behind a buffer of " + std::to_string(mapping.bytes) + " bytes");
}

// ---- malloc and free in kernels ----

/// While accesses are watched: nobody else's memory is so near, and what is free is given back late.
constexpr std::size_t heap_margin = 64, most_freed_bytes = std::size_t(256) << 20U;

struct FreedBlock {
  char *pages;
  std::size_t bytes;
};
struct FreedBlocks {
  std::deque<FreedBlock> blocks;
  std::size_t bytes = 0;
};
FreedBlocks &freed_blocks() {
  static auto *all = new FreedBlocks;
  return *all;
}

void *allocate_watched(Watch &watching, std::size_t bytes) {
  char *first = static_cast<char *>(std::malloc(bytes + 2 * heap_margin));
  if (first)
    watching.add_heap_block(first + heap_margin, bytes, first, first + bytes + 2 * heap_margin);
  return first ? first + heap_margin : nullptr;
}

void free_watched(Watch &watching, void *memory, std::size_t bytes) {
  char *begin = static_cast<char *>(memory);
  watching.set_heap_block_freed(begin);
  FreedBlocks &freed = freed_blocks();
  freed.blocks.push_back({begin - heap_margin, bytes});
  freed.bytes += bytes;
  while (freed.bytes > most_freed_bytes) {
    std::free(freed.blocks.front().pages);
    freed.bytes -= freed.blocks.front().bytes;
    freed.blocks.pop_front();
  }
}

struct Heap {
  std::unordered_map<void *, std::size_t> blocks;
  HeapCounts counts;
  std::uint64_t limit = UINT64_MAX;
};
Heap &heap() {
  static auto *all = new Heap;
  return *all;
}

} // namespace

void *allocate(std::size_t bytes) {
  if (bytes == 0)
    return nullptr;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  const std::size_t usable = (rounded + page - 1) / page * page;
  void *pages =
      ::mmap(nullptr, usable + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    return nullptr;
  char *first = static_cast<char *>(pages);
  ::mprotect(first, page, PROT_NONE);
  ::mprotect(first + page + usable, page, PROT_NONE);
  char *begin = first + page + usable - rounded;
  std::memset(begin, poison, bytes);
  std::memset(begin + bytes, canary, rounded - bytes);
  buffers()[begin] = {first, usable + 2 * page, bytes, rounded - bytes};
  if (Watch *watching = watch())
    watching->add_buffer(begin, bytes, first, first + usable + 2 * page);
  return begin;
}

bool release(void *memory) {
  const auto found = buffers().find(static_cast<const char *>(memory));
  if (found == buffers().end())
    return false;
  check(found->first, found->second);
  if (Watch *watching = watch()) { // Its addresses stay free, so that later accesses are known for what they are.
    watching->set_freed(found->first, found->second.bytes);
    ::madvise(found->second.pages, found->second.mapped, MADV_DONTNEED);
    ::mprotect(found->second.pages, found->second.mapped, PROT_NONE);
  } else {
    ::munmap(found->second.pages, found->second.mapped);
  }
  buffers().erase(found);
  return true;
}

std::optional<Buffer> buffer_at(const void *address) {
  const char *wanted = static_cast<const char *>(address);
  auto found = buffers().upper_bound(wanted);
  if (found == buffers().begin())
    return std::nullopt;
  --found;
  if (wanted >= found->first + found->second.bytes)
    return std::nullopt;
  return Buffer{found->first, found->second.bytes};
}

void check_canaries() {
  for (const auto &[begin, mapping] : buffers())
    check(begin, mapping);
}

HeapCounts heap_counts() {
  return heap().counts;
}

void reset_heap_counts() {
  heap().counts = {};
  heap().blocks.clear();
}

void set_heap_limit(std::uint64_t bytes) {
  heap().limit = std::max(bytes, heap().counts.bytes_left);
}

} // namespace assay::gpu

using namespace assay::gpu;

void *assay_gpu_malloc(std::uint64_t bytes) {
  if (heap().limit - heap().counts.bytes_left < bytes)
    return nullptr;
  void *memory = watch() ? allocate_watched(*watch(), bytes) : std::malloc(std::max<std::uint64_t>(bytes, 1));
  if (!memory)
    return nullptr;
  std::memset(memory, poison, bytes);
  Heap &all = heap();
  all.blocks[memory] = bytes;
  ++all.counts.allocations;
  ++all.counts.blocks_left;
  all.counts.bytes_left += bytes;
  all.counts.most_bytes = std::max(all.counts.most_bytes, all.counts.bytes_left);
  return memory;
}

void assay_gpu_free(void *memory) {
  if (!memory)
    return;
  Heap &all = heap();
  const auto found = all.blocks.find(memory);
  if (found == all.blocks.end()) {
    findings().add("free in a kernel of memory that malloc did not give, or that is free already" +
                   (watch() ? ", at " + text_of(watch()->site()) : std::string()));
    return;
  }
  --all.counts.blocks_left;
  all.counts.bytes_left -= found->second;
  const std::size_t bytes = found->second;
  all.blocks.erase(found);
  if (Watch *watching = watch())
    free_watched(*watching, memory, bytes);
  else
    std::free(memory);
}
