#pragma once
// How one annotated argument travels through a call of the C convention.
//
// A scalar or a pointer is passed by value. Everything else, and a scalar that is an accumulator in reverse mode, is
// passed as pointer to the object, with a pointer to the shadow object: the shadow of a vector is a vector, so that the
// shadow of its data pointer is found at the same place. An active array gets a local shadow that is returned as its
// adjoint.

#include "assay/activity.hpp"
#include "assay/detail/containers.hpp"
#include "assay/detail/convention.hpp"
#include "assay/modes.hpp"
#include <memory>

namespace assay::detail {

enum class Marker { constant, active, duplicated, duplicated_no_need };

template <Marker M>
[[gnu::always_inline]] inline int marker_value() {
  if constexpr (M == Marker::constant)
    return convention::constant;
  else if constexpr (M == Marker::active)
    return convention::active;
  else if constexpr (M == Marker::duplicated)
    return convention::duplicated;
  else
    return convention::duplicated_no_need;
}

/// What a C function receives in registers.
template <class T>
concept PassedByValue = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>;

template <class A>
consteval Marker marker_of() {
  if (is_const_annotation<A>)
    return Marker::constant;
  if (is_active_annotation<A>)
    return std::floating_point<annotated_type<A>> ? Marker::active : Marker::duplicated;
  return is_no_need_annotation<A> ? Marker::duplicated_no_need : Marker::duplicated;
}

/// The readable errors for one argument.
template <class A, class M>
consteval bool valid_argument() {
  using T = annotated_type<A>;
  if constexpr (is_active_annotation<A>) {
    static_assert(!is_forward<M>,
                  "assay: Active is for reverse mode; in forward mode use Duplicated{x, dx} with dx the tangent");
    static_assert(
        std::floating_point<T> || ArrayOfReals<T>,
        "assay: Active is for a floating-point scalar or a std::array of them; use Duplicated{x, dx} for anything that "
        "refers to memory (vector, span, pointer)");
  }
  if constexpr (is_duplicated_annotation<A>) {
    using S = decltype(A::shadow);
    static_assert(std::same_as<without_const<T>, without_const<S>>,
                  "assay: the shadow of a Duplicated argument must have the same type as its value");
    static_assert(!std::integral<T> && !std::is_enum_v<T>, "assay: an integer has no derivative; use Const{n}");
    if constexpr (!is_forward<M> && std::floating_point<T>)
      static_assert(std::is_lvalue_reference_v<S> && !std::is_const_v<std::remove_reference_t<S>>,
                    "assay: in reverse mode the shadow of a scalar is an accumulator: give a variable that can be "
                    "added into, or use "
                    "Active{x}");
    if constexpr (!is_forward<M> && (is_std_array<T> || is_vector<T>))
      static_assert(!std::is_const_v<std::remove_reference_t<S>>,
                    "assay: in reverse mode the shadow is added into and must not be const");
  }
  return true;
}

struct NoShadow {};

template <class AnnotationReference, class M>
class Parameter {
public:
  using A = std::remove_cvref_t<AnnotationReference>;
  using T = annotated_type<A>;
  /// The object as the function sees it: const when the caller's is.
  using Object =
      std::remove_reference_t<decltype((std::declval<std::remove_reference_t<AnnotationReference> &>().value))>;

  static constexpr Marker marker = marker_of<A>();
  static constexpr bool accumulates_in_place = is_duplicated_annotation<A> && !is_forward<M> && std::floating_point<T>;
  static constexpr bool by_value = PassedByValue<T> && !accumulates_in_place;
  static constexpr bool has_shadow = marker == Marker::duplicated || marker == Marker::duplicated_no_need;
  static constexpr bool returns_adjoint = marker == Marker::active;
  using Wire = std::conditional_t<by_value, T, Object *>;
  using Gradient = std::conditional_t<is_active_annotation<A>, T, None>;

  explicit Parameter(std::remove_reference_t<AnnotationReference> &annotation) : annotation_(annotation) {
    static_assert(valid_argument<A, M>());
    if constexpr (is_duplicated_annotation<A>)
      require_same_shape(annotation.value, annotation.shadow);
  }

  [[gnu::always_inline]] Wire value() const {
    if constexpr (by_value)
      return annotation_.value;
    else
      return std::addressof(annotation_.value);
  }

  [[gnu::always_inline]] auto shadow() {
    if constexpr (is_active_annotation<A>)
      return std::addressof(adjoint_);
    else if constexpr (by_value)
      return static_cast<without_const<T>>(annotation_.shadow);
    else
      return std::addressof(annotation_.shadow);
  }

  /// The adjoint that was collected in memory; empty unless the argument is an active array.
  auto adjoint() const { return adjoint_; }

  /// The object, inside the function that the engine differentiates.
  [[gnu::always_inline]] static Object &restore(Wire &wire) {
    if constexpr (by_value)
      return wire;
    else
      return *wire;
  }

private:
  std::remove_reference_t<AnnotationReference> &annotation_;
  std::conditional_t<is_active_annotation<A> && !returns_adjoint, T, NoShadow> adjoint_{};
};

} // namespace assay::detail
