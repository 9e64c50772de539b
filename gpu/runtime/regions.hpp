#pragma once
// The memory that device code may access, with its surroundings: a place between the limits of a region's
// surroundings but not in the region is beyond it. Freed memory stays known.

#include "gpu/runtime/interface.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <string>

namespace assay::gpu {

struct Region {
  enum class Kind : std::uint8_t { shared_array, dynamic_shared, buffer, variable, heap } kind = Kind::buffer;
  const char *begin = nullptr;
  std::size_t bytes = 0;
  const char *first = nullptr, *last = nullptr; ///< Its surroundings.
  std::string name;                             ///< Of an array or a variable, or the name of a buffer.
  const Site *site = nullptr;                   ///< Where a kernel allocated it.
  bool is_freed = false;

  bool is_shared() const { return kind == Kind::shared_array || kind == Kind::dynamic_shared; }
  bool holds(const char *address, std::size_t size) const {
    return address >= begin && size <= bytes && address <= begin + (bytes - size);
  }
};

/// `shared array s of 64 bytes`.
std::string text_of(const Region &region);

class Regions {
public:
  /// Takes the place of the earlier regions.
  void add(Region region);
  void set_freed(const void *begin);
  /// The region in whose surroundings the address is, or null.
  const Region *at(const void *address) const;
  const std::map<const char *, Region> &all() const { return all_; }

private:
  std::map<const char *, Region> all_; ///< By the begin of their surroundings.
  static constexpr std::size_t recent_count = 4;
  mutable std::array<const Region *, recent_count> recent_{};
  mutable std::size_t next_ = 0;
};

} // namespace assay::gpu
