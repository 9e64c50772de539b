#pragma once
// The properties of a callable and of how it takes its arguments.

#include <assay/detail/testing/flatten.hpp>

#include <bit>
#include <cstring>
#include <functional>
#include <span>

namespace assay::detail {

/// Stands for a parameter type that cannot be seen: of a generic lambda, an overloaded call operator.
struct UnknownParameter {};

template <class F>
struct ParametersOf {
  template <std::size_t I>
  using at = UnknownParameter;
};
template <class R, class... P>
struct ParametersOf<R (*)(P...)> {
  template <std::size_t I>
  using at = std::tuple_element_t<I, std::tuple<P..., UnknownParameter, UnknownParameter>>;
};
template <class R, class... P>
struct ParametersOf<R (*)(P...) noexcept> : ParametersOf<R (*)(P...)> {};
template <class R, class C, class... P>
struct ParametersOf<R (C::*)(P...)> : ParametersOf<R (*)(P...)> {};
template <class R, class C, class... P>
struct ParametersOf<R (C::*)(P...) const> : ParametersOf<R (*)(P...)> {};
template <class R, class C, class... P>
struct ParametersOf<R (C::*)(P...) noexcept> : ParametersOf<R (*)(P...)> {};
template <class R, class C, class... P>
struct ParametersOf<R (C::*)(P...) const noexcept> : ParametersOf<R (*)(P...)> {};
template <class F>
  requires requires { &F::operator(); }
struct ParametersOf<F> : ParametersOf<decltype(&F::operator())> {};

template <class F, std::size_t I>
using parameter_of = typename ParametersOf<F>::template at<I>;

/// The function may write the argument's target.
template <class Declared, class T>
inline constexpr bool may_write = [] {
  using Plain = std::remove_cvref_t<Declared>;
  if constexpr (is_scalar<T>)
    return !std::same_as<Declared, UnknownParameter> && std::is_lvalue_reference_v<Declared> &&
           !std::is_const_v<std::remove_reference_t<Declared>>;
  else if constexpr (std::same_as<Declared, UnknownParameter>)
    return is_in_memory<T>;
  else if constexpr (is_span<Plain>)
    return !std::is_const_v<typename Plain::element_type>;
  else if constexpr (is_differentiable<T> && SummaryOf<T>::refers)
    return true; // Through a pointer or a span in it.
  else
    return std::is_lvalue_reference_v<Declared> && !std::is_const_v<std::remove_reference_t<Declared>>;
}();

/// A scalar that the function takes by reference, to change it. It travels as an array of one.
template <class Declared, class T>
inline constexpr bool is_scalar_in_memory = std::is_arithmetic_v<T> && may_write<Declared, T>;

enum class Differentiated { perhaps, never };

/// How the check sees an argument of type T that the callable declares as Declared.
template <class Declared, class T, Differentiated D = Differentiated::perhaps>
struct ArgumentModel {
  using Given = T;
  static constexpr bool in_memory = is_in_memory<T> || is_scalar_in_memory<Declared, T>;
  static constexpr bool writable = may_write<Declared, T>;
  /// It is declared as something to write to. Active numbers flow into it, so that it has no derivative as Const.
  static constexpr bool is_output =
      std::is_lvalue_reference_v<Declared> && !std::is_const_v<std::remove_reference_t<Declared>> && in_memory;
  static constexpr bool differentiable = is_differentiable<T> && D == Differentiated::perhaps;
  using Stored = std::conditional_t<is_scalar_in_memory<Declared, T>, std::array<T, 1>, T>;

  static Original<Stored> original(const T &value) {
    if constexpr (is_scalar_in_memory<Declared, T>)
      return Original<Stored>({value});
    else
      return Original<Stored>(value);
  }
  /// The argument of the callable.
  template <class S>
  [[gnu::always_inline]] static auto &unwrapped(S &stored) {
    if constexpr (is_scalar_in_memory<Declared, T>)
      return stored[0];
    else
      return stored;
  }
};

/// An array of C as an argument: a copy of its elements, for parameters that are pointers or references to arrays.
template <class U, std::size_t N>
struct HeldArray {
  using Array = U[N];
  std::array<std::remove_const_t<U>, N> elements;

  operator Array &() { return *reinterpret_cast<Array *>(elements.data()); }
  auto begin() const { return elements.begin(); }
  auto end() const { return elements.end(); }
};

/// Const where the function declares memory that it only reads.
template <class Declared>
inline constexpr bool refers_to_constants =
    std::is_const_v<std::remove_all_extents_t<std::remove_reference_t<Declared>>> ||
    std::is_const_v<std::remove_pointer_t<std::remove_reference_t<Declared>>>;

template <class Declared, class U, std::size_t N, Differentiated D>
struct ArgumentModel<Declared, HeldArray<U, N>, D> {
  using Given = HeldArray<U, N>;
  using Stored = std::array<std::remove_const_t<U>, N>;
  static constexpr bool in_memory = true;
  static constexpr bool writable = !std::is_const_v<U> && !refers_to_constants<Declared>;
  static constexpr bool is_output = false;
  static constexpr bool differentiable = is_differentiable<Stored> && D == Differentiated::perhaps;

  static Original<Stored> original(const Given &value) { return Original<Stored>(value.elements); }
  template <class S>
  [[gnu::always_inline]] static auto &unwrapped(S &stored) {
    return *reinterpret_cast<std::conditional_t<std::is_const_v<S>, const U, U>(*)[N]>(stored.data());
  }
};

/// The state that can be compared of a callable that is not differentiated, to see whether a call changed it.
struct CallableState {
  testutils::Values numbers;
  std::vector<long long> integers;
  std::vector<unsigned char> bytes;
  friend bool operator==(const CallableState &left, const CallableState &right) {
    const auto same_bits = [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    };
    return left.integers == right.integers && left.bytes == right.bytes &&
           std::equal(left.numbers.begin(), left.numbers.end(), right.numbers.begin(), right.numbers.end(), same_bits);
  }
};

template <class F>
CallableState state_of(const F &callable) {
  CallableState state;
  if constexpr (std::is_class_v<F> && !std::is_empty_v<F> && Traversable<F>) {
    state.numbers = flatten(callable);
    for_each_number<Wanted::integers>(callable, [&](const auto &integer, const Path &) {
      state.integers.push_back(static_cast<long long>(integer));
    });
  } else if constexpr (std::is_trivially_copyable_v<F> && !std::is_empty_v<F> &&
                       std::has_unique_object_representations_v<F>) {
    state.bytes.resize(sizeof(F));
    std::memcpy(state.bytes.data(), &callable, sizeof(F));
  }
  return state;
}

} // namespace assay::detail
