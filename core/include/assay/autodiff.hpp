#pragma once
// Derivatives of C++ functions.
//
//   double square(double x) { return x * x; }
//   auto r = autodiff<Reverse>(square, Active{3.0});                    // get<0>(r.gradient) == 6
//   auto t = autodiff<ForwardWithPrimal>(square, Duplicated{3.0, 1.0}); // t.primal == 9, t.derivative == 6
//   autodiff<Reverse>(sum_of_squares, Duplicated{A, dA});               // adds 2 A into dA
//
// The code must be compiled by clang with Assay's plugin (`-fpass-plugin=...`; the CMake target Assay::autodiff says
// so). See activity.hpp for the annotations, modes.hpp for the modes, gradient.hpp for gradients of whole functions.

#include "assay/activity.hpp"
#include "assay/detail/differentiate.hpp"
#include "assay/detail/holomorphic.hpp"
#include "assay/make_zero.hpp"
#include "assay/modes.hpp"

namespace assay {

/// Differentiates the call `function(arguments...)`; each argument carries its annotation.
///
/// `function` is a function, a lambda or function object (its captures are constant unless it is itself annotated:
/// `Duplicated{f, df}`), or a pointer to a member function, whose first argument is then the object.
///
///   Reverse             {gradient}: a tuple with the adjoint of each Active argument, None for the others. A result
///   that is
///                       a floating-point scalar is seeded with 1. Shadows of Duplicated arguments are added into.
///   ReverseWithPrimal   {gradient, primal}
///   Forward             {derivative}: the directional derivative of the result along the shadows
///   ForwardWithPrimal   {derivative, primal}
///
/// Throws std::invalid_argument when a shadow has another length than its value.
template <auto M, class F, class... A>
  requires DifferentiationMode<decltype(M)>
[[gnu::always_inline]] inline auto autodiff(F &&function, A &&...arguments) {
  using ModeType = std::remove_cv_t<decltype(M)>;
  detail::require_combined_mode<ModeType>();
  if constexpr (ModeType::options.holomorphic && !detail::is_split<ModeType>)
    return detail::differentiate_holomorphic<ModeType>(function, arguments...);
  else
    return detail::differentiate<ModeType, detail::ReturnActivity::deduced>(function, arguments...);
}

/// The same with the activity of the result said: `autodiff<Reverse, Const>(f, ...)`, `autodiff<Forward,
/// DuplicatedNoNeed>(...)`.
template <auto M, template <class...> class Return, class F, class... A>
  requires DifferentiationMode<decltype(M)>
[[gnu::always_inline]] inline auto autodiff(F &&function, A &&...arguments) {
  detail::require_combined_mode<decltype(M)>();
  static_assert(!std::remove_cv_t<decltype(M)>::options.holomorphic || detail::is_split<std::remove_cv_t<decltype(M)>>,
                "assay: a holomorphic mode says itself how the result takes part: leave its activity out");
  constexpr auto named = detail::return_activity_called<Return, F, A...>();
  return detail::differentiate<std::remove_cv_t<decltype(M)>, named>(function, arguments...);
}

/// Refuses arguments that are no mode.
template <auto M, class... A>
  requires(!DifferentiationMode<decltype(M)>)
inline auto autodiff(A &&.../*arguments*/) {
  static_assert(DifferentiationMode<decltype(M)>,
                "assay: the first parameter of autodiff is a mode: Reverse, ReverseWithPrimal, Forward, "
                "ForwardWithPrimal, or one of these with options, set_strong_zero(Reverse)");
}

/// autodiff under the name that it has where derivatives are nested or run on a device. It is the same function: any
/// mode can be differentiated in any mode.
template <auto M, class F, class... A>
  requires DifferentiationMode<decltype(M)>
[[gnu::always_inline]] inline auto autodiff_deferred(F &&function, A &&...arguments) {
  return autodiff<M>(function, arguments...);
}
template <auto M, template <class...> class Return, class F, class... A>
  requires DifferentiationMode<decltype(M)>
[[gnu::always_inline]] inline auto autodiff_deferred(F &&function, A &&...arguments) {
  return autodiff<M, Return>(function, arguments...);
}

} // namespace assay

#include "assay/gradient.hpp"
#include "assay/hessian.hpp"
#include "assay/jacobian.hpp"
#include "assay/thunk.hpp"
