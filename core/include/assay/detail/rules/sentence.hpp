#pragma once
// Sentences of the compiler that name types: the arguments of a rule's function, and its parameters or result.

#include "assay/detail/rules/function.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

// The message of a static_assert is an object only from C++26 on; clang takes it before.
#define ASSAY_STATIC_ASSERT_SENTENCE(condition, sentence)                                                              \
  _Pragma("clang diagnostic push")                                                                                     \
      _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"") static_assert(condition, sentence)                    \
          _Pragma("clang diagnostic pop")

namespace assay::rules::detail {

/// The message of a static_assert.
struct Sentence {
  std::array<char, 1200> characters{};
  std::size_t length = 0;

  consteval void add(std::string_view text) {
    const std::size_t count = std::min(text.size(), characters.size() - length);
    std::copy_n(text.begin(), count, characters.begin() + std::ptrdiff_t(length));
    length += count;
  }
  consteval std::size_t size() const { return length; }
  consteval const char *data() const { return characters.data(); }
};

/// A type by the name that the compiler has for it.
template <class T>
struct TypeName {};
template <class T>
consteval void add_to(Sentence &sentence, TypeName<T> /*name*/) {
  const Text name = name_of<T>();
  sentence.add({name.characters.data(), name.size});
}
/// Types in parentheses, as parameters stand.
template <class... T>
consteval void add_to(Sentence &sentence, Parameters<T...> /*types*/) {
  std::string_view before = "(";
  ((sentence.add(std::exchange(before, ", ")), add_to(sentence, TypeName<T>())), ...);
  sentence.add(sizeof...(T) == 0 ? "()" : ")");
}
consteval void add_to(Sentence &sentence, std::string_view text) {
  sentence.add(text);
}

template <class... Part>
consteval Sentence sentence(Part... part) {
  Sentence sentence;
  (add_to(sentence, part), ...);
  return sentence;
}

template <class Object, class... P>
consteval auto without_object(Parameters<Object, P...> /*parameters*/) {
  return Parameters<P...>();
}

/// The parameters of a callable: its Parameters, or a text where it has several call operators or a generic one.
template <class F>
consteval auto parameters_of() {
  using Function = std::decay_t<F>;
  if constexpr (has_signature<Function>)
    return typename SignatureOf<Function>::List();
  else if constexpr (requires { typename SignatureOf<decltype(&Function::operator())>::List; })
    return without_object(typename SignatureOf<decltype(&Function::operator())>::List());
  else if constexpr (std::is_class_v<Function>)
    return std::string_view("something else");
  else
    return TypeName<Function>();
}

} // namespace assay::rules::detail
