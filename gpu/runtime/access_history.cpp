#include "gpu/runtime/access_history.hpp"

namespace assay::gpu {

AccessHistory::Page *AccessHistory::page(std::uint64_t number) {
  std::unique_ptr<Page> &page = pages_[number];
  if (!page)
    page = std::make_unique<Page>();
  return page.get();
}

void AccessHistory::split(Entry &entry) {
  entry.parts = std::make_unique<std::array<Record, granule>>();
  entry.parts->fill(entry.whole);
}

/// Memory is freed in whole pages, or its page is seldom: what is left on one stays.
void AccessHistory::forget(const char *begin, std::uint64_t bytes) {
  const std::uint64_t first = reinterpret_cast<std::uint64_t>(begin);
  recent_ = {};
  for (std::uint64_t number = first / page_bytes; number * page_bytes < first + bytes; ++number)
    pages_.erase(number);
}

} // namespace assay::gpu
