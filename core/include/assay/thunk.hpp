#pragma once
// Derivatives that are called many times, and reverse mode in two functions.
//
//   auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(
//       f, type<Duplicated<std::vector<double>>>, type<Active<double>>);
//   auto [tape, primal, shadow] = forward(Duplicated{A, dA}, Active{v});
//   auto gradient = reverse(Duplicated{A, dA}, Active{v}, 1.0, tape);
//
// The thunk refers to a function or a variable and holds a temporary callable. Its arguments have the annotations and
// the types that it was made with.

#include "assay/detail/split.hpp"

#include <tuple>
#include <utility>

namespace assay {

namespace detail {

/// The callable of a thunk: a pointer to a function or to a member, a reference to a variable, or a temporary by value.
template <class F>
class HeldCallable {
public:
  using Object = std::remove_reference_t<F>;
  static constexpr bool is_reference =
      std::is_lvalue_reference_v<F> && !std::is_pointer_v<Object> && !std::is_member_pointer_v<Object>;
  [[gnu::always_inline]] explicit HeldCallable(Object &callable) : held(hold(callable)) {}

  /// The callable, or its annotation.
  [[gnu::always_inline]] auto &object() const {
    if constexpr (is_reference)
      return *held;
    else
      return held;
  }

private:
  using Kept = std::conditional_t<is_reference, Object *, std::remove_cv_t<std::decay_t<Object>>>;
  [[gnu::always_inline]] static Kept hold(Object &callable) {
    if constexpr (is_reference)
      return std::addressof(callable);
    else if constexpr (std::is_function_v<Object>)
      return &callable;
    else
      return std::move(callable);
  }
  mutable Kept held;
};

/// The call of a thunk as a call of the engine's: a callable with a shadow is the first argument of CallFirst.
template <class M, ReturnActivity Named, class F, class... A>
struct ThunkCall {
  using Callable = std::remove_cvref_t<F>;
  using SplitType = Split<M, Named, typename CallableParameter<std::remove_reference_t<F>>::type, A...>;
  template <class Use, class Held, class... X>
  [[gnu::always_inline]] static auto with(const Held &held, Use use, X &...arguments) {
    return use(callable_wire(held.object()), arguments...);
  }
  template <class Tuple>
  static auto own(Tuple gradient) {
    return gradient;
  }
};
template <class M, ReturnActivity Named, class F, class... A>
  requires is_const_annotation<std::remove_cvref_t<F>>
struct ThunkCall<M, Named, F, A...> {
  using Value = std::remove_reference_t<decltype(std::declval<F &>().value)>;
  using SplitType = Split<M, Named, typename CallableParameter<Value>::type, A...>;
  template <class Use, class Held, class... X>
  [[gnu::always_inline]] static auto with(const Held &held, Use use, X &...arguments) {
    return use(callable_wire(held.object().value), arguments...);
  }
  template <class Tuple>
  static auto own(Tuple gradient) {
    return gradient;
  }
};
template <class M, ReturnActivity Named, class F, class... A>
  requires is_duplicated_annotation<std::remove_cvref_t<F>>
struct ThunkCall<M, Named, F, A...> {
  using SplitType = Split<M, Named, ConstCallable<const CallFirst>, std::remove_cvref_t<F>, A...>;
  template <class Use, class Held, class... X>
  [[gnu::always_inline]] static auto with(const Held &held, Use use, X &...arguments) {
    return use(&call_first, held.object(), arguments...);
  }
  template <class Tuple>
  static auto own(Tuple gradient) {
    return without_first(gradient);
  }
};

} // namespace detail

/// The forward pass of a thunk. Gives {tape, primal, shadow}.
template <class M, detail::ReturnActivity Named, class F, class... A>
class ForwardThunk {
  using Call = detail::ThunkCall<M, Named, F, A...>;

public:
  [[gnu::always_inline]] explicit ForwardThunk(const detail::HeldCallable<F> &callable) : callable_(callable) {}

  template <class... X>
  [[gnu::always_inline]] auto operator()(X &&...arguments) const {
    if constexpr (detail::DeclaredArguments<std::tuple<A...>>::template match<X...>())
      return Call::with(
          callable_,
          [](auto wire, auto &...given)
              __attribute__((always_inline)) { return Call::SplitType::forward(wire, given...); },
          arguments...);
  }

private:
  detail::HeldCallable<F> callable_;
};

/// The reverse pass of a thunk: the arguments of the forward pass, the adjoint of an active result, and the tape, which
/// it uses up. Gives the tuple of adjoints, None for arguments that are not Active.
template <class M, detail::ReturnActivity Named, class F, class... A>
class ReverseThunk {
  using Call = detail::ThunkCall<M, Named, F, A...>;
  using SplitType = typename Call::SplitType;
  static constexpr std::size_t extra = SplitType::takes_seed ? 2 : 1;

public:
  [[gnu::always_inline]] explicit ReverseThunk(const detail::HeldCallable<F> &callable) : callable_(callable) {}

