#include "gpu/runtime/memory.hpp"

#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/interface.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
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

struct Heap {
  std::unordered_map<void *, std::size_t> blocks;
  HeapCounts counts;
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
  return begin;
}

bool release(void *memory) {
  const auto found = buffers().find(static_cast<const char *>(memory));
  if (found == buffers().end())
    return false;
  check(found->first, found->second);
  ::munmap(found->second.pages, found->second.mapped);
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

} // namespace assay::gpu

using namespace assay::gpu;

void *assay_gpu_malloc(std::uint64_t bytes) {
  void *memory = std::malloc(std::max<std::uint64_t>(bytes, 1));
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
    findings().add("free in a kernel of memory that malloc did not give, or that is free already");
    return;
  }
  --all.counts.blocks_left;
  all.counts.bytes_left -= found->second;
  all.blocks.erase(found);
  std::free(memory);
}
