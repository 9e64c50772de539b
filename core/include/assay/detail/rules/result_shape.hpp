#pragma once
// Adjoints of small results that travel in registers consist of their numbers alone. Its other parts (integers,
// whether there is a number at all) is kept from augmented_primal on, for a rule that looks at the adjoint's shape.

#include "assay/detail/parameter.hpp"
#include "assay/detail/traverse/numbers.hpp"
#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace assay::rules::detail {

template <class T>
consteval bool has_shape_beside_numbers();
template <class... Part>
consteval bool any_has_shape(assay::detail::TypeList<Part...> /*parts*/) {
  return (has_shape_beside_numbers<std::remove_cv_t<Part>>() || ...);
}

/// There is more to a `T` than numbers.
template <class T>
consteval bool has_shape_beside_numbers() {
  constexpr auto kind = assay::detail::kind_of<T>();
  if (kind == assay::detail::Kind::integer || kind == assay::detail::Kind::optional ||
      kind == assay::detail::Kind::variant || (kind == assay::detail::Kind::inert && !std::is_empty_v<T>))
    return true;
  return any_has_shape(typename assay::detail::PartsOf<T>::type());
}

/// A result that the calling convention may pass in registers, and that is not just numbers.
template <class R>
consteval bool has_shape_in_registers() {
  constexpr std::size_t two_registers = 16;
  if constexpr (std::is_class_v<R>)
    if constexpr (assay::detail::TriviallyCopied<R> && sizeof(R) <= two_registers && assay::detail::HasNumbers<R> &&
                  !assay::detail::SummaryOf<R>::refers)
      return has_shape_beside_numbers<R>();
  return false;
}

/// The bytes of a value, which is copied like them.
template <class R>
struct alignas(R) Shape {
  std::array<std::byte, sizeof(R)> bytes{};

  Shape() = default;
  explicit Shape(const R &value) { std::memcpy(bytes.data(), &value, sizeof(R)); }
};

/// The argument of reverse where the adjoint needs the shape of the value.
template <class Kept, class R>
struct TapeWithShape {
  Kept kept;
  Shape<R> shape;
};

/// `numbers` where the shape has numbers, and the shape's content everywhere else.
template <class R>
void take_shape(R &numbers, Shape<R> shape) {
  R &whole = *std::launder(reinterpret_cast<R *>(shape.bytes.data()));
  assay::detail::for_each_number(whole, [&]<class Number>(Number &number, const assay::detail::Path &) {
    const std::ptrdiff_t offset = reinterpret_cast<std::byte *>(&number) - shape.bytes.data();
    std::memcpy(&number, reinterpret_cast<std::byte *>(&numbers) + offset, sizeof(Number));
  });
  std::memcpy(static_cast<void *>(&numbers), shape.bytes.data(), sizeof(R));
}

} // namespace assay::rules::detail
