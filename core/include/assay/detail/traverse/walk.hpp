#pragma once
// The one traversal of C++ values. It goes through everything that kinds.hpp knows, in the order of declaration, and
// tells a visitor
//
//     visitor.number(x, path)               each real number
//     visitor.integer(x, path)              each integer
//     visitor.owned(begin, bytes)           memory that the value allocated itself (a vector's buffer, a list's node)
//     visitor.reference(r, target, path)    a pointer, span, ... and its target; the visitor follows it or not
//
// Constant parts are passed over, except that a visitor with `constant(x, path)` is told of the constant fields of
// structs; one with `structure(x)` is told of each plain struct before its fields, and one with `grows(x)` of each
// container that may take other memory. Flat vectors, shadows of zeros,
// tangents, comparisons and copies are all made by visitors, so that they agree on the numbers and their order.

#include "assay/detail/traverse/captures.hpp"

namespace assay::detail {

/// Elements that a reference refers to. They are not constant for being seen through a reference to const.
template <class E>
struct Target {
  E *begin = nullptr;
  std::size_t count = 0;
  Label::Kind step = Label::Kind::target; ///< index for a span.
  std::size_t bytes() const { return count * sizeof(E); }
};

template <class T, class Visitor>
void walk(T &x, Visitor &visitor, const Path &path);

template <class E, class Visitor>
void walk_target(const Target<E> &target, Visitor &visitor, const Path &path) {
  for (std::size_t index = 0; index < target.count; ++index)
    walk(target.begin[index], visitor,
         Path(path, target.step == Label::Kind::index ? Label::index(index) : Label::target()));
}

template <class R>
auto target_of(R &reference) {
  constexpr Kind kind = kind_of<R>();
  if constexpr (kind == Kind::view) {
    using E = std::remove_const_t<typename R::element_type>;
    return Target<E>{const_cast<E *>(reference.data()), reference.size(), Label::Kind::index};
  } else if constexpr (kind == Kind::wrapper) {
    using E = std::remove_const_t<typename R::type>;
    return Target<E>{const_cast<E *>(&reference.get()), 1};
  } else if constexpr (kind == Kind::weak) {
    using E = std::remove_const_t<typename R::element_type>;
    const auto locked = reference.lock();
    return Target<E>{const_cast<E *>(locked.get()), locked ? std::size_t{1} : 0};
  } else if constexpr (kind == Kind::shared) {
    using E = std::remove_const_t<typename R::element_type>;
    return Target<E>{const_cast<E *>(reference.get()), reference ? std::size_t{1} : 0};
  } else {
    using E = std::remove_const_t<std::remove_pointer_t<R>>;
    return Target<E>{const_cast<E *>(reference), reference != nullptr ? std::size_t{1} : 0};
  }
}

template <class T, class Visitor>
void walk_sequence(T &x, Visitor &visitor, const Path &path) {
  using Element = std::remove_reference_t<std::ranges::range_reference_t<T>>;
  if constexpr (std::ranges::contiguous_range<T>) {
    const auto count = static_cast<std::size_t>(std::ranges::distance(x));
    if (count > 0)
      visitor.owned(static_cast<const void *>(std::to_address(std::ranges::begin(x))), count * sizeof(Element));
    if constexpr (requires { visitor.grows(x); })
      visitor.grows(x);
  }
  std::size_t index = 0;
  for (Element &element : x) {
    if constexpr (!std::ranges::contiguous_range<T>)
      visitor.owned(static_cast<const void *>(std::addressof(element)), sizeof(Element));
    if constexpr (!nothing_inside<Element>)
      walk(element, visitor, Path(path, Label::index(index)));
    ++index;
  }
}

/// An element; of a tuple of references the target, without the `const` of the reference.
template <std::size_t I, class T>
auto &tuple_element(T &x) {
  using Element = std::tuple_element_t<I, T>;
  if constexpr (std::is_lvalue_reference_v<Element>)
    return const_cast<std::remove_cvref_t<Element> &>(std::get<I>(x));
  else
    return std::get<I>(x);
}

template <class T, class Visitor>
void walk_tuple(T &x, Visitor &visitor, const Path &path) {
  if constexpr (is_instance<T, std::pair>) {
    walk(x.first, visitor, Path(path, Label::field("first")));
    walk(x.second, visitor, Path(path, Label::field("second")));
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (walk(tuple_element<I>(x), visitor, Path(path, Label::index(I))), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  }
}

template <class T, class Visitor>
void walk_field(T &x, Visitor &visitor, const Path &path) {
  if constexpr (!std::is_const_v<T>)
    walk(x, visitor, path);
  else if constexpr (requires { visitor.constant(const_cast<std::remove_const_t<T> &>(x), path); })
    visitor.constant(const_cast<std::remove_const_t<T> &>(x), path);
}

template <class T, class Visitor>
void walk_fields(T &x, Visitor &visitor, const Path &path) {
  if constexpr (requires { visitor.structure(x); })
    visitor.structure(x);
  with_fields(x, [&]<class... Field>(Field &...field) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (walk_field(field, visitor, Path(path, Label::field(field_name<T, I>()))), ...);
    }(std::index_sequence_for<Field...>());
  });
}

