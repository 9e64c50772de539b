#pragma once
// The modes of differentiation. A mode is a value without state, so that it serves as template argument
// (`autodiff<Reverse>(...)`) and as function argument (`gradient(Reverse, dx, f, x)`); its type says everything.

#include <concepts>
#include <type_traits>

namespace assay {

enum class Direction { forward, reverse };
enum class Primal { omit, keep };

/// Switches of the engine that a single call can turn on.
struct ModeOptions {
  bool runtime_activity =
      false;                ///< Decide while running whether a pointer is active: a shadow equal to its primal is not.
  bool strong_zero = false; ///< A zero adjoint times an infinite partial derivative is zero, not NaN.
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

/// The same mode with run-time activity analysis: `autodiff<set_runtime_activity(Reverse)>(...)`.
template <Direction D, Primal P, ModeOptions O>
constexpr Mode<D, P, ModeOptions{true, O.strong_zero}> set_runtime_activity(Mode<D, P, O> /*mode*/) {
  return {};
}

/// The same mode with strong zeros: `autodiff<set_strong_zero(Reverse)>(...)`.
template <Direction D, Primal P, ModeOptions O>
constexpr Mode<D, P, ModeOptions{O.runtime_activity, true}> set_strong_zero(Mode<D, P, O> /*mode*/) {
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
inline constexpr bool keeps_primal = M::primal == Primal::keep;
} // namespace detail

template <class T>
concept DifferentiationMode = detail::is_mode<std::remove_cvref_t<T>>;

} // namespace assay
