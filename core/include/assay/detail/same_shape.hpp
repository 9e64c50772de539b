#pragma once
// Whether a shadow has the shape of its value: derivatives are written where the value has its numbers, so a shadow
// with fewer of them would be written behind its end.

#include "assay/detail/containers.hpp"
#include "assay/detail/traverse/kinds.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::detail {

template <class T>
consteval bool has_shape();

template <class... Part>
consteval bool has_part_with_shape(TypeList<Part...> /*parts*/) {
  return (has_shape<std::remove_cvref_t<Part>>() || ...);
}

/// True where two values of a `T` can have numbers in different places: it is or holds a container, an optional, a
/// variant, or a matrix. Values behind pointers do not count.
template <class T>
consteval bool has_shape() {
  constexpr Kind kind = kind_of<T>();
  if constexpr (kind == Kind::sequence && !has_parts_in_place<T>())
    return true;
  else if constexpr (kind == Kind::view || kind == Kind::optional || kind == Kind::variant)
    return true;
  else if constexpr (kind == Kind::custom)
    return requires(const T &x) { Traversal<T>::require_same_shape(x, x); } ||
           has_part_with_shape(typename PartsOf<T>::type());
  else if constexpr (kind == Kind::sequence || kind == Kind::tuple || kind == Kind::plain_struct ||
                     kind == Kind::described)
    return has_part_with_shape(typename PartsOf<T>::type());
  else
    return false;
}

/// The message for a shadow that has not the shape of its value.
struct OfShadow {
  [[noreturn, gnu::noinline]] static void refuse(std::size_t elements, std::size_t shadow_elements) {
    throw std::invalid_argument("assay: a value with " + std::to_string(elements) + " elements has a shadow with " +
                                std::to_string(shadow_elements));
  }
  [[noreturn, gnu::noinline]] static void refuse_alternative() {
    throw std::invalid_argument("assay: a std::variant holds another alternative than its shadow");
  }
  [[noreturn, gnu::noinline]] static void refuse_keys() {
    throw std::invalid_argument(
        "assay: a map or hash table has other keys than its shadow, or has them elsewhere in its "
        "memory: make the shadow with make_zero, or as a copy");
  }
};
/// The same of a seed that has not the shape of the result.
struct OfSeed {
  [[noreturn]] static void refuse(std::size_t elements, std::size_t seed_elements) {
    refuse_seed(long(elements), long(seed_elements));
  }
  [[noreturn]] static void refuse_alternative() { refuse_other_alternative(); }
  [[noreturn, gnu::noinline]] static void refuse_keys() {
    throw std::invalid_argument(
        "assay: a map or hash table in the result has other keys than in the seed, or has them in "
        "another order: make the seed with make_zero of a result");
  }
};

template <class Words = OfShadow, class T, class S>
void require_same_shape(const T &value, const S &shadow);

/// Of an element or a field: one without numbers may be left empty in a shadow.
template <class Words, class T, class S>
void require_same_shape_of_part(const T &value, const S &shadow) {
  if constexpr (has_shape<T>())
    if constexpr (HasNumbers<T>)
      require_same_shape<Words>(value, shadow);
}

/// How many nodes are above one of a balanced tree; 0 where the library does not show them.
template <class Iterator>
std::size_t depth_in_tree(Iterator position) {
  std::size_t depth = 0;
  if constexpr (requires { position._M_node->_M_parent->_M_parent; })
    for (auto node = position._M_node; node->_M_parent->_M_parent != node; node = node->_M_parent)
      ++depth; // The root and the header are parents of one another.
  return depth;
}

/// Of maps and hash tables with the same number of elements: a derivative is written where the primal's element lies,
/// so keys are to be in the same order, and for a shadow in the same places of the tree or table.
template <class Words, class T, class S>
[[gnu::noinline, clang::annotate("enzyme_inactive")]] void require_same_keys(const T &value, const S &shadow) {
  constexpr bool is_shadow = std::same_as<Words, OfShadow>;
  bool same = true;
  if constexpr (is_shadow && requires { value.bucket_count(); })
    same = value.bucket_count() == shadow.bucket_count();
  auto other = shadow.begin();
  for (auto element = value.begin(); same && element != value.end(); ++element, ++other) {
    if constexpr (requires { element->first == other->first; })
      same = element->first == other->first;
    if constexpr (is_shadow)
      same = same && depth_in_tree(element) == depth_in_tree(other);
  }
  if (!same)
    Words::refuse_keys();
}

