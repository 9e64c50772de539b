#include "core/widen/shadow_memory.hpp"

#include <algorithm>
#include <cstring>

namespace assay::widen {

namespace {

const void *pointer_to(std::uintptr_t address) {
  return reinterpret_cast<const void *>(address); // NOLINT(performance-no-int-to-ptr): addresses are the keys here
}

} // namespace

ShadowMemory::Page *ShadowMemory::page_of(std::uintptr_t address) const {
  const std::uintptr_t number = address / page_bytes;
  if (number != last_number_) {
    const auto found = pages_.find(number);
    last_number_ = number;
    last_page_ = found == pages_.end() ? nullptr : found->second.get();
  }
  return last_page_;
}

ShadowMemory::Entry *ShadowMemory::entry_at(std::uintptr_t address) const {
  Page *page = page_of(address);
  return page ? &(*page)[address % page_bytes / granule] : nullptr;
}

ShadowMemory::Entry &ShadowMemory::make_entry(std::uintptr_t address) {
  if (Entry *entry = entry_at(address))
    return *entry;
  std::unique_ptr<Page> &page = pages_[address / page_bytes];
  if (!page) {
    page = std::make_unique<Page>();
    last_number_ = ~std::uintptr_t{0};
  }
  return (*page)[address % page_bytes / granule];
}

std::vector<std::uintptr_t> ShadowMemory::pages_between(std::uintptr_t first, std::uintptr_t last) const {
  std::vector<std::uintptr_t> numbers;
  if (last - first < pages_.size())
    for (std::uintptr_t number = first; number <= last; ++number)
      numbers.push_back(number);
  else // A range may be as large as the address space.
    for (const auto &[number, page] : pages_)
      if (number >= first && number <= last)
        numbers.push_back(number);
  std::ranges::sort(numbers);
  return numbers;
}

template <class Visit>
void ShadowMemory::each(std::uintptr_t address, std::size_t size, const Visit &visit) const {
  if (size == 0)
    return;
  const std::uintptr_t end = address + size;
  const std::uintptr_t begin = address < largest_number ? 0 : (address - largest_number + 1) / granule * granule;
  const auto visit_page = [&](std::uintptr_t number) {
    Page *page = page_of(number * page_bytes);
    if (!page)
      return;
    for (std::uintptr_t at = std::max(begin, number * page_bytes); at < std::min((number + 1) * page_bytes, end);
         at += granule) {
      Entry &entry = (*page)[at % page_bytes / granule];
      const std::uintptr_t start = at + entry.skew;
      if (entry.size != 0 && start < end && start + entry.size > address)
        visit(entry, start);
    }
  };
  const std::uintptr_t first = begin / page_bytes, last = (end - 1) / page_bytes;
  constexpr std::uintptr_t few = 4;
  if (last - first < few)
    for (std::uintptr_t number = first; number <= last; ++number)
      visit_page(number);
  else
    for (const std::uintptr_t number : pages_between(first, last))
      visit_page(number);
}

ShadowMemory::Lookup ShadowMemory::load(std::uintptr_t address, std::size_t size) {
  if (pages_.empty())
    return {};
  Lookup lookup;
  each(address, size, [&](Entry &entry, std::uintptr_t start) {
    if (start != address || entry.size != size) {
      lookup = {Found::part, 0};
    } else if (std::memcmp(entry.bits.data(), pointer_to(start), size) != 0) {
      entry.size = 0;
      lookup = {Found::changed, 0};
    } else {
      lookup = {Found::number, entry.delta};
    }
  });
  return lookup;
}

void ShadowMemory::store(std::uintptr_t address, std::size_t size, Wide delta) {
  clear(address, size);
  if (is_zero(delta))
    return;
  Entry &entry = make_entry(address);
  entry.delta = delta;
  entry.size = static_cast<std::uint8_t>(size);
  entry.skew = static_cast<std::uint8_t>(address % granule);
  std::memcpy(entry.bits.data(), pointer_to(address), size);
}

void ShadowMemory::clear(std::uintptr_t address, std::size_t size) {
  if (pages_.empty() || size == 0)
    return;
  each(address, size, [](Entry &entry, std::uintptr_t) { entry.size = 0; });
}

Found ShadowMemory::collect(std::uintptr_t address, std::size_t size, std::vector<Movement> &movements) {
  if (pages_.empty() || size == 0)
    return Found::nothing;
  Found found = Found::nothing;
  each(address, size, [&](const Entry &entry, std::uintptr_t start) {
    if (start < address || start + entry.size > address + size) {
      found = Found::part;
    } else if (std::memcmp(entry.bits.data(), pointer_to(start), entry.size) != 0) {
      found = Found::changed;
    } else {
      movements.push_back({static_cast<std::int32_t>(start - address), entry.size, entry.delta});
      if (found == Found::nothing)
        found = Found::number;
    }
  });
  return found;
}

Found ShadowMemory::copy(std::uintptr_t to, std::uintptr_t from, std::size_t size) {
  if (pages_.empty() || to == from)
    return Found::nothing;
  std::vector<std::pair<std::uintptr_t, Entry>> entries;
  Found found = Found::nothing;
  each(from, size, [&](const Entry &entry, std::uintptr_t start) {
    if (start < from || start + entry.size > from + size)
      found = Found::part;
    else
      entries.emplace_back(start - from, entry);
  });
  clear(to, size);
  for (auto &[offset, entry] : entries) {
    entry.skew = static_cast<std::uint8_t>((to + offset) % granule);
    make_entry(to + offset) = entry;
  }
  return found;
}

} // namespace assay::widen
