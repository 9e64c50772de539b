#pragma once
// What the bytes of a type are: numbers, integers and pointers by offset, and what is behind the pointers. It is what
// the traversal of <assay/to_vec.hpp> sees, laid out as the compiler lays the type out.
//
//   typetree<Layer>().text()      "{0: double, 8: integer, 16: pointer to {0: double}, 24: pointer, 32: pointer}"

#include "assay/detail/traverse/walk.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// The types at the offsets of a type, in ascending order.
struct TypeTree {
  struct Entry {
    std::size_t offset = 0;
    std::string kind;            ///< float, double, long double, integer, pointer, or other.
    std::vector<Entry> behind{}; ///< Of a pointer.
  };
  std::vector<Entry> entries;

  std::string text() const { return text_of(entries); }
  /// How many numbers stand in the object itself.
  std::size_t count_numbers() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        entries, [](const Entry &entry) { return entry.kind == "float" || entry.kind.ends_with("double"); }));
  }

private:
  static std::string text_of(const std::vector<Entry> &list) {
    std::string text = "{";
    for (const Entry &entry : list)
      text += (text.size() > 1 ? ", " : "") + std::to_string(entry.offset) + ": " + entry.kind +
              (entry.behind.empty() ? "" : " to " + text_of(entry.behind));
    return text + "}";
  }
};

namespace detail {

class TypeTreeBuilder {
public:
  /// Adds the parts of a T at `offset`. Types that contain themselves end at this depth.
  template <class T, unsigned Depth = 0>
  static void add(std::vector<TypeTree::Entry> &list, std::size_t offset) {
    constexpr Kind kind = kind_of<T>();
    if constexpr (std::is_const_v<T>)
      add<std::remove_const_t<T>, Depth>(list, offset);
    else if constexpr (kind == Kind::number)
      list.push_back({offset, std::same_as<T, float> ? "float" : std::same_as<T, double> ? "double" : "long double"});
    else if constexpr (kind == Kind::integer || std::is_enum_v<T>)
      list.push_back({offset, "integer"});
    else if constexpr (kind == Kind::complex)
      add_array<typename T::value_type, Depth>(list, offset, 2);
    else if constexpr (is_std_array_type<T>)
      add_array<typename T::value_type, Depth>(list, offset, std::tuple_size_v<T>);
    else if constexpr (std::is_bounded_array_v<T>)
      add_array<std::remove_extent_t<T>, Depth>(list, offset, std::extent_v<T>);
    else if constexpr (kind == Kind::tuple)
      add_tuple<T, Depth>(list, offset, std::make_index_sequence<std::tuple_size_v<T>>());
    else if constexpr (kind == Kind::plain_struct)
      add_fields<T, Depth>(list, offset);
    else if constexpr (kind == Kind::optional) {
      add<typename T::value_type, Depth>(list, offset);
      list.push_back({offset + sizeof(typename T::value_type), "integer"});
    } else if constexpr (is_instance<T, std::vector> && kind == Kind::sequence)
      add_vector<T, Depth>(list, offset);
    else if constexpr (std::is_pointer_v<T> || kind == Kind::unique || kind == Kind::view)
      add_pointer<T, Depth>(list, offset);
    else
      list.push_back({offset, "other"});
  }

private:
  static constexpr unsigned deepest = 6;
  template <class>
  static constexpr bool is_std_array_type = false;
  template <class E, std::size_t N>
  static constexpr bool is_std_array_type<std::array<E, N>> = true;

  template <class E, unsigned Depth>
  static void add_array(std::vector<TypeTree::Entry> &list, std::size_t offset, std::size_t count) {
    for (std::size_t index = 0; index != count; ++index)
      add<E, Depth>(list, offset + index * sizeof(E));
  }

  template <class T, class Part>
  static std::size_t offset_in(const Part &part) {
    return static_cast<std::size_t>(reinterpret_cast<const char *>(std::addressof(part)) -
                                    reinterpret_cast<const char *>(std::addressof(Phantom<T>::room.object)));
  }

  template <class T, unsigned Depth>
  static void add_fields(std::vector<TypeTree::Entry> &list, std::size_t offset) {
    with_fields(const_cast<T &>(Phantom<T>::room.object), [&]<class... Field>(Field &...field) {
      (add<std::remove_const_t<Field>, Depth>(list, offset + offset_in<T>(field)), ...);
    });
  }
  template <class T, unsigned Depth, std::size_t... I>
  static void add_tuple(std::vector<TypeTree::Entry> &list, std::size_t offset,
                        std::index_sequence<I...> /*elements*/) {
    (add<std::tuple_element_t<I, T>, Depth>(list, offset + offset_in<T>(std::get<I>(Phantom<T>::room.object))), ...);
    std::ranges::sort(list, {}, &TypeTree::Entry::offset);
  }

  template <class E, unsigned Depth>
  static std::vector<TypeTree::Entry> behind() {
    std::vector<TypeTree::Entry> list;
    if constexpr (Depth < deepest && std::is_object_v<E>)
      add<std::remove_const_t<E>, Depth + 1>(list, 0);
    return list;
  }
  template <class T, unsigned Depth>
  static void add_vector(std::vector<TypeTree::Entry> &list, std::size_t offset) {
    list.push_back({offset, "pointer", behind<typename T::value_type, Depth>()});
    for (std::size_t word = sizeof(void *); word < sizeof(T); word += sizeof(void *))
      list.push_back({offset + word, "pointer"});
  }
  template <class T, unsigned Depth>
  static void add_pointer(std::vector<TypeTree::Entry> &list, std::size_t offset) {
    list.push_back(
        {offset, "pointer", behind<std::remove_reference_t<decltype(*std::declval<Dereferenced<T>>())>, Depth>()});
    if constexpr (kind_of<T>() == Kind::view && sizeof(T) > sizeof(void *))
      list.push_back({offset + sizeof(void *), "integer"});
  }
  template <class T>
  struct AsPointer {
    using type = T;
  };
  template <class E, std::size_t N>
  struct AsPointer<std::span<E, N>> {
    using type = E *;
  };
  template <class T>
  using Dereferenced = typename AsPointer<T>::type;
};

} // namespace detail

/// The type tree of T.
template <class T>
TypeTree typetree() {
  TypeTree tree;
  detail::TypeTreeBuilder::add<std::remove_cvref_t<T>>(tree.entries, 0);
  return tree;
}

} // namespace assay
