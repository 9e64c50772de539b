#pragma once
// Beside the program's memory: which numbers in it move, and by how much. The memory itself keeps its layout and its
// values. An entry is good only as long as the memory holds the bits that it held when the entry was made, so what
// other code writes is noticed.

#include "core/widen/wide_number.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace assay::widen {

/// The result of looking for a number.
enum class Found : std::uint8_t {
  nothing, ///< It does not move.
  number,  ///< It moves.
  changed, ///< It moved, but the memory has been written since by code that is not followed.
  part     ///< Only a part of a number that moves is there, or several.
};

/// A number within a piece of memory, or in a word, of which some of its bytes may be elsewhere.
struct Movement {
  std::int32_t offset = 0; ///< Below 0 where only the last bytes are here.
  std::uint32_t size = 0;
  Wide delta = 0;
  std::uint32_t absent = 0; ///< A bit for each byte that is not here.
  const char *cut = "";     ///< Where the program cut it.
};

class ShadowMemory {
public:
  struct Lookup {
    Found found = Found::nothing;
    Wide delta = 0;
  };

  Lookup load(std::uintptr_t address, std::size_t size);
  void store(std::uintptr_t address, std::size_t size, Wide delta);
  void clear(std::uintptr_t address, std::size_t size);

  /// What moves in [address, address + size), and whether a number reaches over the edge or was changed.
  Found collect(std::uintptr_t address, std::size_t size, std::vector<Movement> &movements);
  /// Puts collected movements elsewhere, where the same bits are or will be.
  Found copy(std::uintptr_t to, std::uintptr_t from, std::size_t size);

  bool is_empty() const { return pages_.empty(); }

private:
  /// A run makes and zeroes pages anew, each some 24 times as large as what it shadows.
  static constexpr std::size_t page_bytes = 256, largest_number = 16;
  static constexpr std::size_t granule = 2; ///< Not above the smallest number: a granule has one entry.
  struct Entry {
    Wide delta = 0;
    std::array<unsigned char, largest_number> bits{};
    std::uint8_t size = 0; ///< 0: no entry.
    std::uint8_t skew = 0; ///< Of the start within the granule.
  };
  using Page = std::array<Entry, page_bytes / granule>;

  Page *page_of(std::uintptr_t address) const;
  Entry *entry_at(std::uintptr_t address) const;
  Entry &make_entry(std::uintptr_t address);
  /// The numbers of pages there are from `first` to `last`, in order.
  std::vector<std::uintptr_t> pages_between(std::uintptr_t first, std::uintptr_t last) const;
  /// Calls visit(entry, start) for every entry that has a byte in [address, address + size).
  template <class Visit>
  void each(std::uintptr_t address, std::size_t size, const Visit &visit) const;

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  mutable std::uintptr_t last_number_ = ~std::uintptr_t{0};
  mutable Page *last_page_ = nullptr;
};

} // namespace assay::widen
