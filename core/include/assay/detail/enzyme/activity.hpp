#pragma once
// The annotations and modes of Enzyme's C++ interface. They are types with one parameter: `Duplicated<double *>` holds
// two addresses, `Duplicated<Network &>` refers to two objects, `Duplicated<Network>` holds two.

#include <type_traits>

namespace enzyme {

struct Forward {};
struct ForwardWithPrimal {};
struct Reverse {};
struct ReverseWithPrimal {};

namespace detail {

/// Of an argument from which nothing is deduced.
template <class T>
struct NotDeduced {
  using type = T;
};
template <class T>
using Identity = typename NotDeduced<T>::type;

template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> ||
                                 std::is_member_pointer_v<T> || std::is_null_pointer_v<T>;

/// The member of an annotation without a written type: a reference to a number or an object that has a name, else a
/// value. Arrays and functions become pointers.
template <class T>
using Held =
    std::conditional_t<std::is_lvalue_reference_v<T> && !std::is_array_v<std::remove_reference_t<T>> &&
                           !std::is_function_v<std::remove_reference_t<T>> && !std::is_pointer_v<std::decay_t<T>>,
                       T, std::decay_t<T>>;
/// The same where nothing is written to the annotated value: numbers are held by value.
template <class T>
using HeldConst = std::conditional_t<is_plain<std::decay_t<T>>, std::decay_t<T>, Held<T>>;
/// An active number may be written as an integer.
template <class T>
using HeldActive = std::conditional_t<std::is_integral_v<std::decay_t<T>>, double, HeldConst<T>>;

} // namespace detail

/// Not differentiated.
template <class T>
struct Const {
  using type = T;
  constexpr Const(detail::Identity<T> held)
      : value(static_cast<T &&>(held)) {} // NOLINT(google-explicit-constructor): as in Enzyme
  T value;
};
template <class T>
Const(T &&) -> Const<detail::HeldConst<T>>;

/// The activity of a function that returns nothing.
template <>
struct Const<void> {
  using type = void;
};

/// A number, or a struct of numbers, whose gradient is returned. Reverse mode only.
template <class T>
struct Active {
  using type = T;
  constexpr Active(detail::Identity<T> held)
      : value(static_cast<T &&>(held)) {} // NOLINT(google-explicit-constructor): as in Enzyme
  T value;
};
template <class T>
Active(T &&) -> Active<detail::HeldActive<T>>;

/// A value and its shadow: the tangent in forward mode; in reverse mode gradients are added into it.
template <class T>
struct Duplicated {
  using type = T;
  constexpr Duplicated(detail::Identity<T> held, detail::Identity<T> held_shadow)
      : value(static_cast<T &&>(held)), shadow(static_cast<T &&>(held_shadow)) {}
  T value, shadow;
};

/// As Duplicated; the value itself need not be right after the function has written it. As activity of a result:
/// the tangent without the primal.
template <class T>
struct DuplicatedNoNeed {
  using type = T;
  constexpr DuplicatedNoNeed(detail::Identity<T> held, detail::Identity<T> held_shadow)
      : value(static_cast<T &&>(held)), shadow(static_cast<T &&>(held_shadow)) {}
  T value, shadow;
};

namespace detail {

/// The type of a value and its shadow together: that of the value. A reference needs two of them.
template <class T, class Shadow>
struct HeldBoth {
  static_assert(std::is_convertible_v<Shadow, std::decay_t<T>>,
                "enzyme: the shadow of a Duplicated argument must have the same type as its value");
  static constexpr bool refers = std::is_lvalue_reference_v<Held<T>> && std::is_convertible_v<Shadow, Held<T>>;
  using type = std::conditional_t<refers, Held<T>, std::decay_t<T>>;
};

template <class>
inline constexpr bool is_const = false;
template <class T>
inline constexpr bool is_const<Const<T>> = true;
template <class>
inline constexpr bool is_active = false;
template <class T>
inline constexpr bool is_active<Active<T>> = true;
template <class>
inline constexpr bool is_no_need = false;
template <class T>
inline constexpr bool is_no_need<DuplicatedNoNeed<T>> = true;
template <class T>
inline constexpr bool is_duplicated = is_no_need<T>;
template <class T>
inline constexpr bool is_duplicated<Duplicated<T>> = true;
template <class T>
inline constexpr bool is_annotation = is_const<T> || is_active<T> || is_duplicated<T>;

template <class M>
inline constexpr bool is_forward = std::is_same_v<M, Forward> || std::is_same_v<M, ForwardWithPrimal>;
template <class M>
inline constexpr bool keeps_primal = std::is_same_v<M, ReverseWithPrimal> || std::is_same_v<M, ForwardWithPrimal>;
template <class M>
inline constexpr bool is_mode = is_forward<M> || std::is_same_v<M, Reverse> || std::is_same_v<M, ReverseWithPrimal>;

} // namespace detail

template <class T, class Shadow>
Duplicated(T &&, Shadow &&) -> Duplicated<typename detail::HeldBoth<T, Shadow>::type>;
template <class T, class Shadow>
DuplicatedNoNeed(T &&, Shadow &&) -> DuplicatedNoNeed<typename detail::HeldBoth<T, Shadow>::type>;

} // namespace enzyme
