#pragma once
// The modes of differentiation. A mode is a value without state, so that it serves as template argument
// (`autodiff<Reverse>(...)`) and as function argument (`gradient(Reverse, dx, f, x)`); its type says everything.

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace assay {

/// `split` is reverse mode in two functions, see thunk.hpp.
enum class Direction : std::uint8_t { forward, reverse, split };
enum class Primal : std::uint8_t { omit, keep };

/// Switches of the engine that a single call can turn on.
struct ModeOptions {
  /// Decide while running whether a pointer is active: a shadow that is its primal is not.
  bool runtime_activity = false;
  /// A zero adjoint times an infinite partial derivative is zero, not NaN.
  bool strong_zero = false;
  /// Take memory whose type nothing tells for floating-point numbers.
  bool loose_types = false;
  /// Believe type-based alias information.
  bool strict_aliasing = true;
  /// Warn where a type is guessed.
  bool type_warning = true;
  /// Derivatives with respect to complex numbers are d/dz of a holomorphic function.
  bool holomorphic = false;
  /// Split mode: bit i says that argument i is not overwritten between the two passes.
  std::uint64_t kept_between = 0;
  friend bool operator==(const ModeOptions &, const ModeOptions &) = default;
};

template <Direction D, Primal P, ModeOptions O = ModeOptions{}>
struct Mode {
  static constexpr Direction direction = D;
  static constexpr Primal primal = P;
  static constexpr ModeOptions options = O;
};

inline constexpr Mode<Direction::forward, Primal::omit> Forward{};
inline constexpr Mode<Direction::forward, Primal::keep> ForwardWithPrimal{};
inline constexpr Mode<Direction::reverse, Primal::omit> Reverse{};
inline constexpr Mode<Direction::reverse, Primal::keep> ReverseWithPrimal{};
inline constexpr Mode<Direction::split, Primal::omit> ReverseSplitNoPrimal{};
inline constexpr Mode<Direction::split, Primal::keep> ReverseSplitWithPrimal{};
/// Reverse mode of a holomorphic function: results and shadows are d/dz, not adjoints of real and imaginary part.
inline constexpr Mode<Direction::reverse, Primal::omit, ModeOptions{.holomorphic = true}> ReverseHolomorphic{};
inline constexpr Mode<Direction::reverse, Primal::keep, ModeOptions{.holomorphic = true}>
    ReverseHolomorphicWithPrimal{};

namespace detail {
consteval ModeOptions with_runtime_activity(ModeOptions options, bool on) {
  options.runtime_activity = on;
  return options;
}
consteval ModeOptions with_strong_zero(ModeOptions options, bool on) {
  options.strong_zero = on;
  return options;
}
consteval ModeOptions with_holomorphic(ModeOptions options, bool on) {
  options.holomorphic = on;
  return options;
}
consteval ModeOptions with_loose_types(ModeOptions options, bool on) {
  options.loose_types = on;
  return options;
}
consteval ModeOptions with_strict_aliasing(ModeOptions options, bool on) {
  options.strict_aliasing = on;
  return options;
}
consteval ModeOptions with_type_warning(ModeOptions options, bool on) {
  options.type_warning = on;
  return options;
}
template <class... Modified>
consteval ModeOptions with_modified_between(ModeOptions options, Modified... modified) {
  options.kept_between = 0;
  std::uint64_t bit = 1;
  ((options.kept_between |= modified ? 0 : bit, bit <<= 1), ...);
  return options;
}
} // namespace detail

// Each gives the same mode with one option changed: autodiff<set_runtime_activity(Reverse)>(...). `<false>` turns an
// option off again: set_strong_zero<false>(mode).

/// Run-time activity analysis.
template <bool On = true, Direction D, Primal P, ModeOptions O>
consteval Mode<D, P, detail::with_runtime_activity(O, On)> set_runtime_activity(Mode<D, P, O> /*mode*/) {
  return {};
}
/// Strong zeros.
template <bool On = true, Direction D, Primal P, ModeOptions O>
consteval Mode<D, P, detail::with_strong_zero(O, On)> set_strong_zero(Mode<D, P, O> /*mode*/) {
  return {};
}
/// Guessed types of memory, each with a warning.
template <bool On = true, Direction D, Primal P, ModeOptions O>
consteval Mode<D, P, detail::with_loose_types(O, On)> set_loose_types(Mode<D, P, O> /*mode*/) {
  return {};
}
/// Whether type-based alias information (TBAA) tells types: false for code that breaks its rules. On unless the file is
/// compiled with -assay-strict-aliasing=0.
template <bool On = true, Direction D, Primal P, ModeOptions O>
consteval Mode<D, P, detail::with_strict_aliasing(O, On)> set_strict_aliasing(Mode<D, P, O> /*mode*/) {
  return {};
}
/// Warnings where a type is guessed. On unless the file is compiled with -assay-type-warning=0.
template <bool On = true, Direction D, Primal P, ModeOptions O>
consteval Mode<D, P, detail::with_type_warning(O, On)> set_type_warning(Mode<D, P, O> /*mode*/) {
  return {};
}
/// Derivatives d/dz of functions that return a complex number: set_holomorphic(Reverse) is ReverseHolomorphic.
template <bool On = true, Direction D, Primal P, ModeOptions O>
consteval Mode<D, P, detail::with_holomorphic(O, On &&D != Direction::forward)>
set_holomorphic(Mode<D, P, O> /*mode*/) {
  static_assert(D == Direction::reverse, "assay: holomorphic is a form of the reverse modes in one function");
  return {};
}
/// Split mode: which arguments the caller changes between the forward and the reverse pass, one bool for each. What
/// stays need not be kept on the tape. All count as changed unless this is said.
template <bool... Modified, Direction D, Primal P, ModeOptions O>
consteval Mode<D, P, detail::with_modified_between(O, Modified...)> set_modified_between(Mode<D, P, O> /*mode*/) {
  static_assert(D == Direction::split, "assay: set_modified_between is for the split modes");
  return {};
}

namespace detail {
template <class>
inline constexpr bool is_mode = false;
template <Direction D, Primal P, ModeOptions O>
inline constexpr bool is_mode<Mode<D, P, O>> = true;
template <class M>
inline constexpr bool is_forward = M::direction == Direction::forward;
template <class M>
inline constexpr bool is_split = M::direction == Direction::split;
template <class M>
inline constexpr bool keeps_primal = M::primal == Primal::keep;
} // namespace detail

template <class T>
concept DifferentiationMode = detail::is_mode<std::remove_cvref_t<T>>;

namespace detail {
/// The readable error for an option of something other than a mode; another mode stands for it, which brings no second
/// error.
template <class T>
consteval auto refuse_option() {
  static_assert(DifferentiationMode<T>, "assay: an option is one of a mode: autodiff<set_strong_zero(Reverse)>(...)");
  return Reverse;
}
} // namespace detail

template <bool On = true, class T>
  requires(!DifferentiationMode<T>)
consteval auto set_runtime_activity(T /*none*/) {
  return detail::refuse_option<T>();
}
template <bool On = true, class T>
  requires(!DifferentiationMode<T>)
consteval auto set_strong_zero(T /*none*/) {
  return detail::refuse_option<T>();
}
template <bool On = true, class T>
  requires(!DifferentiationMode<T>)
consteval auto set_loose_types(T /*none*/) {
  return detail::refuse_option<T>();
}
template <bool On = true, class T>
  requires(!DifferentiationMode<T>)
consteval auto set_strict_aliasing(T /*none*/) {
  return detail::refuse_option<T>();
}
template <bool On = true, class T>
  requires(!DifferentiationMode<T>)
consteval auto set_type_warning(T /*none*/) {
  return detail::refuse_option<T>();
}
template <bool On = true, class T>
  requires(!DifferentiationMode<T>)
consteval auto set_holomorphic(T /*none*/) {
  return detail::refuse_option<T>();
}

} // namespace assay
