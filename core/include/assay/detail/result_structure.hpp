#pragma once
// The shadow of a result that a differentiated function made.
//
// In reverse mode such a shadow has numbers and shadows of pointers, but not the sizes and flags beside them: a
// std::optional counts as empty, an Eigen vector as one of length zero. They are taken from the primal before the
// shadow is seen as a value.

#include "assay/detail/traverse/numbers.hpp"

#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::detail {

/// The bytes from `first` on: sizes beside a pointer.
template <class T>
void adopt_bytes_from(std::size_t first, const T &primal, T &shadow) {
  const auto *from = reinterpret_cast<const unsigned char *>(std::addressof(primal));
  auto *to = reinterpret_cast<unsigned char *>(std::addressof(shadow));
  std::memcpy(to + first, from + first, sizeof(T) - first);
}

/// The byte behind the first `held` ones: the flag of an optional, the index of a variant. Padding stays zero, for the
/// engine may take it for a part of a number.
template <class T>
void adopt_byte_behind(std::size_t held, const T &primal, T &shadow) {
  if (held < sizeof(T))
    reinterpret_cast<unsigned char *>(std::addressof(shadow))[held] =
        reinterpret_cast<const unsigned char *>(std::addressof(primal))[held];
}

template <class T>
bool is_inside(const void *address, const T &object) {
  const auto *begin = reinterpret_cast<const unsigned char *>(std::addressof(object));
  return std::less_equal<const void *>()(begin, address) && std::less<const void *>()(address, begin + sizeof(T));
}

template <class>
inline constexpr std::size_t largest_alternative = 0;
template <class... A>
inline constexpr std::size_t largest_alternative<std::variant<A...>> = [] {
  std::size_t largest = 0;
  ((largest = sizeof(A) > largest ? sizeof(A) : largest), ...);
  return largest;
}();

/// Gives `shadow` the sizes and flags of `primal`.
template <class R>
void adopt_structure(const R &primal, R &shadow);

template <class R>
void adopt_structure_of_elements(const R &primal, R &shadow) {
  auto from = std::ranges::begin(primal);
  for (auto to = std::ranges::begin(shadow); from != std::ranges::end(primal) && to != std::ranges::end(shadow);
       ++from, ++to)
    if constexpr (is_instance<std::remove_cvref_t<decltype(*from)>, std::pair>)
      adopt_structure(from->second, to->second); // Keys of maps are constant.
    else
      adopt_structure(*from, *to);
}

template <class R, std::size_t... I>
void adopt_structure_of_tuple(const R &primal, R &shadow, std::index_sequence<I...> /*elements*/) {
  (adopt_structure(std::get<I>(primal), std::get<I>(shadow)), ...);
}

template <class R, std::size_t... I>
void adopt_structure_of_fields(const R &primal, R &shadow, std::index_sequence<I...> /*fields*/) {
  with_fields(const_cast<R &>(primal), [&](auto &...from) {
    const auto sources = std::tie(from...);
    with_fields(shadow, [&](auto &...to) { (adopt_structure(std::as_const(std::get<I>(sources)), to), ...); });
  });
}

template <class R>
void adopt_structure(const R &primal, R &shadow) {
  constexpr Kind kind = kind_of<R>();
  if constexpr (std::is_const_v<R>) {
    return;
  } else if constexpr (kind == Kind::integer) {
    shadow = primal;
  } else if constexpr (is_instance<R, std::basic_string>) {
    if (shadow.data() != nullptr && !is_inside(shadow.data(), shadow))
      adopt_bytes_from(sizeof(void *), primal, shadow); // The length stands behind the pointer.
  } else if constexpr (kind == Kind::optional) {
    adopt_byte_behind(sizeof(typename R::value_type), primal, shadow);
    if (primal)
      adopt_structure(*primal, *shadow);
  } else if constexpr (kind == Kind::variant) {
    adopt_byte_behind(largest_alternative<R>, primal, shadow);
    std::visit([&]<class A>(const A &alternative) { adopt_structure(alternative, *std::get_if<A>(&shadow)); }, primal);
  } else if constexpr (kind == Kind::sequence) {
    adopt_structure_of_elements(primal, shadow);
  } else if constexpr (kind == Kind::tuple) {
    adopt_structure_of_tuple(primal, shadow, std::make_index_sequence<std::tuple_size_v<R>>());
  } else if constexpr (kind == Kind::unique) {
    if (primal && shadow)
      adopt_structure(*primal, *shadow);
  } else if constexpr (kind == Kind::plain_struct) {
    with_fields(shadow, [&](auto &...field) {
      adopt_structure_of_fields(primal, shadow, std::make_index_sequence<sizeof...(field)>());
    });
  } else if constexpr (kind == Kind::custom) {
    if constexpr (requires { Traversal<R>::adopt_structure(primal, shadow); })
      Traversal<R>::adopt_structure(primal, shadow);
  }
}

/// Sets to zero what no constructor has written in an empty shadow: the room for the value of an optional.
template <class R>
void zero_unused_bytes(R &shadow) {
  constexpr Kind kind = kind_of<R>();
  if constexpr (std::is_const_v<R>)
    return;
  else if constexpr (std::is_trivially_copyable_v<R> && kind != Kind::plain_struct)
    std::memset(static_cast<void *>(std::addressof(shadow)), 0, sizeof(R));
  else if constexpr (kind == Kind::tuple)
    std::apply([](auto &...element) { (zero_unused_bytes(element), ...); }, shadow);
  else if constexpr (kind == Kind::plain_struct)
    with_fields(shadow, [](auto &...field) { (zero_unused_bytes(field), ...); });
}

/// Adds the numbers of `addend` to those of `sum`. Throws std::invalid_argument where they are not as many.
template <class R>
void add_numbers(const R &addend, R &sum) {
  std::vector<number_of<R>> numbers;
  for_each_number(addend,
                  [&](const auto &number, const Path &) { numbers.push_back(static_cast<number_of<R>>(number)); });
  std::size_t next = 0;
  for_each_number(sum, [&]<class Number>(Number &number, const Path &) {
    if (next < numbers.size())
      number += static_cast<Number>(numbers[next]);
    ++next;
  });
  if (next != numbers.size())
    throw std::invalid_argument("assay: a result with " + std::to_string(next) + " numbers has a seed with " +
                                std::to_string(numbers.size()));
}

/// Adds a seed to the shadow of a result.
template <class R>
void add_seed(const R &primal, R &shadow, const R &seed) {
  if constexpr (requires { Traversal<R>::add_seed(primal, shadow, seed); }) {
    Traversal<R>::add_seed(primal, shadow, seed);
  } else {
    adopt_structure(primal, shadow);
    add_numbers(seed, shadow);
  }
}

} // namespace assay::detail
