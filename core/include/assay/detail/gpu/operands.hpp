#pragma once
// Operands of the convention's calls in device code: those of an annotated argument, in order.

#include "assay/activity.hpp"
#include "assay/detail/invoke.hpp"
#include "assay/modes.hpp"
#include <array>
#include <cstddef>
#include <type_traits>

#define ASSAY_DEVICE __attribute__((device))
#define ASSAY_DEVICE_INLINE __attribute__((device, always_inline)) inline

namespace assay::detail::gpu {

// ---- the convention

// With names of their own for the convention's symbols, which a program may declare as it likes.
extern ASSAY_DEVICE int marks_constant __asm__("enzyme_const");
extern ASSAY_DEVICE int marks_duplicated __asm__("enzyme_dup");
extern ASSAY_DEVICE int marks_duplicated_no_need __asm__("enzyme_dupnoneed");
extern ASSAY_DEVICE int marks_active __asm__("enzyme_out");
extern ASSAY_DEVICE int marks_width __asm__("enzyme_width");
extern ASSAY_DEVICE int marks_primal_return __asm__("enzyme_primal_return");
extern ASSAY_DEVICE int marks_runtime_activity __asm__("enzyme_runtime_activity");
extern ASSAY_DEVICE int marks_strong_zero __asm__("enzyme_strong_zero");
extern ASSAY_DEVICE int marks_tape_memory __asm__("enzyme_tape_memory");

// NOLINTBEGIN(bugprone-reserved-identifier): the plugin recognises calls by these names.
template <class Result, class... Arguments>
ASSAY_DEVICE Result __enzyme_autodiff(void *function, Arguments... arguments);
template <class Result, class... Arguments>
ASSAY_DEVICE Result __enzyme_fwddiff(void *function, Arguments... arguments);
// NOLINTEND(bugprone-reserved-identifier)

// ---- arguments

template <class A>
inline constexpr AnnotationKind kind_of = annotation_kind<std::remove_cvref_t<A>>;
template <class A>
using value_of = annotated_type<A>;
/// Objects, and numbers with a shadow, are passed by their address.
template <class A>
inline constexpr bool by_value = std::is_pointer_v<value_of<A>> ||
                                 (std::is_scalar_v<value_of<A>> && !is_duplicated_annotation<std::remove_cvref_t<A>>);
template <class A>
using wire_of = std::conditional_t<by_value<A>, value_of<A>, value_of<A> *>;

template <class A>
inline constexpr unsigned lanes_of =
    is_batch_annotation<std::remove_cvref_t<A>> ? count_lanes<std::remove_cvref_t<A>>() : 1;
/// The number of lanes of a call; 0 where it is not batched.
template <class... A>
inline constexpr unsigned width_of = [] {
  unsigned width = 0;
  ((width = is_batch_annotation<std::remove_cvref_t<A>> ? lanes_of<A> : width), ...);
  return width;
}();

/// Without its type, which may be a lambda's: such types must not appear in the names of functions.
template <class T>
ASSAY_DEVICE_INLINE void *address(T &object) {
  return const_cast<void *>(static_cast<const volatile void *>(&object));
}

template <class T>
ASSAY_DEVICE_INLINE auto wire(T &value) {
  if constexpr (std::is_pointer_v<std::remove_cvref_t<T>>)
    return erased(value);
  else
    return address(value);
}

/// One operand of the convention's call.
struct Operand {
  enum class Is { width_marker, width, runtime_activity, strong_zero, primal_return, marker, value, shadow } is;
  unsigned argument = 0, lane = 0;
};

template <class A>
ASSAY_DEVICE_INLINE int marker_of() {
  if constexpr (kind_of<A> == AnnotationKind::constant)
    return marks_constant;
  else if constexpr (kind_of<A> == AnnotationKind::active)
    return marks_active;
  else if constexpr (is_no_need_annotation<std::remove_cvref_t<A>>)
    return marks_duplicated_no_need;
  else
    return marks_duplicated;
}

template <unsigned Index, class First, class... Rest>
ASSAY_DEVICE_INLINE auto &nth(First &first, Rest &...rest) {
  if constexpr (Index == 0)
    return first;
  else
    return nth<Index - 1>(rest...);
}

template <Operand O, unsigned Width, class... A>
ASSAY_DEVICE_INLINE auto operand(A &...arguments) {
  if constexpr (O.is == Operand::Is::width_marker) {
    return marks_width;
  } else if constexpr (O.is == Operand::Is::width) {
    return static_cast<int>(Width);
  } else if constexpr (O.is == Operand::Is::runtime_activity) {
    return marks_runtime_activity;
  } else if constexpr (O.is == Operand::Is::strong_zero) {
    return marks_strong_zero;
  } else if constexpr (O.is == Operand::Is::primal_return) {
    return marks_primal_return;
  } else {
    auto &argument = nth<O.argument>(arguments...);
    using Argument = std::remove_cvref_t<decltype(argument)>;
    if constexpr (O.is == Operand::Is::marker)
      return marker_of<Argument>();
    else if constexpr (O.is == Operand::Is::shadow && is_batch_annotation<Argument>)
      return wire(std::get<O.lane>(argument.shadow));
    else if constexpr (O.is == Operand::Is::shadow)
      return wire(argument.shadow);
    else if constexpr (by_value<Argument>)
      return erased<value_of<Argument>>(argument.value);
    else
      return address(argument.value);
  }
}

template <class M, bool KeepsPrimal, class... A>
struct OperandList {
  static constexpr unsigned width = width_of<A...>;
  static constexpr unsigned size() {
    unsigned count = (width > 0 ? 2 : 0) + M::options.runtime_activity + M::options.strong_zero + KeepsPrimal;
    ((count += 2 + (is_duplicated_annotation<std::remove_cvref_t<A>> ? lanes_of<A> : 0)), ...);
    return count;
  }
  static constexpr auto make() {
    using Is = Operand::Is;
    std::array<Operand, size()> list{};
    unsigned next = 0, argument = 0;
    if (width > 0) {
      list[next++] = {Is::width_marker};
      list[next++] = {Is::width};
    }
    if (M::options.runtime_activity)
      list[next++] = {Is::runtime_activity};
    if (M::options.strong_zero)
      list[next++] = {Is::strong_zero};
    if (KeepsPrimal)
      list[next++] = {Is::primal_return};
    const auto add = [&](bool has_shadow, unsigned lanes) {
      list[next++] = {Is::marker, argument};
      list[next++] = {Is::value, argument};
      for (unsigned lane = 0; has_shadow && lane < lanes; ++lane)
        list[next++] = {Is::shadow, argument, lane};
      ++argument;
    };
    (add(is_duplicated_annotation<std::remove_cvref_t<A>>, lanes_of<A>), ...);
    return list;
  }
  static constexpr auto list = make();
};

} // namespace assay::detail::gpu

#undef ASSAY_DEVICE
#undef ASSAY_DEVICE_INLINE