template <class Words, class T, class S>
void require_same_elements(const T &value, const S &shadow) {
  if constexpr (requires { std::ranges::size(value); })
    if (std::ranges::size(value) != std::ranges::size(shadow))
      Words::refuse(std::ranges::size(value), std::ranges::size(shadow));
  if constexpr (requires { typename T::mapped_type; } && HasNumbers<T>)
    require_same_keys<Words>(value, shadow);
  if constexpr (has_shape<std::remove_cvref_t<decltype(*std::ranges::begin(value))>>()) {
    auto other = std::ranges::begin(shadow);
    for (const auto &element : value) {
      if (other == std::ranges::end(shadow))
        return;
      require_same_shape_of_part<Words>(element, *other);
      ++other;
    }
  }
}

template <class Words, class T, class S, std::size_t... I>
void require_same_shape_of_parts(const T &value, const S &shadow, std::index_sequence<I...> /*parts*/) {
  (require_same_shape_of_part<Words>(std::get<I>(value), std::get<I>(shadow)), ...);
}

template <class Words, class T>
void require_same_shape_of_fields(const T &value, const T &shadow) {
  with_fields(const_cast<T &>(value), [&](auto &...field) {
    const auto fields = std::tie(std::as_const(field)...);
    with_fields(const_cast<T &>(shadow), [&](auto &...other) {
      require_same_shape_of_parts<Words>(fields, std::tie(std::as_const(other)...),
                                         std::index_sequence_for<decltype(other)...>());
    });
  });
}

/// Of a class with private members that names them.
template <class Words, class T>
void require_same_shape_of_described(const T &value, const T &shadow) {
  const auto fields = assay_fields(const_cast<T &>(value));
  require_same_shape_of_parts<Words>(
      fields, assay_fields(const_cast<T &>(shadow)),
      std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(fields)>>>());
}

/// Of a library's class whose own shape is that of its shadow.
template <class Words, class T, class S>
void require_same_shape_of_custom_parts(const T &value, const S &shadow) {
  if constexpr (has_part_with_shape(typename PartsOf<T>::type())) {
    std::vector<const void *> others;
    Traversal<S>::walk(const_cast<S &>(shadow),
                       [&](auto &part, const Label &) { others.push_back(std::addressof(part)); });
    auto other = others.begin();
    Traversal<T>::walk(const_cast<T &>(value), [&]<class Part>(Part &part, const Label &) {
      if (other != others.end())
        require_same_shape_of_part<Words>(std::as_const(part), *static_cast<const Part *>(*other++));
    });
  }
}

template <class Words, class T, class S, std::size_t... I>
void require_same_alternative(const T &value, const S &shadow, std::index_sequence<I...> /*alternatives*/) {
  ((value.index() == I ? require_same_shape_of_part<Words>(*std::get_if<I>(&value), *std::get_if<I>(&shadow)) : void()),
   ...);
}

/// Throws std::invalid_argument where a container in `shadow` has another length than its counterpart in `value`, an
/// optional or a variant holds something else, or a library's matrix has another shape or pattern.
template <class Words, class T, class S>
void require_same_shape(const T &value, const S &shadow) {
  constexpr Kind kind = kind_of<T>();
  if constexpr (!has_shape<T>()) {
    return;
  } else if constexpr (kind == Kind::sequence || kind == Kind::view) {
    require_same_elements<Words>(value, shadow);
  } else if constexpr (kind == Kind::tuple) {
    require_same_shape_of_parts<Words>(value, shadow, std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kind == Kind::optional) {
    if (value.has_value() != shadow.has_value())
      Words::refuse(value.has_value() ? 1 : 0, shadow.has_value() ? 1 : 0);
    if (value)
      require_same_shape_of_part<Words>(*value, *shadow);
  } else if constexpr (kind == Kind::variant) {
    if (value.index() != shadow.index())
      Words::refuse_alternative();
    require_same_alternative<Words>(value, shadow, std::make_index_sequence<std::variant_size_v<T>>());
  } else if constexpr (kind == Kind::plain_struct) {
    require_same_shape_of_fields<Words>(value, shadow);
  } else if constexpr (kind == Kind::described) {
    require_same_shape_of_described<Words>(value, shadow);
  } else {
    if constexpr (std::same_as<Words, OfSeed> && requires { Traversal<T>::require_seed(value, shadow); })
      Traversal<T>::require_seed(value, shadow);
    else if constexpr (requires { Traversal<T>::require_same_shape(value, shadow); })
      Traversal<T>::require_same_shape(value, shadow);
    require_same_shape_of_custom_parts<Words>(value, shadow);
  }
}

} // namespace assay::detail
