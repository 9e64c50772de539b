#pragma once
// A seeded result is filled in place: it has the shape already, as its shadow has, and the shadow is the seed. Numbers
// are assigned one by one; strings, keys and whatever else holds no numbers are assigned by a function without a
// derivative, so that the shadow keeps its own.

#include "assay/detail/containers.hpp"
#include "assay/detail/same_shape.hpp"
#include "assay/detail/traverse/walk.hpp"

namespace assay::detail {

template <class T>
[[gnu::noinline, clang::annotate("enzyme_inactive")]] void assign_inert(T &to, const T &from) {
  to = from;
}

/// Throws std::invalid_argument where an optional or a variant in a value that is assigned as a whole holds something
/// else than its counterpart in the seed.
template <class T>
[[gnu::always_inline]] inline void require_same_choices(const T &whole, const T &part) {
  if constexpr (HasNumbers<T> && has_shape<T>())
    require_same_shape<OfSeed>(whole, part);
}

template <class T>
[[gnu::always_inline]] inline void fill_part(const T &whole, T &part);

template <class T>
[[gnu::always_inline]] inline void fill_elements(const T &whole, T &elements) {
  auto to = std::ranges::begin(elements);
  for (auto from = std::ranges::begin(whole); from != std::ranges::end(whole); ++from, ++to)
    if constexpr (requires { typename T::mapped_type; })
      fill_part(from->second, to->second); // Keys of maps are constant.
    else
      fill_part(*from, *to);
}

template <class T, std::size_t... I>
[[gnu::always_inline]] inline void fill_tuple(const T &whole, T &tuple, std::index_sequence<I...> /*elements*/) {
  (fill_part(std::get<I>(whole), std::get<I>(tuple)), ...);
}

template <class T, std::size_t... I>
[[gnu::always_inline]] inline void fill_fields(const T &whole, T &object, std::index_sequence<I...> /*fields*/) {
  with_fields(const_cast<T &>(whole), [&](auto &...from) {
    const auto sources = std::tie(from...);
    with_fields(object, [&](auto &...to) { (fill_part(std::as_const(std::get<I>(sources)), to), ...); });
  });
}

/// The shape of a value that is assigned as a whole. It is asked while the result is differentiated, without a
/// derivative.
template <class T>
[[gnu::noinline, clang::annotate("enzyme_inactive")]] void require_shape_of_seed(const T &whole, const T &part) {
  require_same_shape<OfSeed>(whole, part);
}

/// The value behind an optional, or a pointer that owns it.
template <class T>
[[gnu::always_inline]] inline void fill_target(const T &whole, T &part) {
  if (static_cast<bool>(whole) != static_cast<bool>(part))
    refuse_seed(whole ? 1 : 0, part ? 1 : 0);
  if (whole)
    fill_part(std::as_const(*whole), const_cast<std::remove_cvref_t<decltype(*part)> &>(*part));
}

template <class T, std::size_t... I>
[[gnu::always_inline]] inline void fill_variant(const T &whole, T &part, std::index_sequence<I...> /*alternatives*/) {
  if (whole.index() != part.index())
    refuse_other_alternative();
  ((whole.index() == I ? fill_part(*std::get_if<I>(&whole), *std::get_if<I>(&part)) : void()), ...);
}

template <class T>
[[gnu::always_inline]] inline void fill_described(const T &whole, T &object) {
  const auto from = assay_fields(const_cast<T &>(whole));
  const auto to = assay_fields(object);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (fill_part(std::as_const(std::get<I>(from)), std::get<I>(to)), ...);
  }(std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(from)>>>());
}

