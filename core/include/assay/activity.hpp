#pragma once
// How an argument of a differentiated call takes part in the derivative.
//
// An annotation holds what it is given: an lvalue by reference (the derivative is written into the caller's own
// object), a temporary by value. `Duplicated{A, dA}` is therefore a `Duplicated<std::vector<double> &,
// std::vector<double> &>`, while `Duplicated<std::vector<double>>` names the kind with both held by value.

#include <concepts>
#include <type_traits>
#include <variant>

namespace assay {

/// Stands in a result where there is nothing to return.
using None = std::monostate;

/// Not differentiated: its memory is read, never shadowed.
template <class T>
struct Const {
  T value;
};
template <class T>
Const(T &&) -> Const<T>;

/// A scalar, or an array of scalars, whose derivative is part of the result. Reverse mode only. Integers become double.
template <class T>
struct Active {
  T value;
};
template <class T>
Active(T) -> Active<std::conditional_t<std::integral<T>, double, T>>;

/// A value with its shadow: the tangent in forward mode, the accumulator in reverse mode (which ADDS into it).
template <class T, class Shadow = T>
struct Duplicated {
  T value;
  Shadow shadow;
};
template <class T, class Shadow>
Duplicated(T &&, Shadow &&) -> Duplicated<T, Shadow>;

/// As Duplicated; what the function itself writes to the value need not be right afterwards.
template <class T, class Shadow = T>
struct DuplicatedNoNeed {
  T value;
  Shadow shadow;
};
template <class T, class Shadow>
DuplicatedNoNeed(T &&, Shadow &&) -> DuplicatedNoNeed<T, Shadow>;

namespace detail {
template <class>
inline constexpr bool is_const_annotation = false;
template <class T>
inline constexpr bool is_const_annotation<Const<T>> = true;
template <class>
inline constexpr bool is_active_annotation = false;
template <class T>
inline constexpr bool is_active_annotation<Active<T>> = true;
template <class>
inline constexpr bool is_duplicated_annotation = false;
template <class T, class S>
inline constexpr bool is_duplicated_annotation<Duplicated<T, S>> = true;
template <class T, class S>
inline constexpr bool is_duplicated_annotation<DuplicatedNoNeed<T, S>> = true;
template <class>
inline constexpr bool is_no_need_annotation = false;
template <class T, class S>
inline constexpr bool is_no_need_annotation<DuplicatedNoNeed<T, S>> = true;
} // namespace detail

/// One of the annotations above.
template <class T>
concept Annotation =
    detail::is_const_annotation<std::remove_cvref_t<T>> || detail::is_active_annotation<std::remove_cvref_t<T>> ||
    detail::is_duplicated_annotation<std::remove_cvref_t<T>>;

/// The type that an annotation annotates, without reference and const.
template <Annotation A>
using annotated_type = std::remove_cvref_t<decltype(std::remove_cvref_t<A>::value)>;

} // namespace assay
