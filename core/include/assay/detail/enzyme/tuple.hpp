#pragma once
// The tuple in which enzyme::autodiff returns its results. It works with structured bindings and with enzyme::get; one
// of a single element converts to that element, so that a lone tangent or gradient is used like the number that it is.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace enzyme {

template <class... T>
class tuple;

namespace detail {

template <std::size_t I, class T>
struct TupleElement {
  T value;
};

template <class Indices, class... T>
struct TupleElements;
template <std::size_t... I, class... T>
struct TupleElements<std::index_sequence<I...>, T...> : TupleElement<I, T>... {
  constexpr TupleElements() = default;
  constexpr explicit TupleElements(T... values) : TupleElement<I, T>{static_cast<T &&>(values)}... {}
};
template <>
struct TupleElements<std::index_sequence<>> {};

template <std::size_t I, class T>
constexpr T &element(TupleElement<I, T> &part) {
  return part.value;
}
template <std::size_t I, class T>
constexpr const T &element(const TupleElement<I, T> &part) {
  return part.value;
}

} // namespace detail

template <class... T>
class tuple : public detail::TupleElements<std::index_sequence_for<T...>, T...> {
public:
  using detail::TupleElements<std::index_sequence_for<T...>, T...>::TupleElements;
};

template <class T>
class tuple<T> : public detail::TupleElements<std::index_sequence<0>, T> {
public:
  using detail::TupleElements<std::index_sequence<0>, T>::TupleElements;
  constexpr operator const T &() const { return detail::element<0>(*this); }
};

template <class... T>
tuple(T...) -> tuple<T...>;

/// Element `I`; refers into the tuple, or is a copy where the tuple is a temporary.
template <std::size_t I, class... T>
constexpr auto &get(tuple<T...> &values) {
  return detail::element<I>(values);
}
template <std::size_t I, class... T>
constexpr const auto &get(const tuple<T...> &values) {
  return detail::element<I>(values);
}
template <std::size_t I, class... T>
constexpr auto get(tuple<T...> &&values) {
  return static_cast<std::tuple_element_t<I, tuple<T...>>>(detail::element<I>(values));
}

} // namespace enzyme

template <class... T>
struct std::tuple_size<enzyme::tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t I, class... T>
struct std::tuple_element<I, enzyme::tuple<T...>> : std::tuple_element<I, std::tuple<T...>> {};
