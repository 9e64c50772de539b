#pragma once
// The one place where the harness calls the C++ interface: one function for each combination.

#include <assay/autodiff.hpp>
#include <assay/detail/testing/menu.hpp>

#include <tuple>
#include <utility>

namespace assay::detail {

/// How the convention passes a value.
template <class Stored>
using passed_type = std::conditional_t<PassedByValue<Stored>, Stored, Stored &>;

/// Calls the function as its author would, with scalars that it changes unwrapped.
template <class F, class R, class... Models>
struct Bridge {
  F function;
  R operator()(passed_type<typename Models::Stored>... arguments) { return function(Models::unwrapped(arguments)...); }
};

// The differentiated function is always one of these two, whose addresses are constants; the function is their constant
// argument.

template <class F, class R, class... P>
struct PlainCall {
  static R run(passed_type<F> function, P... arguments) { return function(arguments...); }
};

/// Stores the result, so that its adjoint can be any seed.
template <class F, class R, class... P>
struct StoredCall {
  static void run(R &result, passed_type<F> function, P... arguments) {
    if constexpr (is_container<R>) {
      const R whole = function(arguments...);
      std::copy(whole.begin(), whole.end(), result.begin());
    } else if constexpr (is_in_memory<R>) {
      const R whole = function(arguments...);
      result = whole; // A copy of equal shape: the numbers go into the memory that is there.
    } else {
      result = function(arguments...);
    }
  }
};

/// One of the two for arguments that are held as the elements of Values.
template <template <class, class, class...> class Kind, class F, class R, class Values>
struct CallOf;
template <template <class, class, class...> class Kind, class F, class R, class... Stored>
struct CallOf<Kind, F, R, std::tuple<Stored &...>> : Kind<F, R, passed_type<Stored>...> {};

template <testutils::Activity A, class T>
[[gnu::always_inline]] inline auto annotated(T &value, T &shadow) {
  using enum testutils::Activity;
  if constexpr (A == constant)
    return Const<T &>{value};
  else if constexpr (A == active)
    return Active<T>{value};
  else if constexpr (A == duplicated)
    return Duplicated<T &, T &>{value, shadow};
  else
    return DuplicatedNoNeed<T &, T &>{value, shadow};
}

template <bool RuntimeActivity, auto M>
inline constexpr auto mode_with = [] {
  if constexpr (RuntimeActivity)
    return set_runtime_activity(M);
  else
    return M;
}();

/// autodiff of Call with the result's activity, and every argument annotated as the combination says.
template <class C, auto M, template <class...> class Result, auto Call, class F, class Values, class Shadows,
          std::size_t... I>
[[gnu::always_inline]] inline auto call_annotated(F &function, Values &values, Shadows &shadows,
                                                  std::index_sequence<I...>) {
  return autodiff<M, Result>(Call, Const<F &>{function},
                             annotated<C::arguments[I]>(std::get<I>(values), std::get<I>(shadows))...);
}

/// Forward mode. Gives the results of autodiff.
template <class C, bool RuntimeActivity, class R, class F, class Values, class Shadows, class Positions>
[[gnu::always_inline]] inline auto call_forward(F &function, Values &values, Shadows &shadows, Positions positions) {
  using enum testutils::Activity;
  constexpr auto call = &CallOf<PlainCall, F, R, Values>::run;
  constexpr auto plain = mode_with<RuntimeActivity, Forward>;
  constexpr auto with_primal = mode_with<RuntimeActivity, ForwardWithPrimal>;
  if constexpr (C::result == duplicated)
    return call_annotated<C, with_primal, Duplicated, call>(function, values, shadows, positions);
  else if constexpr (C::result == duplicated_no_need)
    return call_annotated<C, plain, DuplicatedNoNeed, call>(function, values, shadows, positions);
  else
    return call_annotated<C, plain, Const, call>(function, values, shadows, positions);
}

/// Reverse mode with the result seeded with one, or constant. The gradient's first entry is that of the function.
template <class C, bool RuntimeActivity, class R, class F, class Values, class Shadows, class Positions>
[[gnu::always_inline]] inline auto call_reverse(F &function, Values &values, Shadows &shadows, Positions positions) {
  constexpr auto call = &CallOf<PlainCall, F, R, Values>::run;
  if constexpr (C::result == testutils::Activity::active)
    return call_annotated<C, mode_with<RuntimeActivity, ReverseWithPrimal>, Active, call>(function, values, shadows,
                                                                                          positions);
  else
    return call_annotated<C, mode_with<RuntimeActivity, Reverse>, Const, call>(function, values, shadows, positions);
}

/// Reverse mode with any seed, which stands in `seed`. The gradient's first two entries are those of the result and the
/// function.
template <class C, bool RuntimeActivity, class R, class F, class Values, class Shadows, std::size_t... I>
[[gnu::always_inline]] inline auto call_reverse_seeded(F &function, R &result, R &seed, Values &values,
                                                       Shadows &shadows, std::index_sequence<I...>) {
  constexpr auto call = &CallOf<StoredCall, F, R, Values>::run;
  constexpr auto plain = mode_with<RuntimeActivity, Reverse>;
  return autodiff<plain>(call, Duplicated<R &, R &>{result, seed}, Const<F &>{function},
                         annotated<C::arguments[I]>(std::get<I>(values), std::get<I>(shadows))...);
}

} // namespace assay::detail