template <class T, class Visitor>
void walk_complex(T &x, Visitor &visitor, const Path &path) {
  auto &parts = reinterpret_cast<typename T::value_type(&)[2]>(x); // The standard says that this is its layout.
  walk(parts[0], visitor, Path(path, Label::suffix(".real()")));
  walk(parts[1], visitor, Path(path, Label::suffix(".imag()")));
}

template <class T, class Visitor>
void walk_custom(T &x, Visitor &visitor, const Path &path) {
  if constexpr (requires { visitor.grows(x); })
    visitor.grows(x);
  if constexpr (requires { Traversal<T>::memory(x, [](const void *, std::size_t) {}); })
    Traversal<T>::memory(x, [&](const void *begin, std::size_t bytes) { visitor.owned(begin, bytes); });
  Traversal<T>::walk(x, [&](auto &part, Label label) { walk(part, visitor, Path(path, label)); });
}

template <class T, class Visitor>
void walk_owned_target(T &x, Visitor &visitor, const Path &path) {
  if (!x)
    return;
  if constexpr (kind_of<T>() == Kind::unique)
    visitor.owned(static_cast<const void *>(x.get()), sizeof(*x));
  walk(const_cast<std::remove_cvref_t<decltype(*x)> &>(*x), visitor, Path(path, Label::target()));
}

/// The readable error for a type in which something has no known structure.
template <class T, bool Known>
consteval bool can_be_seen() {
  static_assert(Known,
                "assay: what is in this type cannot be seen. For a class, give a function assay_fields(x) beside it "
                "that returns std::tie of its members, or say with is_inert that nothing is in it; a raw pointer to "
                "numbers does not say to how many: use std::span");
  return Known;
}

template <class T, class Visitor>
void walk(T &x, Visitor &visitor, const Path &path) {
  if constexpr (!std::is_const_v<T>) {
    constexpr Kind kind = kind_of<T>();
    (void)can_be_seen<T, kind != Kind::unknown>();
    if constexpr (kind == Kind::number)
      visitor.number(x, path);
    else if constexpr (kind == Kind::integer)
      visitor.integer(x, path);
    else if constexpr (kind == Kind::complex)
      walk_complex(x, visitor, path);
    else if constexpr (kind == Kind::sequence)
      walk_sequence(x, visitor, path);
    else if constexpr (kind == Kind::tuple)
      walk_tuple(x, visitor, path);
    else if constexpr (kind == Kind::optional || kind == Kind::unique)
      walk_owned_target(x, visitor, path);
    else if constexpr (kind == Kind::variant)
      std::visit([&](auto &alternative) { walk(alternative, visitor, path); }, x);
    else if constexpr (kind == Kind::plain_struct)
      walk_fields(x, visitor, path);
    else if constexpr (kind == Kind::described) {
      auto fields = assay_fields(x);
      walk_tuple(fields, visitor, path);
    } else if constexpr (kind == Kind::custom)
      walk_custom(x, visitor, path);
    else if constexpr (kind != Kind::inert && kind != Kind::unknown)
      visitor.reference(x, target_of(x), path);
  }
}

} // namespace assay::detail
