#pragma once
// Which combinations a test has code for in other forms than the plain one. The function's outputs are known when the
// test runs; memory that it may write is therefore never constant here, so that every variation can be checked.

#include <assay/detail/testing/menu.hpp>

namespace assay::detail {

template <class Combination, class... Models>
constexpr bool stays_valid() {
  std::array<bool, sizeof...(Models) + 1> written{(Models::writable && Models::differentiable)..., false};
  for (std::size_t index = 0; index < sizeof...(Models); ++index)
    if (written[index] && Combination::arguments[index] == testutils::Activity::constant)
      return false;
  return true;
}

template <class All, class... Models>
struct KeepValid;
template <class... C, class... Models>
struct KeepValid<Menu<C...>, Models...> {
  using type = typename JoinMenus<Menu<>, std::conditional_t<stays_valid<C, Models...>(), Menu<C>, Menu<>>...>::type;
};

template <TestForm... F>
struct FormList {};

template <class... Lists>
struct JoinForms {
  using type = FormList<>;
};
template <TestForm... A>
struct JoinForms<FormList<A...>> {
  using type = FormList<A...>;
};
template <TestForm... A, TestForm... B, class... Rest>
struct JoinForms<FormList<A...>, FormList<B...>, Rest...> : JoinForms<FormList<A..., B...>, Rest...> {};

/// Those of the forms that a mode has, without the plain one.
template <testutils::Mode M, TestForm... F>
using FormsOf =
    typename JoinForms<FormList<>, std::conditional_t<F.is_plain() || (F.split && M == testutils::Mode::forward),
                                                      FormList<>, FormList<F>>...>::type;

template <class Combinations, class Forms>
struct EachInEachForm;
template <class... C, TestForm... F>
struct EachInEachForm<Menu<C...>, FormList<F...>> {
  template <TestForm One>
  using All = Menu<InForm<One, C>...>;
  using type = typename JoinMenus<Menu<>, All<F>...>::type;
};

template <std::size_t I, TestForm... F>
inline constexpr TestForm form_at = std::array<TestForm, sizeof...(F)>{F...}[I];

/// `count` pairs: forms go round, and the combinations too, where there are fewer of them; else they are taken evenly.
template <std::size_t Count, class Combinations, class Forms>
struct Paired;
template <std::size_t Count, class... C, TestForm... F>
  requires(sizeof...(C) > 0 && sizeof...(F) > 0)
struct Paired<Count, Menu<C...>, FormList<F...>> {
  static constexpr std::size_t combination(std::size_t pair) {
    return sizeof...(C) > Count ? pair * sizeof...(C) / Count : pair % sizeof...(C);
  }
  template <std::size_t... I>
  static auto pairs(std::index_sequence<I...>)
      -> Menu<InForm<form_at<I % sizeof...(F), F...>, __type_pack_element<combination(I), C...>>...>;
  using type = decltype(pairs(std::make_index_sequence<Count>()));
};
template <std::size_t Count, class Combinations, class Forms>
struct Paired {
  using type = Menu<>;
};

template <class>
inline constexpr std::size_t count_of = 0;
template <class... C>
inline constexpr std::size_t count_of<Menu<C...>> = sizeof...(C);
template <TestForm... F>
inline constexpr std::size_t count_of<FormList<F...>> = sizeof...(F);

/// The combinations of one mode that a choice (forms.hpp) selects.
template <testutils::Mode M, class Choice, class Combinations>
struct Varied {
  static_assert(std::is_same_v<Choice, std::false_type>,
                "assay: variations are off, on, every_form, in_forms<...> or each_in_forms<...>");
  using type = Menu<>;
};
template <testutils::Mode M, TestForm... F, class Combinations>
struct Varied<M, FormChoice<Spread::one, F...>, Combinations> {
  using Forms = FormsOf<M, F...>;
  using type = typename Paired<count_of<Forms>, Combinations, Forms>::type;
};
template <testutils::Mode M, TestForm... F, class Combinations>
struct Varied<M, FormChoice<Spread::round, F...>, Combinations> {
  using Forms = FormsOf<M, F...>;
  using type = typename Paired<std::max(count_of<Combinations>, count_of<Forms>), Combinations, Forms>::type;
};
template <testutils::Mode M, TestForm... F, class Combinations>
struct Varied<M, FormChoice<Spread::each, F...>, Combinations> {
  using type = typename EachInEachForm<Combinations, FormsOf<M, F...>>::type;
};
template <testutils::Mode M, TestForm... F>
consteval FormsOf<M, F...> forms_of(FormChoice<Spread::each, F...>) {
  return {};
}
template <testutils::Mode M, class Combinations>
struct Varied<M, std::true_type, Combinations> {
  using Forms = decltype(forms_of<M>(every_form));
  using type = typename Paired<std::max(count_of<Combinations>, count_of<Forms>), Combinations, Forms>::type;
};

/// The variations of `Plain`, a menu of one mode.
template <testutils::Mode M, class Choice, class Plain, class... Models>
using VariationMenu = typename Varied<M, std::remove_cv_t<Choice>, typename KeepValid<Plain, Models...>::type>::type;

/// Every combination of a menu in `F`.
template <TestForm F, class M>
struct WholeMenuIn;
template <TestForm F, class... C>
struct WholeMenuIn<F, Menu<C...>> {
  using type = Menu<InForm<F, C>...>;
};
template <class... C>
struct WholeMenuIn<TestForm{}, Menu<C...>> {
  using type = Menu<C...>;
};

} // namespace assay::detail
