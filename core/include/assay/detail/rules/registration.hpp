#pragma once
// The table in which the engine finds a rule, and the readable errors for a rule or a function that has none. Its
// functions are in entry.hpp.

#include "assay/detail/rules/entry.hpp"
#include "assay/detail/rules/import.hpp"
#include <typeinfo>

namespace assay::rules {

/// Rules of functions that carry no derivative: `ASSAY_RULE(assay::rules::inactive, log_value);`
struct inactive {};
/// As `inactive`, and the optimiser may still inline the function; inlined code is code like any other.
struct inactive_noinl {};

namespace detail {

/// In the order in which the engine reads it.
template <class Primal, class... Functions>
struct Table;
template <class Primal, class Step, class Applies, class TapeType>
struct Table<Primal, Step, Applies, TapeType> {
  const char *signature;
  const char *rule;
  Step forward;
  Step augmented;
  Step reverse;
  Applies applies;
  TapeType tape;
  void (*release)(void *tape, std::uint64_t nothing); ///< Of a tape on the heap that no reverse step is run with.
  bool leads_to_others;                               ///< A value may lead to shadows of objects that it does not own.
  const void *type_information;                       ///< Of the class of a member function, which may be virtual.
  Primal primal;
};

/// The readable errors for a function that no rule can be for.
template <class R, class... P>
consteval bool passes_whole_registers(Parameters<P...> /*parameters*/) {
  static_assert((!mixes_registers<std::remove_cv_t<P>>() && ...) && !mixes_registers<R>(),
                "assay: the function passes a small struct by value in which a number and an integer share a register; "
                "a rule is for functions that take it by reference");
  return (!mixes_registers<std::remove_cv_t<P>>() && ...) && !mixes_registers<R>();
}

template <class Function>
consteval bool takes_rule() {
  constexpr bool is_function = has_signature<Function>;
  static_assert(is_function,
                "assay: a rule is for a function or a member function; one of several of the same name is chosen by "
                "assay::rules::overload<double(double)>(f), and a function object or lambda has one for its call "
                "operator: &Class::operator(), &Lambda::operator() with using Lambda = decltype(f)");
  return is_function;
}

/// Whether a class whose values or references a function takes is known. A pointer may lead to one that is not.
template <class T>
inline constexpr bool is_incomplete_class = (std::is_class_v<T> || std::is_union_v<T>) && !requires { sizeof(T); };
template <class... P>
consteval bool are_complete(Parameters<P...> /*parameters*/) {
  return !(is_incomplete_class<std::remove_cvref_t<P>> || ...);
}

/// The readable errors of a rule.
template <class Rule>
consteval bool is_rule_class() {
  constexpr bool is_defined = requires { sizeof(Rule); };
  static_assert(is_defined, "assay: the rule is declared here and not defined: include the header with its body first");
  if constexpr (is_defined) {
    constexpr bool is_class = std::is_class_v<Rule> && !std::is_final_v<Rule>;
    static_assert(is_class, "assay: a rule is a class that is not final, with static functions");
    return is_class;
  }
  return false;
}

/// The readable errors for a rule that is not for the function.
template <class Rule, class Function>
consteval bool is_rule_for() {
  if constexpr (is_rule_class<Rule>()) {
    using List = typename SignatureOf<Function>::List;
    constexpr bool knows_classes = are_complete(List());
    static_assert(knows_classes, "assay: ASSAY_RULE stands where a class is not complete that the function is a member "
                                 "of, or takes: write it behind the class");
    constexpr bool has_derivative = names_forward<Rule> || names_reverse<Rule>;
    static_assert(has_derivative, "assay: the rule has neither forward nor reverse");
    constexpr bool has_reverse = !has_derivative || !names_augmented<Rule> || names_reverse<Rule>;
    static_assert(has_reverse, "assay: the rule has an augmented_primal and no reverse");
    constexpr bool leaves_arguments = !std::is_base_of_v<Imported, Rule> || !writes_arguments(List());
    static_assert(leaves_arguments,
                  "assay: the function writes to its arguments, and a rule made of a pair (value, pullback) or (value, "
                  "tangent) says nothing of that: write forward, augmented_primal and reverse");
    if constexpr (knows_classes)
      return has_derivative && has_reverse && leaves_arguments &&
             passes_whole_registers<typename SignatureOf<Function>::Result>(List());
  }
  return false;
}

} // namespace detail

/// A rule for one function. `F` is the address of a function or of a member function.
template <class Rule, auto F>
struct Registration {
  using Function = decltype(F);
  using R = typename detail::SignatureOf<Function>::Result;
  using List = typename detail::SignatureOf<Function>::List;
  using Entry = detail::Entry<Rule, F, R, List>;

