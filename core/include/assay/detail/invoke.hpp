#pragma once
// Calls of anything that can be called, and values as a call of the C convention takes them. C++17: <enzyme/enzyme>
// uses it as well.

#include <functional>
#include <type_traits>

namespace assay::detail {

template <class F, class... X>
[[gnu::always_inline]] inline decltype(auto) call(F &function, X &...arguments) {
  if constexpr (std::is_member_pointer_v<std::remove_cv_t<F>>)
    return std::invoke(function, arguments...);
  else
    return function(arguments...);
}

struct AnyClass;

/// Pointers and enumerations lose their type, since a declaration cannot name a type that is local to a function or a
/// source file. `constexpr`, so that code of a device may call it.
template <class T>
[[gnu::always_inline]] constexpr auto erased(T value) {
  if constexpr (std::is_enum_v<T>)
    return static_cast<std::underlying_type_t<T>>(value);
  else if constexpr (std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>)
    return reinterpret_cast<void *>(value);
  else if constexpr (std::is_pointer_v<T>)
    return const_cast<void *>(static_cast<const volatile void *>(value));
  else if constexpr (std::is_member_function_pointer_v<T>)
    return reinterpret_cast<void (AnyClass::*)()>(value);
  else if constexpr (std::is_member_object_pointer_v<T>)
    return reinterpret_cast<char AnyClass::*>(value);
  else
    return value;
}

} // namespace assay::detail
