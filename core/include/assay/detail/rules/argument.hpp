#pragma once
// An argument as a rule sees it: its value, and a shadow for each lane. One type stands for every activity, so that one
// text serves them all:
//
//   a number            forward: the shadow is its tangent, zero where it is constant. reverse: the number added to the
//                       shadow is its derivative; where it is constant that goes nowhere
//   anything else       the shadow is there where is_active() is true

#include "assay/detail/rules/config.hpp"
#include <cstdio>
#include <cstdlib>
#include <span>
#include <type_traits>

namespace assay::rules {

/// The type of the shadow of a `T`: as the value, but its target can be written.
template <class T>
struct ShadowOf {
  using type = std::remove_const_t<T>;
};
template <class T>
struct ShadowOf<T *> {
  using type = std::remove_const_t<T> *;
};
template <class T>
struct ShadowOf<T *const> : ShadowOf<T *> {};
template <class T, std::size_t N>
struct ShadowOf<std::span<T, N>> {
  using type = std::span<std::remove_const_t<T>, N>;
};
template <class T, std::size_t N>
struct ShadowOf<const std::span<T, N>> : ShadowOf<std::span<T, N>> {};

namespace detail {

/// C++ passes objects of such a class by the address of a copy.
template <class T>
inline constexpr bool passed_by_address =
    std::is_class_v<T> && !(std::is_trivially_copy_constructible_v<T> && std::is_trivially_move_constructible_v<T> &&
                            std::is_trivially_destructible_v<T>);

template <class P>
inline constexpr bool is_wire_pointer = std::is_reference_v<P> || passed_by_address<P>;

/// Where two shadows are one and the same, as those of memory that carries no derivative are.
template <class T>
const void *place_of(const T &value) {
  if constexpr (std::is_pointer_v<T>)
    return value;
  else if constexpr (
      requires {
        value.data();
        value.size();
      } && std::is_trivially_copyable_v<T> && !requires { std::tuple_size<T>::value; })
    return value.data();
  else
    return nullptr;
}

[[noreturn]] inline void stop_for_shadow() {
  std::fputs("assay: a rule asks for the shadow of an argument that is constant in this call; ask is_active() first\n",
             stderr);
  std::abort();
}

} // namespace detail

/// Argument of a rule, for a parameter of type `P` of the function.
template <class P>
class Argument {
  static constexpr bool is_wire = detail::is_wire_pointer<P>;

public:
  using Value = std::remove_reference_t<P>;
  using Shadow = typename ShadowOf<Value>::type;
  static constexpr bool is_number = std::is_floating_point_v<Value> && !std::is_reference_v<P>;

  Argument(const Config &config, int index, void *value, void *shadows)
      : value(referred(is_wire ? *static_cast<void **>(value) : value)), config_(config), index_(index),
        shadows_(shadows) {}

  Value &value;

  Activity activity() const { return config_.argument(index_); }
  /// False where the argument carries no derivative in this call.
  bool is_active() const {
    if (activity() == Activity::constant)
      return false;
    return !config_.runtime_activity() || !is_own_shadow();
  }
  bool is_const() const { return !is_active(); }
  /// Whether the argument's target may change between augmented_primal and reverse.
  bool overwritten() const { return config_.overwritten(index_); }

  /// forward: the tangent. reverse: the adjoint to add to.
  Shadow &shadow(int lane = 0) const {
    if constexpr (!is_number)
      if (activity() == Activity::constant)
        detail::stop_for_shadow();
    return shadow_at(lane);
  }

private:
  static Value &referred(void *place) {
    if constexpr (std::is_function_v<Value>)
      return *reinterpret_cast<Value *>(place);
    else
      return *static_cast<Value *>(place);
  }
  Shadow &shadow_at(int lane) const {
    const int at = config_.first_lane() + lane;
    if (is_wire || config_.argument_in_memory(index_))
      return *static_cast<Shadow **>(shadows_)[at];
    return static_cast<Shadow *>(shadows_)[at];
  }
  bool is_own_shadow() const {
    if constexpr (is_wire)
      return static_cast<const volatile void *>(&shadow_at(0)) == static_cast<const volatile void *>(&value);
    else if constexpr (is_number)
      return false;
    else
      return detail::place_of(value) != nullptr && detail::place_of(shadow_at(0)) == detail::place_of(value);
  }

  Config config_;
  int index_;
  void *shadows_;
};

/// The adjoint of the result, for `reverse`: a number for a number; of an object, its shadow, which holds the adjoints.
template <class R>
class Seed {
public:
  Seed(const Config &config, void *shadows) : config_(config), shadows_(shadows) {}

  /// False where nothing reads the result, or the value that is read carries no derivative.
  bool is_active() const { return config_.result() != Activity::constant; }
  R &operator()(int lane = 0) const {
    const int at = config_.first_lane() + lane;
    if (config_.result_in_memory())
      return *static_cast<R **>(shadows_)[at];
    return static_cast<R *>(shadows_)[at];
  }
  operator R &() const { return (*this)(0); } // NOLINT(google-explicit-constructor): a seed is its number

private:
  Config config_;
  void *shadows_;
};
template <>
class Seed<void> {
public:
  Seed(const Config & /*config*/, void * /*shadows*/) {}
  static bool is_active() { return false; }
};

} // namespace assay::rules
