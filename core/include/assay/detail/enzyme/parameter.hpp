#pragma once
// How an argument with one of Enzyme's annotations travels through a call of the C convention: the counterpart of
// assay::detail::Parameter, which it stands in for. What the annotation holds by value and C passes in registers goes
// by value; a reference, and an object, goes as its address.

#include "assay/detail/enzyme/activity.hpp"
#include "assay/detail/parameter.hpp"
#include <array>
#include <bit>
#include <cstddef>

namespace enzyme::detail {

/// The readable errors for one argument.
template <class A, class M>
consteval bool valid_argument() {
  using Held = typename A::type;
  using T = std::remove_cvref_t<Held>;
  if constexpr (is_active<A>) {
    static_assert(!is_forward<M>,
                  "enzyme: Active is for reverse mode; in forward mode use Duplicated(x, dx) with dx the "
                  "tangent");
    static_assert(!std::is_pointer_v<T> && std::is_trivially_copyable_v<T>,
                  "enzyme: Active is for numbers and structs of numbers; use Duplicated(x, dx) for what refers to "
                  "memory");
    static_assert(!std::is_integral_v<T> && !std::is_enum_v<T>, "enzyme: an integer has no derivative; use Const(n)");
  }
  if constexpr (is_duplicated<A>) {
    static_assert(!std::is_integral_v<T> && !std::is_enum_v<T>, "enzyme: an integer has no derivative; use Const(n)");
    static_assert(
        is_forward<M> || !std::is_floating_point_v<T> || std::is_lvalue_reference_v<Held>,
        "enzyme: in reverse mode a Duplicated number needs a shadow that can be added into: use Active(x), or "
        "Duplicated<T &>");
  }
  return true;
}

/// Of a struct of numbers.
template <class T>
T zeros() {
  if constexpr (std::is_trivially_copyable_v<T>)
    return std::bit_cast<T>(std::array<std::byte, sizeof(T)>{});
  else
    return T(); // refused by valid_argument
}

/// A shadow may be written to, also where its type is that of an address of constants.
template <class T>
auto mutable_value(T value) {
  if constexpr (std::is_pointer_v<T>)
    return const_cast<assay::detail::without_const<T>>(value);
  else
    return value;
}

template <class AnnotationReference, class M>
class Parameter {
public:
  using A = std::remove_cvref_t<AnnotationReference>;
  using Held = typename A::type;
  using T = std::remove_cvref_t<Held>;
  /// The object as the function sees it: const when the caller's is.
  using Object =
      std::remove_reference_t<decltype((std::declval<std::remove_reference_t<AnnotationReference> &>().value))>;
  using Marker = assay::detail::Marker;

  static constexpr bool by_value = assay::detail::PassedByValue<T> && !std::is_reference_v<Held>;
  static constexpr bool returns_adjoint = is_active<A> && by_value;
  static constexpr bool collects_adjoint = is_active<A> && !by_value;
  static constexpr Marker marker = is_const<A>       ? Marker::constant
                                   : returns_adjoint ? Marker::active
                                   : is_no_need<A>   ? Marker::duplicated_no_need
                                                     : Marker::duplicated;
  static constexpr bool has_shadow = marker == Marker::duplicated || marker == Marker::duplicated_no_need;
  using Wire = std::conditional_t<by_value, T, Object *>;
  using Gradient = std::conditional_t<is_active<A>, T, assay::None>;

  explicit Parameter(std::remove_reference_t<AnnotationReference> &annotation) : annotation_(annotation) {
    static_assert(valid_argument<A, M>());
    if constexpr (is_duplicated<A>)
      assay::detail::require_same_shape(annotation.value, annotation.shadow);
  }

  [[gnu::always_inline]] Wire value() const {
    if constexpr (by_value)
      return annotation_.value;
    else
      return std::addressof(annotation_.value);
  }

  [[gnu::always_inline]] auto shadow() {
    if constexpr (collects_adjoint)
      return std::addressof(adjoint_);
    else if constexpr (by_value)
      return mutable_value(annotation_.shadow);
    else
      return std::addressof(annotation_.shadow);
  }

  /// The adjoint that was collected in memory; empty unless the argument is active and travels as an address.
  auto adjoint() const { return adjoint_; }

  /// The object, inside the function that is differentiated.
  [[gnu::always_inline]] static Object &restore(Wire &wire) {
    if constexpr (by_value)
      return wire;
    else
      return *wire;
  }

private:
  static auto no_adjoint() {
    if constexpr (collects_adjoint)
      return zeros<T>();
    else
      return assay::detail::NoShadow{};
  }

  std::remove_reference_t<AnnotationReference> &annotation_;
  decltype(no_adjoint()) adjoint_ = no_adjoint();
};

} // namespace enzyme::detail
