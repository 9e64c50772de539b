#pragma once
// A copy in the sense of the copy constructor, also of a class that has none because it holds std::unique_ptr: of such
// parts the pointee is copied. Pointers, spans and shared pointers refer to the targets of the original.

#include "assay/detail/traverse/kinds.hpp"

#include <utility>

namespace assay::detail {

template <class T>
T clone(const T &x);

template <class T, std::size_t... I>
T clone_tuple(const T &x, std::index_sequence<I...> /*positions*/) {
  return T(clone(std::get<I>(x))...);
}

template <class T>
T clone_sequence(const T &x) {
  if constexpr (is_instance<T, std::vector>) {
    T copy;
    copy.reserve(x.size());
    for (const auto &element : x)
      copy.push_back(clone(element));
    return copy;
  } else if constexpr (requires(T &copy) {
                         copy.emplace(std::ranges::begin(x)->first, clone(std::ranges::begin(x)->second));
                       }) {
    T copy;
    for (const auto &[key, value] : x)
      copy.emplace(key, clone(value));
    return copy;
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return T{clone(x[I])...};
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    T copy;
    for (const auto &element : x)
      copy.push_back(clone(element));
    return copy;
  }
}

template <class T>
T clone(const T &x) {
  constexpr Kind kind = kind_of<T>();
  if constexpr (!SummaryOf<T>::move_only)
    return x;
  else if constexpr (kind == Kind::unique)
    return x ? std::make_unique<typename T::element_type>(clone(*x)) : nullptr;
  else if constexpr (kind == Kind::optional)
    return x ? T(clone(*x)) : T();
  else if constexpr (kind == Kind::tuple)
    return clone_tuple(x, std::make_index_sequence<std::tuple_size_v<T>>());
  else if constexpr (kind == Kind::sequence)
    return clone_sequence(x);
  else if constexpr (kind == Kind::variant)
    return std::visit([](const auto &alternative) { return T(clone(alternative)); }, x);
  else {
    static_assert(kind == Kind::plain_struct, "assay: this class holds a std::unique_ptr and cannot be copied");
    return with_fields(x, [](const auto &...field) { return T{clone(field)...}; });
  }
}

} // namespace assay::detail