  template <class... X>
  [[gnu::always_inline]] auto operator()(X &&...operands) const {
    static_assert(SplitType::takes_seed || sizeof...(X) != sizeof...(A) + 2,
                  "assay: the result of this thunk has no adjoint of its own: the reverse pass takes the arguments and "
                  "the tape");
    static_assert(!SplitType::takes_seed || sizeof...(X) != sizeof...(A) + 1,
                  "assay: the reverse pass takes the arguments, the adjoint of the result, and the tape");
    if constexpr (sizeof...(X) == sizeof...(A) + extra)
      return run(std::index_sequence_for<A...>(), std::forward_as_tuple(operands...));
    else
      static_assert(sizeof...(X) == sizeof...(A) + 1 || sizeof...(X) == sizeof...(A) + 2,
                    "assay: this thunk was made with another number of arguments");
  }

private:
  template <std::size_t... I, class Operands>
  [[gnu::always_inline]] auto run(std::index_sequence<I...> /*arguments*/, Operands operands) const {
    auto &tape = std::get<sizeof...(A) + extra - 1>(operands);
    static_assert(std::same_as<std::remove_cvref_t<decltype(tape)>, typename SplitType::TapeType>,
                  "assay: the last operand of the reverse pass is the tape of this thunk's forward pass");
    if constexpr (detail::DeclaredArguments<std::tuple<A...>>::template match<std::tuple_element_t<I, Operands>...>())
      return Call::own(Call::with(
          callable_,
          [&](auto wire, auto &...given) __attribute__((always_inline)) {
            if constexpr (SplitType::takes_seed)
              return SplitType::reverse(wire, std::get<sizeof...(A)>(operands), tape, given...);
            else
              return SplitType::reverse(wire, detail::UnitSeed{}, tape, given...);
          },
          std::get<I>(operands)...));
  }

  detail::HeldCallable<F> callable_;
};

/// Both passes, for `auto [forward, reverse] = ...`.
template <class Forward, class Reverse>
struct SplitThunk {
  Forward forward;
  Reverse reverse;
};

/// A derivative in one function: autodiff of the callable, with the annotations that it was made with.
template <class M, detail::ReturnActivity Named, class F, class... A>
class Thunk {
public:
  [[gnu::always_inline]] explicit Thunk(const detail::HeldCallable<F> &callable) : callable_(callable) {}

