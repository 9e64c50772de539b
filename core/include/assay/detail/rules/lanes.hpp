#pragma once
// One value for each lane, without an allocation.

#include "assay/detail/rules/config.hpp"
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace assay::rules {

template <class T>
class Lanes {
public:
  template <class F>
  Lanes(int width, F &&make) : width_(width) {
    for (int lane = 0; lane < width; ++lane)
      ::new (address(lane)) T(make(lane));
  }
  Lanes(Lanes &&other) noexcept : width_(other.width_) {
    for (int lane = 0; lane < width_; ++lane)
      ::new (address(lane)) T(std::move(other[lane]));
  }
  Lanes &operator=(Lanes &&) = delete;
  ~Lanes() {
    for (int lane = 0; lane < width_; ++lane)
      std::destroy_at(&(*this)[lane]);
  }

  int width() const { return width_; }
  T &operator[](int lane) { return *std::launder(static_cast<T *>(address(lane))); }
  const T &operator[](int lane) const { return const_cast<Lanes &>(*this)[lane]; }

private:
  void *address(int lane) { return memory_ + static_cast<std::size_t>(lane) * sizeof(T); }

  alignas(T) std::byte memory_[sizeof(T) * most_lanes]; // NOLINT(modernize-avoid-c-arrays): raw memory
  int width_;
};

template <class F>
auto Config::each_lane(F &&function) const {
  return Lanes<decltype(function(0))>(width_, function);
}

template <class>
inline constexpr bool is_lanes = false;
template <class T>
inline constexpr bool is_lanes<Lanes<T>> = true;

} // namespace assay::rules
