#pragma once
// The kind of function that a rule is for: its result and its parameters, of which the first is the object for a member
// function; and these as a text that the engine reads.
//
// The text has a word for the result and one for each parameter, each followed by ';':
//   v nothing   f floating-point number   i integer   p pointer   P pointer to const   n pointer to memory without
//   pointers   N the same, const   r reference, or an object that is passed by its address   k reference to const
//   R reference to const through which nothing is written   e empty class   cSIZE,ALIGN other class   dSIZE,ALIGN one
//   without pointers

#include "assay/detail/rules/argument.hpp"
#include "assay/detail/traverse/kinds.hpp"
#include <algorithm>
#include <array>
#include <string_view>

namespace assay::rules::detail {

template <class... P>
struct Parameters {
  static constexpr std::size_t count = sizeof...(P);
};

template <class R, class... P>
struct Signature {
  using Result = std::remove_cv_t<R>; // a result that is declared constant is a value like any other
  using List = Parameters<P...>;
};

template <class F>
struct SignatureOf;
template <class R, class... P>
struct SignatureOf<R (*)(P...)> : Signature<R, P...> {};
template <class R, class... P>
struct SignatureOf<R (*)(P...) noexcept> : Signature<R, P...> {};
template <class R, class C, class... P>
struct SignatureOf<R (C::*)(P...)> : Signature<R, C &, P...> {};
template <class R, class C, class... P>
struct SignatureOf<R (C::*)(P...) noexcept> : Signature<R, C &, P...> {};
template <class R, class C, class... P>
struct SignatureOf<R (C::*)(P...) const> : Signature<R, const C &, P...> {};
template <class R, class C, class... P>
struct SignatureOf<R (C::*)(P...) const noexcept> : Signature<R, const C &, P...> {};
template <class R, class C, class... P>
struct SignatureOf<R (C::*)(P...) &> : Signature<R, C &, P...> {};
template <class R, class C, class... P>
struct SignatureOf<R (C::*)(P...) const &> : Signature<R, const C &, P...> {};
template <class R, class C, class... P>
struct SignatureOf<R (C::*)(P...) & noexcept> : Signature<R, C &, P...> {};
template <class R, class C, class... P>
struct SignatureOf<R (C::*)(P...) const & noexcept> : Signature<R, const C &, P...> {};

template <class F>
inline constexpr bool has_signature = requires { typename SignatureOf<F>::Result; };

template <class T>
struct ClassOf;
template <class M, class C>
struct ClassOf<M C::*> {
  using type = C;
};

/// The function may write to the target of such a parameter.
template <class P>
inline constexpr bool is_mutable_parameter =
    (std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>) ||
    (std::is_pointer_v<std::remove_reference_t<P>> &&
     !std::is_function_v<std::remove_pointer_t<std::remove_reference_t<P>>> &&
     !std::is_const_v<std::remove_pointer_t<std::remove_reference_t<P>>>);

template <class P>
inline constexpr bool is_reference_to_const =
    std::is_lvalue_reference_v<P> && std::is_const_v<std::remove_reference_t<P>>;

/// A reference to const through which nothing can be written: the object holds no pointers that it does not own.
template <class P, class T = std::remove_cvref_t<P>>
inline constexpr bool is_reference_for_reading =
    is_reference_to_const<P> && assay::detail::SummaryOf<T>::known && !assay::detail::SummaryOf<T>::refers &&
    !assay::detail::SummaryOf<T>::move_only;

/// Numbers, and classes of nothing else: memory that holds no pointer.
template <class T>
consteval bool is_without_pointers() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
    return true;
  else if constexpr (!requires { sizeof(T); })
    return false; // declared and not defined
  else if constexpr (std::is_class_v<T> && std::is_trivially_copyable_v<T>)
    return assay::detail::SummaryOf<T>::known && !assay::detail::SummaryOf<T>::refers;
  else
    return false;
}
template <class T>
consteval char letter_of_pointer_to() {
  if (is_without_pointers<std::remove_cv_t<T>>())
    return std::is_const_v<T> ? 'N' : 'n';
  return std::is_const_v<T> ? 'P' : 'p';
}

/// The content of each half of a small object, which the calling convention passes in one register.
struct Registers {
  std::array<bool, 2> numbers{}, integers{};
  constexpr bool mixed() const { return (numbers[0] && integers[0]) || (numbers[1] && integers[1]); }
};

inline constexpr std::size_t register_size = 8;

template <class T>
consteval std::size_t note_fields(Registers &registers, std::size_t offset);

template <class... Field>
consteval void note_list(Registers &registers, std::size_t offset, assay::detail::TypeList<Field...> /*fields*/) {
  ((offset = note_fields<Field>(registers, offset)), ...);
}

/// libstdc++ lays out the elements of a tuple from the last to the first.
template <class T, std::size_t I>
using LaidOut =
#ifdef __GLIBCXX__
    std::tuple_element_t<assay::detail::is_instance<T, std::tuple> ? std::tuple_size_v<T> - 1 - I : I, T>;