  static consteval auto table() {
    constexpr auto step = [] {
      if constexpr (Entry::has_forward)
        return &Entry::forward;
      else
        return &Entry::reverse;
    };
    using Step = decltype(step());
    detail::Table<Function, Step, bool (*)(const std::uint32_t *), typename Entry::TapeType (*)()> table{
        signature.text, rule_name.text, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, false, nullptr, F};
    if constexpr (Entry::has_forward)
      table.forward = &Entry::forward;
    if constexpr (Entry::has_reverse) {
      table.augmented = &Entry::augmented;
      table.reverse = &Entry::reverse;
      table.leads_to_others = Entry::leads_to_others;
      if constexpr (Entry::has_tape) {
        table.tape = &Entry::tape_type;
        if constexpr (!detail::is_flat_tape<typename Entry::Kept>)
          table.release = &Entry::release;
      }
    }
    if constexpr (detail::names_applies<Rule>)
      table.applies = &Entry::applies;
    if constexpr (std::is_member_function_pointer_v<Function>)
      if constexpr (std::is_polymorphic_v<typename detail::ClassOf<Function>::type>)
        table.type_information = &typeid(typename detail::ClassOf<Function>::type);
    return table;
  }

  static constexpr auto signature = detail::characters<detail::describe<R>(List(), detail::hides_body<Rule>)>();
  static constexpr auto rule_name = detail::characters<detail::name_of<Rule>()>();
  // NOLINTNEXTLINE(bugprone-reserved-identifier): the engine finds it by this name
  [[gnu::used]] static constexpr auto __assay_rule_table = table();
};

template <class Rule, auto F>
  requires std::is_same_v<Rule, inactive> || std::is_same_v<Rule, inactive_noinl>
struct Registration<Rule, F> {
  struct Table {
    const char *signature;
    const char *rule;
    decltype(F) primal;
  };
  static constexpr auto rule_name = detail::characters<detail::name_of<Rule>()>();
  // NOLINTNEXTLINE(bugprone-reserved-identifier): the engine finds it by this name
  [[gnu::used]] static constexpr Table __assay_rule_table{
      std::is_same_v<Rule, inactive> ? "inactive" : "inactive_noinl", rule_name.text, F};
};

enum class Place : std::uint8_t { source, header };

/// Marks the rules of the source file itself: the engine warns where they are of no use.
template <class Rule, auto F, Place>
struct PlaceOf;
template <class Rule, auto F>
struct PlaceOf<Rule, F, Place::source> {
  // NOLINTNEXTLINE(bugprone-reserved-identifier): the engine finds it by this name
  [[gnu::used]] static constexpr const void *__assay_rule_in_source = &Registration<Rule, F>::__assay_rule_table;
  static_assert(__assay_rule_in_source != nullptr);
};

/// Makes the table, unless the rule or the function is refused.
template <Place place, class Rule, auto F>
consteval void register_one() {
  constexpr bool is_inactive = std::is_same_v<Rule, inactive> || std::is_same_v<Rule, inactive_noinl>;
  if constexpr (detail::takes_rule<decltype(F)>()) {
    constexpr bool fits = [] {
      if constexpr (is_inactive)
        return true;
      else
        return detail::is_rule_for<Rule, decltype(F)>();
    }();
    if constexpr (fits) {
      (void)std::addressof(Registration<Rule, F>::__assay_rule_table);
      if constexpr (place == Place::source)
        (void)std::addressof(PlaceOf<Rule, F, Place::source>::__assay_rule_in_source);
    }
  }
}

/// Makes the tables; true, for a static_assert.
template <Place place, class Rule, auto... F>
consteval bool registered() {
  static_assert(sizeof...(F) > 0, "assay: ASSAY_RULE takes a rule and the functions that it is for");
  (..., register_one<place, Rule, F>());
  return true;
}

/// Refuses variables, which are no constants that a table could hold.
template <Place place, class Rule, auto &...Variable>
  requires((std::is_object_v<std::remove_reference_t<decltype(Variable)>> &&
            !std::is_const_v<std::remove_reference_t<decltype(Variable)>>) ||
           ...)
consteval bool registered() {
  return (..., detail::takes_rule<decltype(Variable)>()) || true;
}

/// One of several functions of the same name: `overload<double(double)>(f)`.
template <class Signature>
constexpr Signature *overload(Signature *function) {
  return function;
}

} // namespace assay::rules
