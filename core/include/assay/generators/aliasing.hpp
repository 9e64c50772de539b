// Which arguments share memory. A function of several arrays may be called with the same one twice, or with
// overlapping parts of one.
#pragma once

#include <rapidcheck/Gen.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::gen {

/// View k is `length` elements of buffer `buffer_of[k]`, from element `offset_of[k]` on. Buffers are numbered in the
/// order in which views first mention them.
struct Aliasing {
  std::size_t length = 0;
  std::vector<std::size_t> buffer_of, offset_of;

  std::size_t buffers() const;
  /// Elements that the buffer must have.
  std::size_t size_of(std::size_t buffer) const;
  friend bool operator==(const Aliasing &, const Aliasing &) = default;
};

enum class Sharing : std::uint8_t {
  whole,      ///< views of one buffer are the same memory
  overlapping ///< they may be shifted against each other by less than their length
};

/// How `views` arrays of `length` elements share memory; each partition into buffers can be drawn. Shrinks toward
/// arrays that share nothing.
rc::Gen<Aliasing> aliasing(std::size_t views, std::size_t length, Sharing sharing = Sharing::whole);

/// All ways in which `views` arrays can be the same or not, the one that shares nothing first: Bell(views) of them.
std::vector<Aliasing> all_aliasings(std::size_t views, std::size_t length);

} // namespace assay::gen