#else
    std::tuple_element_t<I, T>;
#endif

/// Notes the elements of a tuple or pair.
template <class T, std::size_t... I>
consteval void note_elements(Registers &registers, std::size_t offset, std::index_sequence<I...> /*elements*/) {
  ((offset = note_fields<LaidOut<T, I>>(registers, offset)), ...);
}

/// Notes the values that an optional or a variant may hold, all in one place, and its flag behind that.
template <template <class...> class Template, class... Part>
consteval void note_choice(Registers &registers, std::size_t offset, const Template<Part...> * /*type*/) {
  std::size_t end = offset;
  ((end = std::max(end, note_fields<Part>(registers, offset))), ...);
  note_fields<bool>(registers, end);
}

/// Notes the numbers and integers of a `T` that lies at `offset` or behind it; where it ends.
template <class T>
consteval std::size_t note_fields(Registers &registers, std::size_t offset) {
  constexpr auto kind = assay::detail::kind_of<std::remove_cv_t<T>>();
  offset = (offset + alignof(T) - 1) / alignof(T) * alignof(T);
  if constexpr (std::is_floating_point_v<T>)
    registers.numbers[offset / register_size] = true;
  else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    registers.integers[offset / register_size] = true;
  else if constexpr (kind == assay::detail::Kind::plain_struct)
    note_list(registers, offset, assay::detail::fields_of<std::remove_cv_t<T>>());
  else if constexpr (kind == assay::detail::Kind::tuple)
    note_elements<std::remove_cv_t<T>>(registers, offset, std::make_index_sequence<std::tuple_size_v<T>>());
  else if constexpr (kind == assay::detail::Kind::optional || kind == assay::detail::Kind::variant)
    note_choice(registers, offset, static_cast<const std::remove_cv_t<T> *>(nullptr));
  return offset + sizeof(T);
}

/// True for an object whose numbers travel together with integers, as bits of one integer.
template <class P>
consteval bool mixes_registers() {
  if constexpr (std::is_class_v<P> && !is_wire_pointer<P>)
    if constexpr (sizeof(P) <= 2 * register_size) {
      Registers registers;
      note_fields<P>(registers, 0);
      return registers.mixed();
    }
  return false;
}

struct Text {
  std::array<char, 512> characters{};
  std::size_t size = 0;
  constexpr void add(char character) { characters[size++] = character; }
  constexpr void add(std::size_t number) {
    if (number >= 10)
      add(number / 10);
    add(static_cast<char>('0' + number % 10));
  }
};

/// The type of the number behind a pointer or a reference, and its bytes. Nothing is said of memory that may be any,
/// behind pointers to bytes.
template <class P, class T = std::remove_cv_t<P>>
consteval void describe_number(Text &text) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    text.add('f');
    text.add(sizeof(T));
  } else if constexpr (std::is_integral_v<T>) {
    if (sizeof(T) > 1) {
      text.add('i');
      text.add(sizeof(T));
    }
  }
}

template <class P>
consteval void describe(Text &text) {
  using T = std::remove_cv_t<P>;
  if constexpr (std::is_void_v<T>) {
    text.add('v');
  } else if constexpr (is_wire_pointer<P>) {
    text.add(is_reference_for_reading<P> ? 'R' : is_reference_to_const<P> ? 'k' : 'r');
    describe_number<std::remove_reference_t<T>>(text);
  } else if constexpr (std::is_floating_point_v<T>) {
    text.add('f');
  } else if constexpr (std::is_pointer_v<T>) {
    text.add(letter_of_pointer_to<std::remove_pointer_t<T>>());
    describe_number<std::remove_pointer_t<T>>(text);
  } else if constexpr (std::is_empty_v<T>) {
    text.add('e');
  } else if constexpr (std::is_class_v<T> || std::is_union_v<T>) {
    text.add(is_without_pointers<T>() ? 'd' : 'c');
    text.add(sizeof(T));
    text.add(',');
    text.add(alignof(T));
  } else {
    text.add('i');
  }
  text.add(';');
}

template <class R, class... P>
consteval Text describe(Parameters<P...> /*parameters*/, bool hides_body) {
  Text text;
  if (hides_body)
    text.add('=');
  describe<R>(text);
  (describe<P>(text), ...);
  return text;
}

/// The name of a type, as the compiler writes it.
template <class T>
consteval Text name_of() {
  const std::string_view all = __PRETTY_FUNCTION__;
  const std::size_t begin = all.find("T = ") + 4;
  const std::string_view name = all.substr(begin, all.rfind(']') - begin);
  Text text;
  for (const char character : name.substr(0, 400))
    text.add(character);
  return text;
}

/// A text as a constant string.
template <std::size_t N>
struct Characters {
  char text[N + 1]{}; // NOLINT(modernize-avoid-c-arrays): read by the engine
};
template <Text text>
consteval auto characters() {
  Characters<text.size> result;
  for (std::size_t index = 0; index < text.size; ++index)
    result.text[index] = text.characters[index];
  return result;
}

} // namespace assay::rules::detail
