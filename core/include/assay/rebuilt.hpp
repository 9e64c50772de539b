#pragma once
// Deep copies that keep sharing (detail/traverse/duplicate.hpp): copies of one buffer are one buffer.

#include "assay/detail/traverse/duplicate.hpp"

#include <array>
#include <memory>
#include <vector>

namespace assay {

namespace detail {

/// A C array as a value: std::array, also of its rows, which has the same layout.
template <class T>
struct ArrayValue {
  using type = T;
};
template <class Element, std::size_t N>
struct ArrayValue<Element[N]> {
  using type = std::array<typename ArrayValue<Element>::type, N>;
};
template <class T>
const typename ArrayValue<T>::type &as_value(const T &array) {
  return reinterpret_cast<const typename ArrayValue<T>::type &>(array);
}
template <class T>
T &as_c_array(typename ArrayValue<T>::type &value) {
  return reinterpret_cast<T &>(value);
}

} // namespace detail

/// A value together with the memory that its pointers and spans refer to. Copies refer to the same value.
template <class T>
class Rebuilt {
public:
  explicit Rebuilt(const T &original) : state(std::make_shared<State>(original)) {}

  T &value() const { return state->value; }
  operator T &() const { return state->value; }
  T &operator*() const { return state->value; }
  T *operator->() const { return &state->value; }

private:
  struct State {
    explicit State(const T &original)
        : value(detail::clone(original)), memory(detail::give_own_memory(original, value)) {}
    T value;
    std::vector<std::shared_ptr<void>> memory;
  };
  std::shared_ptr<State> state;
};

/// A deep copy of `x` with its own memory. It is a T where a T can own its memory; else (raw pointers, spans in a
/// struct) a Rebuilt<T>; for a span a vector, for a C array a std::array, for a view of a library's matrix the matrix.
template <class T>
auto duplicate(const T &x) {
  static_assert(detail::View<T> || !detail::SummaryOf<T>::views,
                "assay: a view inside another value (an Eigen::Map in a struct) cannot be made to refer to a copy");
  if constexpr (std::is_array_v<T>) {
    return duplicate(detail::as_value(x));
  } else if constexpr (detail::is_any_span<T>) {
    using Element = std::remove_const_t<typename T::element_type>;
    return std::vector<Element>(x.begin(), x.end());
  } else if constexpr (detail::View<T>) {
    return Traversal<T>::own(x);
  } else if constexpr (!detail::SummaryOf<T>::refers) {
    return detail::clone(x);
  } else if constexpr (detail::SummaryOf<T>::borrows) {
    return Rebuilt<T>(x);
  } else {
    T copy = detail::clone(x);
    detail::give_own_memory(x, copy); // Shared pointers own their objects.
    return copy;
  }
}

namespace detail {

/// The object with the value: itself, or the value of a Rebuilt.
template <class T>
T &value_of(T &x) {
  return x;
}
template <class T>
T &value_of(Rebuilt<T> &x) {
  return x.value();
}
template <class T>
T &value_of(const Rebuilt<T> &x) {
  return x.value();
}

} // namespace detail
} // namespace assay