/// Throws std::invalid_argument where a part has not the shape of its counterpart in `whole`.
template <class T>
[[gnu::always_inline]] inline void fill_part(const T &whole, T &part) {
  constexpr Kind kind = kind_of<T>();
  if constexpr (std::is_array_v<T>) {
    for (std::size_t index = 0; index < std::extent_v<T>; ++index)
      fill_part(whole[index], part[index]);
  } else if constexpr (std::is_trivially_copyable_v<T>) {
    require_same_choices(whole, part);
    part = whole;
  } else if constexpr (Traversable<T> && !HasNumbers<T>) {
    assign_inert(part, whole);
  } else if constexpr (requires { Traversal<T>::fill(whole, part); }) {
    Traversal<T>::fill(whole, part);
  } else if constexpr (kind == Kind::sequence && !is_instance<T, std::basic_string>) {
    require_seed_shape(whole, part);
    if constexpr (requires { typename T::mapped_type; })
      require_same_keys<OfSeed>(whole, part);
    fill_elements(whole, part);
  } else if constexpr (kind == Kind::tuple) {
    fill_tuple(whole, part, std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kind == Kind::plain_struct) {
    with_fields(part, [&](auto &...field) { fill_fields(whole, part, std::make_index_sequence<sizeof...(field)>()); });
  } else if constexpr (kind == Kind::optional || kind == Kind::unique || kind == Kind::shared) {
    fill_target(whole, part);
  } else if constexpr (kind == Kind::variant) {
    fill_variant(whole, part, std::make_index_sequence<std::variant_size_v<T>>());
  } else if constexpr (kind == Kind::described && (SummaryOf<T>::refers || SummaryOf<T>::move_only)) {
    fill_described(whole, part);
  } else if constexpr (std::is_copy_assignable_v<T>) { // others are refused where the seed is taken
    if constexpr (HasNumbers<T> && has_shape<T>())
      require_shape_of_seed(whole, part);
    part = whole;
  }
}

template <class R>
[[gnu::always_inline]] inline void fill_result(const R &whole, R &result) {
  require_seed_shape(whole, result);
  fill_part(whole, result);
}

/// A result that has no shape yet takes over the whole, but for members without numbers beside those with some.
template <class T>
[[gnu::always_inline]] inline void store_part(T &whole, T &part);

template <class T, std::size_t... I>
[[gnu::always_inline]] inline void store_tuple(T &whole, T &tuple, std::index_sequence<I...> /*elements*/) {
  (store_part(std::get<I>(whole), std::get<I>(tuple)), ...);
}
template <class T, std::size_t... I>
[[gnu::always_inline]] inline void store_fields(T &whole, T &object, std::index_sequence<I...> /*fields*/) {
  with_fields(whole, [&](auto &...from) {
    const auto sources = std::tie(from...);
    with_fields(object, [&](auto &...to) { (store_part(std::get<I>(sources), to), ...); });
  });
}
template <class T>
[[gnu::always_inline]] inline void store_part(T &whole, T &part) {
  constexpr Kind kind = kind_of<T>();
  if constexpr (std::is_array_v<T>)
    for (std::size_t index = 0; index < std::extent_v<T>; ++index)
      store_part(whole[index], part[index]);
  else if constexpr (std::is_trivially_copyable_v<T>)
    part = whole;
  else if constexpr (Traversable<T> && !HasNumbers<T>)
    assign_inert(part, whole);
  else if constexpr (kind == Kind::tuple)
    store_tuple(whole, part, std::make_index_sequence<std::tuple_size_v<T>>());
  else if constexpr (kind == Kind::plain_struct)
    with_fields(part, [&](auto &...field) { store_fields(whole, part, std::make_index_sequence<sizeof...(field)>()); });
  else
    part = std::move(whole);
}
template <class T>
inline constexpr bool stores_by_parts = !std::is_trivially_copyable_v<T> && HasNumbers<T> &&
                                        (kind_of<T>() == Kind::tuple || kind_of<T>() == Kind::plain_struct);

/// After the call: the shadow's strings are those of the result.
template <class T>
void copy_inert_parts(const T &whole, T &shadow);

template <class T, std::size_t... I>
void copy_inert_fields(const T &whole, T &shadow, std::index_sequence<I...> /*fields*/) {
  with_fields(const_cast<T &>(whole), [&](auto &...from) {
    const auto sources = std::tie(from...);
    with_fields(shadow, [&](auto &...to) { (copy_inert_parts(std::as_const(std::get<I>(sources)), to), ...); });
  });
}
template <class T>
void copy_inert_parts(const T &whole, T &shadow) {
  constexpr Kind kind = kind_of<T>();
  if constexpr (std::is_trivially_copyable_v<T>)
    return;
  else if constexpr (Traversable<T> && !HasNumbers<T>)
    shadow = whole;
  else if constexpr (kind == Kind::tuple)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (copy_inert_parts(std::get<I>(whole), std::get<I>(shadow)), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  else if constexpr (kind == Kind::plain_struct)
    with_fields(shadow, [&](auto &...field) {
      copy_inert_fields(whole, shadow, std::make_index_sequence<sizeof...(field)>());
    });
}

} // namespace assay::detail
