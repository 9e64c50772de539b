#pragma once
// The C struct in which a call of the convention returns several values: members in order, laid out as C does.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace assay::detail {

template <class First, class... Rest>
struct HomogeneousPack {
  First values[1 + sizeof...(Rest)];
  template <std::size_t I>
  First get() const {
    return values[I];
  }
};

template <class... T>
struct MixedPack {
  static constexpr std::size_t alignment = std::max({alignof(T)...});
  static constexpr auto offsets = [] {
    std::array<std::size_t, sizeof...(T) + 1> offset{};
    constexpr std::size_t sizes[] = {sizeof(T)...}, alignments[] = {alignof(T)...};
    std::size_t end = 0;
    for (std::size_t i = 0; i != sizeof...(T); ++i) {
      offset[i] = (end + alignments[i] - 1) / alignments[i] * alignments[i];
      end = offset[i] + sizes[i];
    }
    offset.back() = (end + alignment - 1) / alignment * alignment;
    return offset;
  }();
  alignas(alignment) unsigned char bytes[offsets.back()];

  template <std::size_t I>
  auto get() const {
    std::tuple_element_t<I, std::tuple<T...>> value;
    std::memcpy(&value, bytes + offsets[I], sizeof(value));
    return value;
  }
};

template <class T>
struct SinglePack {
  T value;
  template <std::size_t>
  T get() const {
    return value;
  }
};

struct EmptyPack {};

/// `Pack<T...>::Raw` is what the convention's call is declared to return; `Pack<T...>::Values` has `get<I>()`.
template <class... T>
struct Pack;
template <>
struct Pack<> {
  using Raw = void;
  using Values = EmptyPack;
};
template <class T>
struct Pack<T> {
  using Raw = T;
  using Values = SinglePack<T>;
};
template <class First, class Second, class... Rest>
struct Pack<First, Second, Rest...> {
  static constexpr bool homogeneous = std::is_same_v<First, Second> && (std::is_same_v<First, Rest> && ...);
  using Raw =
      std::conditional_t<homogeneous, HomogeneousPack<First, Second, Rest...>, MixedPack<First, Second, Rest...>>;
  using Values = Raw;
};

} // namespace assay::detail
