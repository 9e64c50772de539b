#pragma once
// The fields of a plain struct, and their names, without any declaration by its author: a structured binding takes the
// struct apart, and the name is read off the compiler's spelling of a constant that is the field's address.
//
// A class that is no plain struct names its members by a function beside it:
//
//     friend auto assay_fields(Network &network) { return std::tie(network.weights, network.bias); }

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"

namespace assay::detail {

template <class... T>
struct TypeList {};

template <class T>
concept TakesApart = std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_empty_v<T> &&
                     requires { __builtin_structured_binding_size(T); };

/// Nothing refers to a bit-field.
template <TakesApart T>
constexpr auto has_addressable_fields(T &x) {
  auto &[... field] = x;
  return std::bool_constant<(requires { &field; } && ...)>();
}

template <class T>
concept PlainStruct = TakesApart<T> && decltype(has_addressable_fields(std::declval<T &>()))::value;

/// Calls `use(field...)`.
template <PlainStruct T, class Use>
constexpr decltype(auto) with_fields(T &x, Use &&use) {
  auto &[... field] = x;
  return std::forward<Use>(use)(field...);
}

/// The declared types of the fields: `const double`, `int &`, ...
template <PlainStruct T>
constexpr auto declared_fields(T &x) {
  auto &[... field] = x;
  return TypeList<decltype(field)...>();
}
template <class T>
using fields_of = decltype(declared_fields(std::declval<T &>()));

template <class T>
concept DescribesItsFields = requires(T &x) { assay_fields(x); };

/// An object that is never made: only addresses in it are spelled.
template <class T>
struct Phantom {
  union Room {
    char nothing;
    T object;
    constexpr Room() : nothing() {}
    constexpr ~Room() {}
  };
  static constexpr Room room{};
};

template <class T>
struct Address {
  const T *value;
};
template <class T>
Address(const T *) -> Address<T>;

template <class T, std::size_t I>
consteval auto field_address() {
  auto &[... field] = Phantom<T>::room.object;
  return &std::get<I>(std::tie(field...));
}

template <Address Field>
consteval std::string_view spelling() {
  return __PRETTY_FUNCTION__;
}

/// `weight` for the field of that name.
template <class T, std::size_t I>
consteval std::string_view field_name() {
  const std::string_view text = spelling<Address{field_address<T, I>()}>();
  const std::size_t end = text.rfind('}');
  const std::size_t start = text.find_last_of(".:", end) + 1;
  return text.substr(start, end - start);
}

} // namespace assay::detail

#pragma clang diagnostic pop
