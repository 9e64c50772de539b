#pragma once
// Objects of the shapes that the command line says: `--arg 'net={layers=2,width=3}'` makes a Net whose fields of those
// names, at any depth, have these values, or so many elements where they are containers.

#include <assay/to_vec.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace assay::adapter {

/// `name=value` of a spec.
struct Setting {
  std::string_view name;
  long value;
};

/// A number, or a pointer to numbers: passed as it is.
template <class T>
inline constexpr bool is_plain =
    std::is_arithmetic_v<T> || std::is_integral_v<std::remove_cvref_t<T>> || std::is_enum_v<T> ||
    (std::is_pointer_v<T> && std::is_arithmetic_v<std::remove_pointer_t<T>>);

template <class T>
concept ResizableMatrix = requires(T &x) {
  x.resize(1, 1);
  x.rows();
};
template <class T>
concept Resizable = requires(T &x) { x.resize(std::size_t{1}); };

/// Something that holds an object or none.
template <class T>
inline constexpr bool is_holder = detail::is_instance<T, std::optional> || detail::is_instance<T, std::unique_ptr> ||
                                  detail::is_instance<T, std::shared_ptr>;

/// One that is empty gets an object.
template <class T>
void fill_holder(T &x) {
  if constexpr (detail::is_instance<T, std::optional>) {
    if (!x)
      x.emplace();
  } else if (!x) {
    x = T(new typename T::element_type());
  }
}

template <class T>
concept Map = requires(T &x) {
  typename T::mapped_type;
  x.try_emplace(typename T::key_type());
};

/// 0, 1, ...; or `a`, `b`, ..., of which later ones are longer.
template <class Key>
Key key_number(std::size_t number) {
  constexpr std::size_t letters = 26;
  if constexpr (std::constructible_from<Key, std::size_t, char>)
    return Key(1 + number / letters, static_cast<char>('a' + number % letters));
  else
    return static_cast<Key>(number);
}

/// Whether `fill_holder` can make an object: it is no array and of no abstract class.
template <class T>
consteval bool can_be_filled() {
  if constexpr (!is_holder<T>)
    return false;
  else
    return std::default_initializable<std::remove_cvref_t<decltype(*std::declval<T &>())>> &&
           !requires(T &x) { x[std::size_t{0}]; };
}

/// Whether the elements of a container are optionals or smart pointers.
template <class T>
inline constexpr bool has_holders = can_be_filled<std::remove_cvref_t<decltype(*std::begin(std::declval<T &>()))>>();

/// Containers get the extents from the outermost on; those without any more keep their size.
template <class Shape, std::size_t Depth, class T>
void set_extents(T &x) {
  constexpr std::size_t count = Shape::extents.size();
  if constexpr (is_holder<T>) {
    fill_holder(x);
    set_extents<Shape, Depth>(*x);
  } else if constexpr (Depth < count) {
    if constexpr (ResizableMatrix<T> && count == Depth + 2)
      x.resize(static_cast<long>(Shape::extents[Depth]), static_cast<long>(Shape::extents[Depth + 1]));
    else if constexpr (ResizableMatrix<T>)
      x.resize(static_cast<long>(Shape::extents[Depth]));
    else if constexpr (Resizable<T>)
      x.resize(Shape::extents[Depth]);
    else if constexpr (Map<T>)
      for (std::size_t number = 0; number < Shape::extents[Depth]; ++number)
        set_extents<Shape, Depth + 1>(x.try_emplace(key_number<typename T::key_type>(number)).first->second);
    if constexpr (detail::kind_of<T>() == detail::Kind::sequence)
      if constexpr (Depth + 1 < count || has_holders<T>)
        for (auto &element : x)
          set_extents<Shape, Depth + 1>(element);
  }
}

template <class Shape, class T>
void apply_settings(T &x);

template <class Shape, class Field>
void set_field(Field &field, std::string_view name) {
  for (const Setting &setting : Shape::settings)
    if (setting.name == name) {
      if constexpr (is_holder<Field>)
        set_extents<Shape, Shape::extents.size()>(field);
      if constexpr (std::is_integral_v<Field>)
        field = static_cast<Field>(setting.value);
      else if constexpr (ResizableMatrix<Field>)
        field.resize(static_cast<long>(setting.value), static_cast<long>(setting.value));
      else if constexpr (Resizable<Field>) {
        field.resize(static_cast<std::size_t>(setting.value));
        if constexpr (detail::kind_of<Field>() == detail::Kind::sequence)
          if constexpr (has_holders<Field>)
            for (auto &element : field)
              fill_holder(element);
      }
    }
  apply_settings<Shape>(field);
}

