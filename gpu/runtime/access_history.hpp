#pragma once
// For each byte of memory, who wrote it last and who has read it since, as far as needed to tell races.
//
// Four bytes share one record while all accesses are to the whole of them; the first access to a part gives each byte
// a record of its own. A record has room for the last write and three reads. A read takes the place of reads that
// happened before it; where there is no room, of one by the same warp or block as another: what stays tells apart as
// many warps and blocks as can be, so that a later write still meets one that is not ordered before it.

#include "gpu/runtime/interface.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace assay::gpu {

/// One access in 16 bytes.
class Access {
public:
  Access() = default;
  Access(std::uint32_t block, std::uint32_t thread, std::uint32_t clock, std::uint32_t bits, const Site *site)
      : block_(block), clock_(clock),
        packed_(reinterpret_cast<std::uint64_t>(site) << 16U | thread << 6U | (bits & 0x1fU)) {}

  bool is_none() const { return block_ == 0; }
  std::uint32_t block() const { return block_; }
  std::uint32_t clock() const { return clock_; }
  std::uint32_t thread() const { return static_cast<std::uint32_t>(packed_ >> 6U & 0x3ffU); }
  std::uint32_t bits() const { return static_cast<std::uint32_t>(packed_ & 0x1fU); }
  const Site *site() const { return reinterpret_cast<const Site *>(packed_ >> 16U); }
  bool is_same_moment(const Access &other) const {
    return block_ == other.block_ && clock_ == other.clock_ && thread() == other.thread();
  }

private:
  std::uint32_t block_ = 0, clock_ = 0;
  std::uint64_t packed_ = 0; ///< 48 bits of address, 10 of a thread, 5 of kinds; one is free.
};

struct Record {
  Access write;
  std::array<Access, 3> reads;
};

class AccessHistory {
public:
  static constexpr std::uint64_t granule = 4;

  /// Calls `visit(record, address, bytes)` for the records of a range, which it may change.
  template <class Visit>
  void for_each(const char *address, std::uint64_t bytes, Visit visit) {
    const char *end = address + bytes;
    while (address < end) {
      const std::uint64_t inside = reinterpret_cast<std::uint64_t>(address) % granule;
      const auto count = std::min<std::uint64_t>(granule - inside, static_cast<std::uint64_t>(end - address));
      Entry &entry = entry_at(address - inside);
      if (count == granule && !entry.parts) {
        visit(entry.whole, address, granule);
      } else {
        if (!entry.parts)
          split(entry);
        for (std::uint64_t byte = 0; byte < count; ++byte)
          visit((*entry.parts)[inside + byte], address + byte, std::uint64_t(1));
      }
      address += count;
    }
  }

  /// Of memory that is free.
  void forget(const char *begin, std::uint64_t bytes);

private:
  struct Entry {
    Record whole;
    std::unique_ptr<std::array<Record, granule>> parts;
  };
  static constexpr std::uint64_t page_bytes = 1024;
  using Page = std::array<Entry, page_bytes / granule>;

  Entry &entry_at(const char *address) {
    const std::uint64_t place = reinterpret_cast<std::uint64_t>(address), number = place / page_bytes;
    Recent &recent = recent_[number % recent_.size()];
    if (recent.number != number || !recent.page)
      recent = {number, page(number)};
    return (*recent.page)[place % page_bytes / granule];
  }
  Page *page(std::uint64_t number);
  static void split(Entry &entry);

  struct Recent {
    std::uint64_t number = 0;
    Page *page = nullptr;
  };
  std::array<Recent, 256> recent_{};
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

} // namespace assay::gpu
