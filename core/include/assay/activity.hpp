#pragma once
// How an argument of a differentiated call takes part in the derivative.
//
// An annotation holds its argument: an lvalue by reference (the derivative is written into the caller's own
// object), a temporary by value. `Duplicated{A, dA}` is therefore a `Duplicated<std::vector<double> &,
// std::vector<double> &>`, while `Duplicated<std::vector<double>>` names the kind with both held by value.

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace assay {

/// Stands in a result where there is nothing to return.
using None = std::monostate;

namespace detail {

/// An array beside a pointer is the pointer to its first element.
template <class T, class Other>
using BesidePointer =
    std::conditional_t<std::is_pointer_v<std::remove_cvref_t<Other>> && std::is_array_v<std::remove_reference_t<T>>,
                       std::decay_t<T>, T>;

} // namespace detail

/// Not differentiated: its memory is read, never shadowed.
template <class T>
struct Const {
  T value;
};
template <class T>
Const(T &&) -> Const<T>;
template <class R, class... P>
Const(R (&)(P...)) -> Const<R (*)(P...)>;

/// A value whose adjoint is part of the result: a scalar, a complex number, or an array, tuple, plain struct or matrix
/// of fixed size of such that owns no other memory. Reverse mode only. An integer becomes a double.
template <class T>
struct Active {
  T value;
  constexpr Active(T x) : value(std::move(x)) {}
  template <std::integral I>
    requires std::floating_point<T>
  constexpr Active(I n) : value(static_cast<T>(n)) {}
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
Duplicated(T &&, Shadow &&) -> Duplicated<detail::BesidePointer<T, Shadow>, detail::BesidePointer<Shadow, T>>;

/// As Duplicated; the value itself need not be right after the function has written it.
template <class T, class Shadow = T>
struct DuplicatedNoNeed {
  T value;
  Shadow shadow;
};
template <class T, class Shadow>
DuplicatedNoNeed(T &&, Shadow &&)
    -> DuplicatedNoNeed<detail::BesidePointer<T, Shadow>, detail::BesidePointer<Shadow, T>>;

/// A value with several shadows, one for each lane: all derivatives are computed at once. `Shadows` is a std::array of
/// shadows, or a std::tuple of them: std::tie(dx1, dx2). All batched arguments of a call have the same number of lanes.
template <class T, class Shadows = std::array<T, 1>>
struct BatchDuplicated {
  T value;
  Shadows shadow;
};
template <class T, class Shadows>
BatchDuplicated(T &&, Shadows &&) -> BatchDuplicated<T, Shadows>;

/// As BatchDuplicated; the value itself need not be right after the function has written it.
template <class T, class Shadows = std::array<T, 1>>
struct BatchDuplicatedNoNeed {
  T value;
  Shadows shadow;
};
template <class T, class Shadows>
BatchDuplicatedNoNeed(T &&, Shadows &&) -> BatchDuplicatedNoNeed<T, Shadows>;

/// A struct that holds both numbers and pointers to numbers. Its shadow is a variable: the adjoints of its own numbers
/// are added into the shadow, those behind its pointers into the targets of the shadow's pointers.
template <class T, class Shadow = T>
struct MixedDuplicated {
  T value;
  Shadow shadow;
};
template <class T, class Shadow>
MixedDuplicated(T &&, Shadow &&) -> MixedDuplicated<T, Shadow>;

/// The adjoint of the result in reverse mode, before the arguments: autodiff<Reverse>(f, Seed{dy}, Duplicated{x, dx}).
/// It has the type and the shape of the result; in a batched call it is a std::array of one seed for each lane.
template <class T>
struct Seed {
  T value;
};
template <class T>
Seed(T &&) -> Seed<T>;

/// Names the annotated type of a thunk's argument: type<Duplicated<std::vector<double>>>.
template <class T>
struct Type {
  using type = T;
};
template <class T>
inline constexpr Type<T> type{};

namespace detail {
enum class AnnotationKind { none, constant, active, duplicated, duplicated_no_need, mixed, batch, batch_no_need };

template <class>
inline constexpr AnnotationKind annotation_kind = AnnotationKind::none;
template <class T>
inline constexpr AnnotationKind annotation_kind<Const<T>> = AnnotationKind::constant;
template <class T>
inline constexpr AnnotationKind annotation_kind<Active<T>> = AnnotationKind::active;
template <class T, class S>
inline constexpr AnnotationKind annotation_kind<Duplicated<T, S>> = AnnotationKind::duplicated;
template <class T, class S>
inline constexpr AnnotationKind annotation_kind<DuplicatedNoNeed<T, S>> = AnnotationKind::duplicated_no_need;
template <class T, class S>
inline constexpr AnnotationKind annotation_kind<MixedDuplicated<T, S>> = AnnotationKind::mixed;
template <class T, class S>
inline constexpr AnnotationKind annotation_kind<BatchDuplicated<T, S>> = AnnotationKind::batch;
template <class T, class S>
inline constexpr AnnotationKind annotation_kind<BatchDuplicatedNoNeed<T, S>> = AnnotationKind::batch_no_need;

template <class A>
inline constexpr bool is_const_annotation = annotation_kind<A> == AnnotationKind::constant;
template <class A>
inline constexpr bool is_active_annotation = annotation_kind<A> == AnnotationKind::active;
template <class A>
inline constexpr bool is_batch_annotation =
    annotation_kind<A> == AnnotationKind::batch || annotation_kind<A> == AnnotationKind::batch_no_need;
template <class A>
inline constexpr bool is_no_need_annotation =
    annotation_kind<A> == AnnotationKind::duplicated_no_need || annotation_kind<A> == AnnotationKind::batch_no_need;
/// It has one shadow or several.
template <class A>
inline constexpr bool is_duplicated_annotation =
    annotation_kind<A> == AnnotationKind::duplicated || annotation_kind<A> == AnnotationKind::mixed ||
    is_no_need_annotation<A> || is_batch_annotation<A>;

template <class>
inline constexpr bool is_seed = false;
template <class T>
inline constexpr bool is_seed<Seed<T>> = true;

template <class Shadows>
concept LanesOfShadows = requires { std::tuple_size<std::remove_cvref_t<Shadows>>::value; };

/// How many shadows a batched annotation has; 0 for any other annotation, and where they cannot be counted.
template <class A>
consteval unsigned count_lanes() {
  if constexpr (is_batch_annotation<A>)
    if constexpr (LanesOfShadows<decltype(A::shadow)>)
      return std::tuple_size_v<std::remove_cvref_t<decltype(A::shadow)>>;
  return 0;
}

template <class>
inline constexpr bool is_reference_wrapper = false;
template <class T>
inline constexpr bool is_reference_wrapper<std::reference_wrapper<T>> = true;

/// The object itself, where a std::reference_wrapper stands for it.
template <class T>
[[gnu::always_inline]] inline auto &referred(T &x) {
  if constexpr (is_reference_wrapper<std::remove_const_t<T>>)
    return x.get();
  else
    return x;
}

/// The shadow of a lane. A call without batch has one lane; a lane that there is not is an error said elsewhere.
template <unsigned Lane, class A>
[[gnu::always_inline]] inline auto &shadow_in_lane(A &annotation) {
  if constexpr (Lane < count_lanes<std::remove_cv_t<A>>())
    return referred(std::get<Lane>(annotation.shadow));
  else
    return annotation.shadow;
}
} // namespace detail

/// One of the annotations above.
template <class T>
concept Annotation = detail::annotation_kind<std::remove_cvref_t<T>> != detail::AnnotationKind::none;

/// The type that an annotation annotates, without reference and const.
template <Annotation A>
using annotated_type = std::remove_cvref_t<decltype(std::remove_cvref_t<A>::value)>;

} // namespace assay
