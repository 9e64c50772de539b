#pragma once
// The results of a rule, and how they get to where the engine takes them from.

#include "assay/activity.hpp"
#include "assay/detail/parameter.hpp"
#include "assay/detail/rules/add_numbers.hpp"
#include "assay/detail/rules/argument.hpp"
#include "assay/detail/rules/lanes.hpp"
#include "assay/detail/rules/sentence.hpp"
#include "assay/make_zero.hpp"
#include <tuple>

namespace assay {

/// The result of a rule's `augmented_primal`: the value of the function (None for one that returns nothing), the shadow
/// of the result where it refers to memory (None: zeros like the value), and whatever `reverse` wants to know.
template <class Primal = None, class Shadow = None, class Tape = None>
struct AugmentedReturn {
  Primal primal{};
  Shadow shadow{};
  Tape tape{};
};
template <class Primal>
AugmentedReturn(Primal) -> AugmentedReturn<Primal, None, None>;
template <class Primal, class Shadow>
AugmentedReturn(Primal, Shadow) -> AugmentedReturn<Primal, Shadow, None>;
template <class Primal, class Shadow, class Tape>
AugmentedReturn(Primal, Shadow, Tape) -> AugmentedReturn<Primal, Shadow, Tape>;

namespace rules::detail {

/// Stands for the result of a rule's function where an error has been said of it.
struct Refused {};

/// Of rules that are made of pairs.
struct Imported {};

template <class>
inline constexpr bool is_augmented_return = false;
template <class P, class S, class T>
inline constexpr bool is_augmented_return<AugmentedReturn<P, S, T>> = true;

/// Of a tuple, pair or array; -1 of anything else.
template <class T>
inline constexpr int number_of_elements = -1;
template <class T>
  requires requires { std::tuple_size<T>::value; }
inline constexpr int number_of_elements<T> = static_cast<int>(std::tuple_size_v<T>);

/// Of a rule's forward function: one tangent, as for a single lane.
template <class T>
inline constexpr bool returns_one_tangent = false;
template <class V, class S>
inline constexpr bool returns_one_tangent<Duplicated<V, S>> = !is_lanes<std::remove_cvref_t<S>>;
template <class V, class S>
inline constexpr bool returns_one_tangent<DuplicatedNoNeed<V, S>> = !is_lanes<std::remove_cvref_t<S>>;

/// A derivative as `reverse` returns it; the seed itself stands for the adjoint that it refers to.
template <class T>
struct DerivativeOf {
  using type = T;
};
template <class R>
struct DerivativeOf<Seed<R>> {
  using type = R;
};

/// Derivatives of an argument that `reverse` may return: a number, or an object that `Active` takes.
template <class Object, class Returned>
concept ReturnedDerivative =
    std::is_same_v<Returned, None> || (std::is_arithmetic_v<Object> && std::is_arithmetic_v<Returned>) ||
    (assay::detail::ObjectOfNumbers<Object> && std::is_same_v<Object, Returned>);

/// Numbers that can be added to the shadow of an Object, one by one or as the class adds.
template <class Object, class Derivative>
concept AddedTo = std::is_convertible_v<const Derivative &, Object> ||
                  (!std::is_arithmetic_v<Derivative> &&
                   (assay::detail::HasNumbers<Derivative> ||
                    requires(Object &shadow, const Derivative &derivative) { shadow += derivative; }));

/// The readable errors for the derivative of an argument. For arguments without numbers there is none.
template <class A, class Derivative>
consteval bool is_derivative_of() {
  using Object = std::remove_cvref_t<typename A::Value>;
  if constexpr (std::is_same_v<Derivative, None> || std::is_integral_v<Object>) {
    return true;
  } else {
    constexpr bool is_number = !std::is_floating_point_v<Object> || std::is_convertible_v<const Derivative &, Object>;
    ASSAY_STATIC_ASSERT_SENTENCE(
        is_number, sentence("assay: the derivative of a number that a rule returns is a number; this one is a ",
                            TypeName<Derivative>()));
    constexpr bool is_object = !is_number || std::is_pointer_v<Object> || AddedTo<Object, Derivative>;
    ASSAY_STATIC_ASSERT_SENTENCE(
        is_object,
        sentence("assay: the derivative of an object that a rule returns is an object of its shape; that of a ",
                 TypeName<Object>(), " is a ", TypeName<Derivative>()));
    return is_number && is_object;
  }
}

/// Adds the derivative of an argument to its shadow.
template <class A, class Derivative>
void add_derivative(const A &argument, int lane, const Derivative &derivative) {
  using Object = std::remove_cvref_t<typename A::Value>;
  if constexpr (!std::is_same_v<Derivative, None> && !std::is_integral_v<Object>)
    if constexpr (is_derivative_of<A, Derivative>())
      if (A::is_number || argument.is_active())
        add_numbers(argument.shadow(lane), derivative);
}

/// Where the engine takes the value of the function and its shadows from.
template <class R>
class ResultPlace {
public:
  ResultPlace(const Config &config, void *value, void *shadows) : config_(config), value_(value), shadows_(shadows) {}

