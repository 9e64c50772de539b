#pragma once
// How an argument with one of the annotations travels through a call of the C convention. What the annotation holds by
// value and C passes in registers goes by value; a reference, and an object, goes as its address.

#include "assay/detail/convention.hpp"
#include "assay/detail/enzyme/activity.hpp"
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace enzyme::detail {

enum class Marker { constant, active, duplicated, duplicated_no_need };

template <Marker M>
[[gnu::always_inline]] inline int marker_value() {
  if constexpr (M == Marker::constant)
    return assay::detail::convention::constant;
  else if constexpr (M == Marker::active)
    return assay::detail::convention::active;
  else if constexpr (M == Marker::duplicated)
    return assay::detail::convention::duplicated;
  else
    return assay::detail::convention::duplicated_no_need;
}

/// The types that a C function receives in registers.
template <class T>
inline constexpr bool passed_by_value = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>;

/// The readable errors for one argument.
template <class A, class M>
constexpr bool valid_argument() {
  using Held = typename A::type;
  using T = std::remove_cv_t<std::remove_reference_t<Held>>;
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

template <class T, class = void>
inline constexpr bool has_size = false;
template <class T>
inline constexpr bool has_size<T, std::void_t<decltype(std::declval<const T &>().size())>> = true;

[[noreturn]] inline void refuse_sizes(std::size_t value, std::size_t shadow) {
  const std::string reason =
      "enzyme: a value with " + std::to_string(value) + " elements has a shadow with " + std::to_string(shadow);
#ifdef __cpp_exceptions
  throw std::invalid_argument(reason);
#else
  std::fprintf(stderr, "%s\n", reason.c_str());
  std::abort();
#endif
}

template <class T>
void require_same_size(const T &value, const T &shadow) {
  if constexpr (has_size<T>)
    if (value.size() != shadow.size())
      refuse_sizes(value.size(), shadow.size());
}

/// The adjoint of an active struct, collected in memory; empty where there is none.
template <class T, bool exists>
struct CollectedAdjoint {};
template <class T>
struct CollectedAdjoint<T, true> {
  T value() const { return *std::launder(reinterpret_cast<const T *>(bytes)); }
  alignas(T) unsigned char bytes[sizeof(T)] = {};
};

/// A shadow may be written to, also where its type is that of an address of constants.
template <class T>
auto mutable_value(T value) {
  if constexpr (std::is_pointer_v<T>)
    return const_cast<std::remove_const_t<std::remove_pointer_t<T>> *>(value);
  else
    return value;
}

/// Stands where an argument has no gradient.
struct None {};

/// `Annotated` is an annotation, const where the caller's is.
template <class Annotated, class M>
class Parameter {
public:
  using A = std::remove_cv_t<Annotated>;
  using Held = typename A::type;
  using T = std::remove_cv_t<std::remove_reference_t<Held>>;
  /// The object as the function sees it: const when the caller's is.
  using Object = std::remove_reference_t<decltype((std::declval<Annotated &>().value))>;

  static constexpr bool by_value = passed_by_value<T> && !std::is_reference_v<Held>;
  static constexpr bool returns_adjoint = is_active<A> && by_value;
  static constexpr bool collects_adjoint = is_active<A> && !by_value;
  static constexpr Marker marker = is_const<A>       ? Marker::constant
                                   : returns_adjoint ? Marker::active
                                   : is_no_need<A>   ? Marker::duplicated_no_need
                                                     : Marker::duplicated;
  static constexpr bool has_shadow = marker == Marker::duplicated || marker == Marker::duplicated_no_need;
  using Wire = std::conditional_t<by_value, T, Object *>;

  explicit Parameter(Annotated &annotation) : annotation_(annotation) {
    static_assert(valid_argument<A, M>());
    if constexpr (is_duplicated<A>)
      require_same_size<T>(annotation.value, annotation.shadow);
  }

  [[gnu::always_inline]] Wire value() const {
    if constexpr (by_value)
      return annotation_.value;
    else
      return std::addressof(annotation_.value);
  }

  [[gnu::always_inline]] auto shadow() {
    if constexpr (collects_adjoint)
      return static_cast<void *>(adjoint_.bytes);
    else if constexpr (by_value)
      return mutable_value(annotation_.shadow);
    else
      return std::addressof(annotation_.shadow);
  }

  /// The gradient, of which `returned` is the call's result for this argument.
  template <class Returned>
  auto gradient(const Returned &returned) const {
    if constexpr (returns_adjoint)
      return returned;
    else if constexpr (collects_adjoint)
      return adjoint_.value();
    else
      return None{};
  }

  /// The object, inside the function that is differentiated.
  [[gnu::always_inline]] static Object &restore(Wire &wire) {
    if constexpr (by_value)
      return wire;
    else
      return *wire;
  }

private:
  Annotated &annotation_;
  CollectedAdjoint<T, collects_adjoint> adjoint_;
};

/// A callable that has no annotation: without a shadow. Pointers to functions and to members travel by value.
template <class F>
class ConstCallable {
public:
  static constexpr bool by_value = std::is_pointer_v<F> || std::is_member_pointer_v<F>;
  static constexpr Marker marker = Marker::constant;
  static constexpr bool has_shadow = false;
  using Object = F;
  using Wire = std::conditional_t<by_value, F, F *>;

  explicit ConstCallable(Wire wire) : wire_(wire) {}
  [[gnu::always_inline]] Wire value() const { return wire_; }
  [[gnu::always_inline]] static F &restore(Wire &wire) {
    if constexpr (by_value)
      return wire;
    else
      return *wire;
  }

private:
  Wire wire_;
};

} // namespace enzyme::detail
