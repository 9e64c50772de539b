#pragma once
// The captures of a lambda. A closure type has neither names nor access for its members, but clang's
// __builtin_dump_struct, meant for printing, hands each of them to a function, as an lvalue or by its address. Members
// of captured aggregates come one by one.
//
// Captured values are seen. A closure that refers to memory of others (captures by reference, pointers, spans) is not
// looked into: a copy of it would refer to the same memory.

#include "assay/detail/traverse/kinds.hpp"

namespace assay::detail {

template <class T>
consteval bool is_closure_type() {
  constexpr std::string_view start = "T = (lambda at ";
  const std::string_view text = __PRETTY_FUNCTION__;
  return text.find(start) == text.rfind("T = ");
}

template <class T>
concept Closure = std::is_class_v<T> && !std::is_empty_v<T> && !std::is_aggregate_v<T> && is_closure_type<T>();

/// Calls `use(member, type)` with the arguments of __builtin_dump_struct for a member; all its other calls are text.
template <class Use>
struct MemberPrinter {
  Use &use;

  constexpr int operator()(const char * /*format*/, auto &&.../*text*/) const { return 0; }
  template <class Value>
  constexpr int operator()(const char * /*format*/, const char * /*indent*/, const char *type, const char * /*name*/,
                           Value &&value) const {
    if constexpr (std::is_lvalue_reference_v<Value>)
      use(value, std::string_view(type));
    else
      use(*value, std::string_view(type)); // Of a value that cannot be printed, the address.
    return 0;
  }
};

template <class T, class Use>
constexpr void for_each_member(T *closure, Use use) {
  MemberPrinter<Use> printer{use};
  __builtin_dump_struct(closure, printer);
}

/// The properties of all captures together.
struct CaptureSummary {
  bool single = false, wide = false, extended = false; ///< float, double, long double.
  bool integers = false;
  bool known = true;
};

template <class T>
consteval CaptureSummary summary_of_captures() {
  CaptureSummary summary;
  for_each_member(const_cast<T *>(&Phantom<T>::room.object), [&]<class Member>(Member &, std::string_view type) {
    using Part = Summary<std::remove_const_t<Member>>;
    summary.single = summary.single || std::same_as<typename Part::Number, float>;
    summary.wide = summary.wide || std::same_as<typename Part::Number, double>;
    summary.extended = summary.extended || std::same_as<typename Part::Number, long double>;
    summary.integers = summary.integers || Part::integers;
    summary.known = summary.known && Part::known && !Part::refers && !Part::move_only && !Part::views &&
                    !Part::constants && !type.ends_with('&');
  });
  return summary;
}

/// Captures by reference cannot be looked at before there is a closure, which fails here.
template <class T>
concept ClosureOfValues = Closure<T> && std::copy_constructible<T> && requires {
  typename std::bool_constant<summary_of_captures<T>().known>;
} && summary_of_captures<T>().known;

template <bool Condition, class T>
struct TypeListIf {
  using type = TypeList<>;
};
template <class T>
struct TypeListIf<true, T> {
  using type = TypeList<T>;
};
template <class... Lists>
struct JoinTypeLists {
  using type = TypeList<>;
};
template <class... A>
struct JoinTypeLists<TypeList<A...>> {
  using type = TypeList<A...>;
};
template <class... A, class... B, class... Rest>
struct JoinTypeLists<TypeList<A...>, TypeList<B...>, Rest...> : JoinTypeLists<TypeList<A..., B...>, Rest...> {};

} // namespace assay::detail

namespace assay {

template <detail::ClosureOfValues T>
struct Traversal<T> {
  static constexpr detail::CaptureSummary summary = detail::summary_of_captures<T>();
  using Parts = typename detail::JoinTypeLists<typename detail::TypeListIf<summary.single, float>::type,
                                               typename detail::TypeListIf<summary.wide, double>::type,
                                               typename detail::TypeListIf<summary.extended, long double>::type,
                                               typename detail::TypeListIf<summary.integers, int>::type>::type;

  /// A constant that was captured is a member like others: the function is differentiated by its value.
  static void walk(T &closure, auto &&part) {
    std::size_t position = 0;
    detail::for_each_member(&closure, [&]<class Member>(Member &member, std::string_view) {
      part(const_cast<std::remove_const_t<Member> &>(member), detail::Label::index(position++));
    });
  }
};

} // namespace assay
