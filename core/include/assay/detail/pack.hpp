#pragma once
// The C struct in which a call of the convention returns several values: members in order, laid out as C does.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace assay::detail {

template <class First, class... Rest>
struct HomogeneousPack {
  First values[1 + sizeof...(Rest)];
  template <std::size_t I>
  First get() const {
    return values[I];
  }
};

struct EmptyPack {};

/// Members of different types, laid out as C lays them out: a base class that has a base itself is packed to its last
/// member.
template <class Base, class T>
struct AppendedPack : Base {
  T value;
};
template <class Base, class... T>
struct ChainOf {
  using type = Base;
};
template <class Base, class First, class... Rest>
struct ChainOf<Base, First, Rest...> : ChainOf<AppendedPack<Base, First>, Rest...> {};

template <class... T>
struct MixedPack : ChainOf<EmptyPack, T...>::type {
  template <std::size_t I>
  auto get() const {
    return up_to(std::make_index_sequence<I + 1>()).value;
  }

private:
  template <std::size_t... I>
  const auto &up_to(std::index_sequence<I...> /*members*/) const {
    return static_cast<const typename ChainOf<EmptyPack, std::tuple_element_t<I, std::tuple<T...>>...>::type &>(*this);
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

/// `Pack<T...>::Raw` is the declared result of the convention's call; `Pack<T...>::Values` has `get<I>()`.
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
