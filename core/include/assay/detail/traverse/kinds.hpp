#pragma once
// How the traversal goes through a type: numbers, containers, plain structs, pointers, ...; and the properties of a
// type before any value of it is seen: the numbers it is made of, and whether it refers to memory that is not its own.

#include "assay/detail/traverse/fields.hpp"
#include "assay/detail/traverse/path.hpp"

#include <array>
#include <complex>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace assay {

/// Specialise with `true` for a class that holds nothing to differentiate: the traversal leaves it alone.
template <class T>
inline constexpr bool is_inert = false;

/// Specialise with `true` for a class that is a real number.
template <class T>
inline constexpr bool is_real_number = std::floating_point<T>;

/// Specialise for a class whose parts are no fields, such as a matrix of a library:
///
///     using Parts = detail::TypeList<double>;                             // the types of its parts
///     static void walk(T &x, auto &&part);                                // part(lvalue, detail::Label) for each
///     static void memory(T &x, auto &&owned);                             // owned(begin, bytes) of its allocations
///     using Owner = ...; static Owner own(const T &x);                    // only for a view: a copy with memory
template <class T>
struct Traversal;

namespace detail {

enum class Kind {
  number,
  complex,
  integer,
  inert,    ///< Nothing in it is differentiated: left alone, copied.
  sequence, ///< A container or array with elements of its own.
  view,     ///< A span.
  tuple,
  optional,
  variant,
  unique,  ///< std::unique_ptr.
  shared,  ///< std::shared_ptr.
  weak,    ///< std::weak_ptr.
  pointer, ///< To one object.
  wrapper, ///< std::reference_wrapper.
  described,
  custom,
  plain_struct,
  unknown
};

template <class T, template <class...> class Template>
inline constexpr bool is_instance = false;
template <template <class...> class Template, class... A>
inline constexpr bool is_instance<Template<A...>, Template> = true;
template <class>
inline constexpr bool is_any_span = false;
template <class T, std::size_t N>
inline constexpr bool is_any_span<std::span<T, N>> = true;

template <class T>
concept Customised = requires { typename Traversal<T>::Parts; };
template <class T>
concept View = Customised<T> && requires { typename Traversal<T>::Owner; };

/// The target that a pointer can be followed to: one object whose static type is all of it.
template <class E>
concept Followed = std::is_object_v<E> && requires { sizeof(E); } && (!std::is_polymorphic_v<E> || std::is_final_v<E>);

template <class T>
concept Sequence = std::ranges::forward_range<T> && std::is_lvalue_reference_v<std::ranges::range_reference_t<T>> &&
                   !std::ranges::view<T> && !is_any_span<T>;

template <class T>
consteval Kind kind_of();

/// A raw pointer to an object of a class is a pointer to that one object. One to numbers does not say to how many, so
/// nothing can be said of it; one to anything else is left alone.
template <class E>
consteval Kind kind_of_raw_pointer() {
  if constexpr (std::is_class_v<E> && requires { sizeof(E); })
    return !Followed<E> || is_instance<E, std::complex> ? Kind::unknown : Kind::pointer;
  else if constexpr (std::is_pointer_v<E>)
    return kind_of<E>() == Kind::inert ? Kind::inert : Kind::unknown;
  else
    return is_real_number<E> || std::is_array_v<E> ? Kind::unknown : Kind::inert;
}

template <class T>
consteval Kind kind_of_pointer() {
  if constexpr (std::is_pointer_v<T>)
    return kind_of_raw_pointer<std::remove_cv_t<std::remove_pointer_t<T>>>();
  else if constexpr (is_instance<T, std::unique_ptr>)
    return Followed<typename T::element_type> && std::is_same_v<typename T::pointer, typename T::element_type *> &&
                   std::is_same_v<typename T::deleter_type, std::default_delete<typename T::element_type>>
               ? Kind::unique
               : Kind::unknown;
  else if constexpr (is_instance<T, std::reference_wrapper>)
    return Followed<typename T::type> ? Kind::wrapper : Kind::inert;
  else if constexpr (!Followed<typename T::element_type>)
    return Kind::unknown;
  else
    return is_instance<T, std::shared_ptr> ? Kind::shared : Kind::weak;
}

template <class T>
consteval Kind kind_of_class() {
  if constexpr (is_inert<T> || is_instance<T, std::basic_string> || is_instance<T, std::basic_string_view> ||
                std::same_as<T, std::vector<bool>> || std::is_empty_v<T>)
    return Kind::inert;
  else if constexpr (is_instance<T, std::tuple> || is_instance<T, std::pair>)
    return Kind::tuple;
  else if constexpr (is_instance<T, std::optional>)
    return Kind::optional;
  else if constexpr (is_instance<T, std::variant>)
    return Kind::variant;
  else if constexpr (is_any_span<T>)
    return Kind::view;
  else if constexpr (DescribesItsFields<T>)
    return Kind::described;
  else if constexpr (Sequence<T>)
    return Kind::sequence;
  else
    return PlainStruct<T> ? Kind::plain_struct : Kind::unknown;
}

template <class T>
consteval Kind kind_of() {
  if constexpr (Customised<T>)
    return Kind::custom;
  else if constexpr (is_real_number<T>)
    return Kind::number;
  else if constexpr (std::integral<T>)
    return Kind::integer;
  else if constexpr (is_instance<T, std::complex>)
    return Kind::complex;
  else if constexpr (std::is_array_v<T>)
    return Kind::sequence;
  else if constexpr (std::is_pointer_v<T> || is_instance<T, std::unique_ptr> || is_instance<T, std::shared_ptr> ||
                     is_instance<T, std::weak_ptr> || is_instance<T, std::reference_wrapper>)
    return kind_of_pointer<T>();
  else if constexpr (std::is_class_v<T>)
    return kind_of_class<T>();
  else
    return std::is_union_v<T> ? Kind::unknown : Kind::inert;
}

// ---- The parts of a type ----

template <class T>
struct PartsOf {
  using type = TypeList<>;
};
template <class T>
  requires(kind_of<T>() == Kind::complex)
struct PartsOf<T> {
  using type = TypeList<typename T::value_type>;
};
template <class T>
  requires(kind_of<T>() == Kind::sequence)
struct PartsOf<T> {
  using type = TypeList<std::remove_reference_t<std::ranges::range_reference_t<T>>>;
};
// The target of a view or a pointer is not constant because they do not write to it.
template <class T>
  requires(kind_of<T>() == Kind::view || kind_of<T>() == Kind::unique || kind_of<T>() == Kind::shared ||
           kind_of<T>() == Kind::weak)
struct PartsOf<T> {
  using type = TypeList<std::remove_const_t<typename T::element_type>>;
};
template <class T>
  requires(kind_of<T>() == Kind::pointer)
struct PartsOf<T> {
  using type = TypeList<std::remove_const_t<std::remove_pointer_t<T>>>;
};
template <class T>
  requires(kind_of<T>() == Kind::wrapper)
struct PartsOf<T> {
  using type = TypeList<std::remove_const_t<typename T::type>>;
};
template <template <class...> class Template, class... A>
  requires(kind_of<Template<A...>>() == Kind::tuple || kind_of<Template<A...>>() == Kind::optional ||
           kind_of<Template<A...>>() == Kind::variant)
struct PartsOf<Template<A...>> {
  // A tuple of references (std::tie) stands for its targets, whether that may be written to or not.
  using type = TypeList<std::conditional_t<std::is_lvalue_reference_v<A>, std::remove_cvref_t<A>, A>...>;
};
template <class T>
  requires(kind_of<T>() == Kind::custom)
struct PartsOf<T> {
  using type = typename Traversal<T>::Parts;
};
template <class T>
  requires(kind_of<T>() == Kind::plain_struct)
struct PartsOf<T> {
  using type = fields_of<T>;
};
template <class T>
  requires(kind_of<T>() == Kind::described)
struct PartsOf<T> {
  using type = typename PartsOf<decltype(assay_fields(std::declval<T &>()))>::type;
};

/// The type that holds both: of two real types the wider one.
template <class A, class B>
struct JoinNumbers : std::common_type<A, B> {};
template <class A>
struct JoinNumbers<A, void> {
  using type = A;
};
template <class B>
struct JoinNumbers<void, B> {
  using type = B;
};
template <>
struct JoinNumbers<void, void> {
  using type = void;
};

/// The properties of a type whatever its value. Seen: types that it is part of, which add nothing when they come again.
template <class T, class... Seen>
struct Summary;

template <class Parts, class... Seen>
struct SummaryOfParts;
template <class... Seen>
struct SummaryOfParts<TypeList<>, Seen...> {
  using Number = void;
  static constexpr bool known = true, integers = false, refers = false, borrows = false, move_only = false,
                        views = false, constants = false, in_place = false, can_move = false;
};
template <class First, class... Rest, class... Seen>
struct SummaryOfParts<TypeList<First, Rest...>, Seen...> {
  using A = Summary<First, Seen...>;
  using B = SummaryOfParts<TypeList<Rest...>, Seen...>;
  using Number = typename JoinNumbers<typename A::Number, typename B::Number>::type;
  static constexpr bool known = A::known && B::known, integers = A::integers || B::integers,
                        refers = A::refers || B::refers, borrows = A::borrows || B::borrows,
                        move_only = A::move_only || B::move_only, views = A::views || B::views,
                        constants = A::constants || B::constants, in_place = A::in_place || B::in_place,
                        can_move = A::can_move || B::can_move;
};

template <class Fields>
inline constexpr bool has_constant_numbers = false;
template <class... Field>
inline constexpr bool has_constant_numbers<TypeList<Field...>> =
    ((std::is_const_v<Field> && !std::is_void_v<typename Summary<std::remove_const_t<Field>>::Number>) || ...);

/// True for a class that takes other memory for its parts where there are to be more of them.
template <class T>
consteval bool takes_other_memory() {
  if constexpr (requires { Traversal<T>::resizes; })
    return Traversal<T>::resizes;
  else
    return is_instance<T, std::vector>;
}
/// True where the parts of such a type lie in the object itself.
template <class T>
consteval bool has_parts_in_place() {
  constexpr Kind kind = kind_of<T>();
  if constexpr (kind == Kind::sequence)
    return std::is_array_v<T> || requires { std::tuple_size<T>::value; };
  else if constexpr (kind == Kind::custom)
    return !View<T> && !takes_other_memory<T>();
  else
    return kind == Kind::complex || kind == Kind::tuple || kind == Kind::optional || kind == Kind::variant ||
           kind == Kind::plain_struct || kind == Kind::described;
}
/// Numbers that such a class has in memory of its own, which it may replace.
template <class T, class Parts>
inline constexpr bool has_movable_numbers =
    takes_other_memory<T>() && (kind_of<T>() == Kind::custom || Parts::in_place);

template <class T, class... Seen>
struct Summary {
  static constexpr Kind kind = kind_of<T>();
  using Parts = SummaryOfParts<typename PartsOf<T>::type, T, Seen...>;
  using Number = std::conditional_t<kind == Kind::number, T, typename Parts::Number>;
  static constexpr bool known = kind != Kind::unknown && Parts::known;
  static constexpr bool integers = kind == Kind::integer || Parts::integers;
  /// It can refer to memory that something else refers to as well.
  static constexpr bool refers = View<T> || kind == Kind::view || kind == Kind::shared || kind == Kind::weak ||
                                 kind == Kind::pointer || kind == Kind::wrapper || Parts::refers;
  /// It refers to memory that it does not keep alive.
  static constexpr bool borrows =
      View<T> || kind == Kind::view || kind == Kind::pointer || kind == Kind::wrapper || Parts::borrows;
  static constexpr bool move_only = kind == Kind::unique || Parts::move_only;
  /// It is or holds a view of a library, which cannot be made to refer to a copy.
  static constexpr bool views = View<T> || Parts::views;
  /// It has a constant field with numbers, or holds something that has.
  static constexpr bool constants =
      (kind == Kind::plain_struct && has_constant_numbers<typename PartsOf<T>::type>) || Parts::constants;
  /// There are numbers in the object itself.
  static constexpr bool in_place = kind == Kind::number || (has_parts_in_place<T>() && Parts::in_place);
  /// It is or holds a container that takes other memory for numbers when it grows.
  static constexpr bool can_move = has_movable_numbers<T, Parts> || Parts::can_move;
};
// A constant part is left alone; a reference as a field cannot be made to refer to a copy.
template <class T, class... Seen>
struct Summary<const T, Seen...> : SummaryOfParts<TypeList<>> {};
template <class T, class... Seen>
struct Summary<T &, Seen...> : SummaryOfParts<TypeList<>> {
  static constexpr bool known = false;
};
template <class T, class... Seen>
  requires(std::same_as<T, Seen> || ...)
struct Summary<T, Seen...> : SummaryOfParts<TypeList<>> {};

template <class T>
using SummaryOf = Summary<std::remove_cvref_t<T>>;

/// The type of the numbers in a T, the widest if there are several; void where there are none.
template <class T>
using number_of = typename SummaryOf<T>::Number;

/// The traversal knows every part of a T.
template <class T>
concept Traversable = SummaryOf<T>::known;

/// It does, and there are numbers in it.
template <class T>
concept HasNumbers = Traversable<T> && !std::is_void_v<number_of<T>>;

template <class T>
concept TriviallyCopied = std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>;

/// A library's class that says that it never takes memory for its parts.
template <class T>
inline constexpr bool never_resizes = false;
template <class T>
  requires requires { Traversal<T>::resizes; }
inline constexpr bool never_resizes<T> = !View<T> && !Traversal<T>::resizes;

template <class T>
consteval bool lies_in_itself();
template <class... Part>
consteval bool all_lie_in_themselves(TypeList<Part...> /*parts*/) {
  return (lies_in_itself<Part>() && ...);
}
/// All of a value lies in the object itself: a copy has no memory elsewhere, neither shared nor its own.
template <class T>
consteval bool lies_in_itself() {
  using Object = std::remove_cv_t<T>;
  constexpr Kind kind = kind_of<Object>();
  if constexpr (TriviallyCopied<Object>)
    return Summary<Object>::known && !Summary<Object>::refers;
  else if constexpr (kind == Kind::custom)
    return never_resizes<Object> && all_lie_in_themselves(typename PartsOf<Object>::type());
  else if constexpr (kind == Kind::sequence || kind == Kind::tuple || kind == Kind::optional || kind == Kind::variant ||
                     kind == Kind::plain_struct)
    return has_parts_in_place<Object>() && all_lie_in_themselves(typename PartsOf<Object>::type());
  else
    return false;
}

/// Nothing to be seen: no numbers, no integers, no references.
template <class T>
inline constexpr bool nothing_inside = std::is_void_v<typename Summary<T>::Number> && !Summary<T>::integers &&
                                       !Summary<T>::refers && !Summary<T>::constants && Summary<T>::known;

} // namespace detail
} // namespace assay