/// Every field of that name, at any depth: an integer gets the value, a container the size.
template <class Shape, class T>
void apply_settings(T &x) {
  if constexpr (Shape::settings.size() != 0 && !std::is_const_v<T>) {
    constexpr detail::Kind kind = detail::kind_of<T>();
    if constexpr (is_holder<T>) {
      if (x)
        apply_settings<Shape>(*x);
    } else if constexpr (Map<T>) {
      for (auto &[key, value] : x)
        apply_settings<Shape>(value);
    } else if constexpr (kind == detail::Kind::sequence) {
      for (auto &element : x)
        apply_settings<Shape>(element);
    } else if constexpr (kind == detail::Kind::plain_struct) {
      detail::with_fields(x, [&]<class... Field>(Field &...field) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          (set_field<Shape>(field, detail::field_name<T, I>()), ...);
        }(std::index_sequence_for<Field...>());
      });
    }
  }
}

/// Names of fields that a setting is for, at any depth; of empty containers those that their elements would have.
template <class T>
void add_names_of_fields(T &x, std::vector<std::string_view> &names, int depth = 0);

template <class T>
void add_names_of_elements(std::vector<std::string_view> &names, int depth) {
  if constexpr (std::default_initializable<T> && !std::is_abstract_v<T>) {
    T element{};
    add_names_of_fields(element, names, depth);
  }
}

template <class T>
void add_names_of_fields(T &x, std::vector<std::string_view> &names, int depth) {
  constexpr int deepest = 6; // A tree has no end.
  constexpr detail::Kind kind = detail::kind_of<T>();
  if (depth > deepest)
    return;
  if constexpr (is_holder<T>)
    add_names_of_elements<std::remove_cvref_t<decltype(*x)>>(names, depth + 1);
  else if constexpr (Map<T>)
    add_names_of_elements<typename T::mapped_type>(names, depth + 1);
  else if constexpr (kind == detail::Kind::sequence)
    add_names_of_elements<std::remove_cvref_t<decltype(*std::begin(x))>>(names, depth + 1);
  else if constexpr (kind == detail::Kind::plain_struct && !std::is_const_v<T>)
    detail::with_fields(x, [&]<class... Field>(Field &...field) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto add = [&]<class F>(F &each, std::string_view name) {
          if constexpr (std::is_integral_v<F> || ResizableMatrix<F> || Resizable<F> || is_holder<F>)
            if (std::find(names.begin(), names.end(), name) == names.end())
              names.push_back(name);
          add_names_of_fields(each, names, depth + 1);
        };
        (add(field, detail::field_name<T, I>()), ...);
      }(std::index_sequence_for<Field...>());
    });
}

template <class T, std::size_t... I>
consteval bool takes_integers(std::index_sequence<I...>) {
  return sizeof...(I) != 0 && !std::is_aggregate_v<T> &&
         std::constructible_from<T, decltype(static_cast<void>(I), 1)...>;
}

/// By a constructor that takes the settings as integers, else by default and then shaped.
template <class T, class Shape>
T made_of_settings() {
  using Settings = std::make_index_sequence<Shape::settings.size()>;
  if constexpr (takes_integers<T>(Settings()) && !Resizable<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return T(static_cast<int>(Shape::settings[I].value)...);
    }(Settings());
  } else {
    static_assert(std::default_initializable<T>,
                  "assay: a value of this type can be made neither by default nor from integers");
    T x{};
    set_extents<Shape, 0>(x);
    apply_settings<Shape>(x);
    return x;
  }
}

/// A value that the user writes as an expression: `Shape::written()` is its value, `Shape::value<T>()` that as a T.
template <class Shape>
concept IsExpression = Shape::is_expression;

/// By the user's expression, by a constructor that takes the settings as integers, or by default and then shaped.
template <class T, class Shape>
T made() {
  if constexpr (IsExpression<Shape>)
    return Shape::template value<T>();
  else
    return made_of_settings<T, Shape>();
}

} // namespace assay::adapter
