#include "core/jit/kept_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <malloc.h>
#include <map>
#include <utility>

namespace assay::jit {

namespace {

/// Derivatives set the shadow of a kept block to zero to the end of the C library's chunk.
bool is_written_behind(void *memory, const HeapBlock &block) {
  const bool is_the_same = malloc_usable_size(memory) == block.usable; // A library may have changed its size.
  return is_the_same && is_overrun(memory, block) &&
         !holds_only(static_cast<const std::byte *>(memory) + block.bytes, block.canaries, 0);
}

/// The words of a block that may be addresses.
void add_words(std::vector<std::uintptr_t> &words, std::uintptr_t begin, std::size_t bytes) {
  const auto *memory = reinterpret_cast<const std::byte *>(begin); // NOLINT(performance-no-int-to-ptr)
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word = 0;
    std::memcpy(&word, memory + at, sizeof word);
    words.push_back(word);
  }
}

/// Those that an address among `words` leads to, by way of others, too.
HeapBlocks reached(const HeapBlocks &all, std::vector<std::uintptr_t> words) {
  std::map<std::uintptr_t, std::pair<void *, HeapBlock>> by_begin;
  for (const auto &[memory, block] : all)
    by_begin.emplace(reinterpret_cast<std::uintptr_t>(memory), std::pair(memory, block));
  HeapBlocks found;
  while (!words.empty()) {
    const std::uintptr_t word = words.back();
    words.pop_back();
    auto at = by_begin.upper_bound(word);
    if (at == by_begin.begin())
      continue;
    --at;
    const auto &[memory, block] = at->second;
    if (word - at->first <= block.bytes && found.emplace(memory, block).second)
      add_words(words, at->first, block.bytes);
  }
  return found;
}

} // namespace

std::string described(const HeapBlock &block, const NameOfSite &name_of_site) {
  const std::string name = name_of_site ? name_of_site(block.site) : "";
  return fmt::format("a block of {} bytes{}", block.bytes, name.empty() ? "" : fmt::format(" that {} allocated", name));
}

std::string overrun(const HeapBlock &block, const NameOfSite &name_of_site) {
  return fmt::format("memory behind {} on the heap was written", described(block, name_of_site));
}

std::vector<std::string> KeptBlocks::take(const HeapBlocks &left,
                                          const std::function<std::vector<std::uintptr_t>()> &held,
                                          const NameOfSite &name_of_site) {
  if (left.empty() && blocks_.empty())
    return {};
  for (const auto &[memory, block] : left)
    blocks_.insert_or_assign(memory, block);
  blocks_ = reached(blocks_, held());
  std::vector<std::string> overruns;
  for (const auto &[memory, block] : blocks_)
    if (is_written_behind(memory, block))
      overruns.push_back(overrun(block, name_of_site));
  std::sort(overruns.begin(), overruns.end());
  return overruns;
}

std::string KeptBlocks::forget(void *memory, const NameOfSite &name_of_site) {
  const auto found = blocks_.find(memory);
  if (found == blocks_.end())
    return {};
  const HeapBlock block = found->second;
  blocks_.erase(found);
  return is_written_behind(memory, block) ? overrun(block, name_of_site) : "";
}

KeptBlocks &kept_blocks() {
  static thread_local KeptBlocks kept;
  return kept;
}

} // namespace assay::jit