  template <class... X>
  [[gnu::always_inline]] auto operator()(X &&...arguments) const {
    if constexpr (detail::DeclaredArguments<std::tuple<A...>>::template match<X...>())
      return run(detail::as_declared<A>(arguments)...);
  }

private:
  template <class... Given>
  [[gnu::always_inline]] auto run(Given... given) const {
    return detail::differentiate<M, Named>(callable_.object(), given...);
  }
  detail::HeldCallable<F> callable_;
};

namespace detail {

template <class F, class... A>
consteval bool can_be_called_with() {
  if constexpr (Annotation<F>)
    return std::invocable<annotated_type<F> &, annotated_type<A> &...>;
  else
    return std::invocable<F &, annotated_type<A> &...>;
}

/// The readable errors for the arguments of a thunk.
template <class M, class F, class... A>
consteval bool valid_thunk() {
  constexpr bool are_annotations = (Annotation<A> && ...);
  static_assert(
      are_annotations,
      "assay: the arguments of a thunk are named by their annotations: type<Duplicated<std::vector<double>>>, "
      "type<Active<double>>");
  if constexpr (are_annotations) {
    constexpr bool is_callable = can_be_called_with<F, A...>();
    static_assert(is_callable, "assay: the function cannot be called with the values of these annotations");
    constexpr std::size_t arguments = sizeof...(A) + (Annotation<F> ? 1 : 0);
    constexpr bool knows_arguments = M::options.kept_between >> arguments == 0;
    static_assert(knows_arguments, "assay: set_modified_between speaks of more arguments than the function has");
    constexpr bool are_active = ([] {
      if constexpr (is_active_annotation<A> && !is_forward<M>)
        return can_be_active<annotated_type<A>>();
      else
        return true;
    }() && ...);
    return is_callable && knows_arguments && are_active && !(is_split<M> && M::options.holomorphic);
  }
  return false;
}

/// In place of a thunk that cannot be made, so that nothing else is said of its calls.
struct RefusedPass {
  Augmented<None, None, None> operator()(const auto &.../*arguments*/) const { return {}; }
};

template <class M, ReturnActivity Named, class F, class... A>
[[gnu::always_inline]] inline auto make_thunk(F &&function) {
  const HeldCallable<F> held(function);
  if constexpr (!valid_thunk<M, F, A...>())
    return SplitThunk{RefusedPass(), RefusedPass()};
  else if constexpr (is_split<M>)
    return SplitThunk{ForwardThunk<M, Named, F, A...>(held), ReverseThunk<M, Named, F, A...>(held)};
  else
    return Thunk<M, Named, F, A...>(held);
}

/// The tape in a std::type_identity, and None after the readable error for a mode without tape.
template <class M, ReturnActivity Named, class F, class... A>
consteval auto tape_type_of() {
  static_assert(is_split<M>, "assay: tape_type is for the split modes; the other modes have no tape");
  if constexpr (is_split<M>)
    return std::type_identity<typename ThunkCall<M, Named, F, A...>::SplitType::TapeType>();
  else
    return std::type_identity<None>();
}

template <class>
inline constexpr bool is_type = false;
template <class T>
inline constexpr bool is_type<Type<T>> = true;

/// The readable error for a thunk that is given objects.
template <auto M, class... A>
constexpr auto refuse_objects() {
  static_assert((is_type<A> && ...),
                "assay: the arguments of a thunk are named by type<...> of their annotations, without values: "
                "type<Duplicated<std::vector<double>>>, type<Active<double>>");
  if constexpr (is_split<std::remove_cv_t<decltype(M)>>)
    return SplitThunk{RefusedPass(), RefusedPass()};
  else
    return RefusedPass();
}

} // namespace detail

/// A thunk for arguments of these annotations, with the activity of the result said. Split modes give {forward,
/// reverse}, all others one function that does the same as autodiff.
template <auto M, template <class...> class Return, class F, class... A>
  requires DifferentiationMode<decltype(M)>
[[gnu::always_inline]] inline auto autodiff_thunk(F &&function, Type<A>... /*annotations*/) {
  constexpr auto named = detail::return_activity_called<Return, F, A...>();
  return detail::make_thunk<std::remove_cv_t<decltype(M)>, named, F, A...>(std::forward<F>(function));
}

/// The same with the activity that the type of the result suggests: that of a number is Active in reverse mode and
/// Duplicated in forward mode, that of a pointer is Duplicated.
template <auto M, class F, class... A>
  requires DifferentiationMode<decltype(M)>
[[gnu::always_inline]] inline auto autodiff_thunk(F &&function, Type<A>... /*annotations*/) {
  return detail::make_thunk<std::remove_cv_t<decltype(M)>, detail::ReturnActivity::deduced, F, A...>(
      std::forward<F>(function));
}

/// Refuses arguments other than type<...>.
template <auto M, template <class...> class Return, class F, class... A>
  requires(DifferentiationMode<decltype(M)> && !(detail::is_type<std::remove_cvref_t<A>> && ...))
inline auto autodiff_thunk(F && /*function*/, A &&.../*arguments*/) {
  return detail::refuse_objects<M, std::remove_cvref_t<A>...>();
}
template <auto M, class F, class... A>
  requires(DifferentiationMode<decltype(M)> && !(detail::is_type<std::remove_cvref_t<A>> && ...))
inline auto autodiff_thunk(F && /*function*/, A &&.../*arguments*/) {
  return detail::refuse_objects<M, std::remove_cvref_t<A>...>();
}

/// The same under the name that it has where derivatives are nested or run on a device.
template <auto M, template <class...> class Return, class F, class... A>
  requires DifferentiationMode<decltype(M)>
[[gnu::always_inline]] inline auto autodiff_deferred_thunk(F &&function, Type<A>... annotations) {
  return autodiff_thunk<M, Return>(std::forward<F>(function), annotations...);
}
template <auto M, class F, class... A>
  requires DifferentiationMode<decltype(M)>
[[gnu::always_inline]] inline auto autodiff_deferred_thunk(F &&function, Type<A>... annotations) {
  return autodiff_thunk<M>(std::forward<F>(function), annotations...);
}

/// The tape of autodiff_thunk<M, Return>(f, type<A>...), where f is an F: tape_type<ReverseSplitWithPrimal, Active,
/// decltype((f)), Duplicated<std::vector<double>>, Active<double>>.
template <auto M, template <class...> class Return, class F, class... A>
using tape_type =
    typename decltype(detail::tape_type_of<std::remove_cv_t<decltype(M)>,
                                           detail::return_activity_called<Return, F, A...>(), F, A...>())::type;

} // namespace assay
