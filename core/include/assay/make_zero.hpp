#pragma once
// Shadows of zeros. Integers are kept, because a shadow has the shape and the indices of its value.

#include "assay/detail/containers.hpp"
#include <optional>
#include <tuple>
#include <utility>

namespace assay {

/// Sets every floating-point number in `x` to zero; sizes and integers stay.
template <class T>
void set_zero(T &x) {
  using V = std::remove_cvref_t<T>;
  if constexpr (std::floating_point<V>)
    x = V(0);
  else if constexpr (detail::is_container<V> || std::is_array_v<V>)
    for (auto &element : x)
      set_zero(element);
  else
    static_assert(std::integral<V> || std::is_enum_v<V>,
                  "assay: make_zero does not know how to fill this type with zeros");
}
template <class T>
void set_zero(std::optional<T> &x) {
  if (x)
    set_zero(*x);
}
template <class... T>
void set_zero(std::tuple<T...> &x) {
  std::apply([](auto &...element) { (set_zero(element), ...); }, x);
}
template <class A, class B>
void set_zero(std::pair<A, B> &x) {
  set_zero(x.first);
  set_zero(x.second);
}

/// A copy of `x` in which every floating-point number is zero: a fresh shadow. A span gives a vector of its length.
template <class T>
auto make_zero(const T &x) {
  if constexpr (detail::is_span<T>) {
    std::vector<typename T::value_type> zero(x.begin(), x.end());
    set_zero(zero);
    return zero;
  } else {
    T zero = x;
    set_zero(zero);
    return zero;
  }
}

} // namespace assay