  template <class V>
  void set_value(V &&value) const {
    constexpr bool fits = std::is_convertible_v<V, std::remove_cv_t<R>>;
    ASSAY_STATIC_ASSERT_SENTENCE(fits,
                                 sentence("assay: the rule gives a value of another type than the function returns: ",
                                          TypeName<std::remove_cvref_t<V>>(), " instead of ", TypeName<R>()));
    if constexpr (fits)
      ::new (value_) std::remove_cv_t<R>(std::forward<V>(value));
  }
  template <class V>
  void set_shadow(int lane, V &&shadow) const {
    const int at = config_.first_lane() + lane;
    void *place = config_.result_in_memory() ? static_cast<void **>(shadows_)[at]
                                             : static_cast<void *>(static_cast<std::remove_cv_t<R> *>(shadows_) + at);
    constexpr bool fits = std::is_convertible_v<V, std::remove_cv_t<R>>;
    ASSAY_STATIC_ASSERT_SENTENCE(
        fits, sentence("assay: the rule gives a tangent or shadow of another type than the function returns: ",
                       TypeName<std::remove_cvref_t<V>>(), " instead of ", TypeName<R>()));
    if constexpr (fits)
      ::new (place) std::remove_cv_t<R>(std::forward<V>(shadow));
  }
  template <class V>
  void set_shadows(V &&shadows) const {
    if constexpr (is_lanes<std::remove_cvref_t<V>>)
      for (const int lane : config_.lanes())
        set_shadow(lane, std::move(shadows[lane]));
    else
      for (const int lane : config_.lanes())
        set_shadow(lane, shadows);
  }

private:
  const Config &config_;
  void *value_;
  void *shadows_;
};
/// A reference is its address.
template <class R>
class ResultPlace<R &> {
public:
  ResultPlace(const Config &config, void *value, void *shadows) : pointers_(config, value, shadows) {}
  void set_value(R &value) const { pointers_.set_value(std::addressof(value)); }

private:
  ResultPlace<R *> pointers_;
};

/// A tape lies on the engine's own where it is small and can be copied byte by byte, and otherwise on the heap.
inline constexpr std::size_t largest_flat_tape = 256;
template <class T>
inline constexpr bool is_flat_tape = std::is_trivially_copyable_v<T> && sizeof(T) <= largest_flat_tape;
template <class T>
using TapeWire = std::conditional_t<is_flat_tape<T>, T, T *>;

template <class T>
void keep_tape(void *place, T tape) {
  if constexpr (is_flat_tape<T>)
    ::new (place) T(tape);
  else
    *static_cast<T **>(place) = new T(std::move(tape));
}
template <class T>
const T &kept_tape(void *place) {
  if constexpr (is_flat_tape<T>)
    return *static_cast<T *>(place);
  else
    return **static_cast<T **>(place);
}
template <class T>
void release_tape(void *place) {
  if constexpr (!is_flat_tape<T>)
    delete *static_cast<T **>(place);
}

} // namespace rules::detail
} // namespace assay
