#pragma once
// Activity combinations as types. The code of a derivative is made at compile time, so the combinations that a test may
// ask for are listed then; the check picks from them at run time.

#include <assay/detail/testing/callable.hpp>
#include <assay/testing/compiled_subject.hpp>
#include <assay/testing/forms.hpp>

#include <algorithm>

namespace assay::detail {

template <testutils::Mode M, testutils::Activity Result, testutils::Activity... Arguments>
struct StaticCombination {
  static constexpr testutils::Mode mode = M;
  static constexpr testutils::Activity result = Result;
  static constexpr std::array<testutils::Activity, sizeof...(Arguments)> arguments{Arguments...};
  static constexpr TestForm form{};

  static constexpr testutils::CombinationRow row{mode, result, arguments};
};

constexpr testutils::CombinationRow in_form(testutils::CombinationRow row, const TestForm &form) {
  row.width = form.width;
  row.form = form.split ? testutils::Form::split : testutils::Form::combined;
  row.runtime_activity = form.runtime_activity ? testutils::RuntimeActivity::on : testutils::RuntimeActivity::off;
  return row;
}

/// The same in another form.
template <TestForm F, class C>
struct InForm : C {
  static constexpr TestForm form = F;
  static constexpr testutils::CombinationRow row = in_form(C::row, F);
};

template <class... Combinations>
struct Menu {
  static constexpr std::array<testutils::CombinationRow, sizeof...(Combinations)> rows{Combinations::row...};
};

template <class... Menus>
struct JoinMenus {
  using type = Menu<>;
};
template <class... A>
struct JoinMenus<Menu<A...>> {
  using type = Menu<A...>;
};
template <class... A, class... B, class... Rest>
struct JoinMenus<Menu<A...>, Menu<B...>, Rest...> : JoinMenus<Menu<A..., B...>, Rest...> {};

template <testutils::Activity... A>
struct Activities {};

/// The activities that an argument can have.
template <testutils::Mode M, class Model>
constexpr auto argument_activities() {
  using enum testutils::Activity;
  if constexpr (!Model::differentiable)
    return Activities<constant>{};
  else if constexpr (!Model::in_memory)
    return Activities<constant, M == testutils::Mode::forward ? duplicated : active>{};
  else if constexpr (Model::is_output)
    return Activities<duplicated, duplicated_no_need>{};
  else if constexpr (Model::writable)
    return Activities<constant, duplicated, duplicated_no_need>{};
  else
    return Activities<constant, duplicated>{};
}

/// The activities that the result can have.
template <testutils::Mode M, class R>
constexpr auto result_activities() {
  using enum testutils::Activity;
  if constexpr (std::is_void_v<R>)
    return Activities<constant>{};
  else if constexpr (!is_differentiable_result<R>)
    return Activities<constant>{};
  else if constexpr (M == testutils::Mode::forward)
    return Activities<constant, duplicated, duplicated_no_need>{};
  else
    return Activities<constant, active>{};
}

// Appends each activity of the first list to each combination, then goes on with the next list.
template <class Combinations, class... Lists>
struct Product {
  using type = Combinations;
};
template <class Combination, class List>
struct Extend;
template <testutils::Mode M, testutils::Activity R, testutils::Activity... A, testutils::Activity... More>
struct Extend<StaticCombination<M, R, A...>, Activities<More...>> {
  using type = Menu<StaticCombination<M, R, A..., More>...>;
};
template <class... C, class First, class... Rest>
struct Product<Menu<C...>, First, Rest...>
    : Product<typename JoinMenus<Menu<>, typename Extend<C, First>::type...>::type, Rest...> {};

template <testutils::Mode M, class Results>
struct Starts;
template <testutils::Mode M, testutils::Activity... R>
struct Starts<M, Activities<R...>> {
  using type = Menu<StaticCombination<M, R>...>;
};

/// Whether there is something to check: an active input, and an output that it can flow into.
template <class... Models>
constexpr bool is_worthwhile(testutils::Activity result,
                             const std::array<testutils::Activity, sizeof...(Models)> &arguments) {
  constexpr std::array<bool, sizeof...(Models) + 1> writable{Models::writable..., false};
  bool has_input = false;
  bool has_output = result != testutils::Activity::constant;
  for (std::size_t index = 0; index < sizeof...(Models); ++index) {
    const bool is_active = arguments[index] != testutils::Activity::constant;
    has_input = has_input || is_active;
    has_output = has_output || (is_active && writable[index]);
  }
  return has_input && has_output;
}

template <class All, class... Models>
struct KeepWorthwhile;
template <class... C, class... Models>
struct KeepWorthwhile<Menu<C...>, Models...> {
  using type = typename JoinMenus<
      Menu<>, std::conditional_t<is_worthwhile<Models...>(C::result, C::arguments), Menu<C>, Menu<>>...>::type;
};

/// Whether everything is active that can be.
template <class Combination, class... Models>
constexpr bool is_fullest() {
  constexpr std::array<bool, sizeof...(Models) + 1> differentiable{Models::differentiable..., false};
  for (std::size_t index = 0; index < sizeof...(Models); ++index)
    if (Combination::arguments[index] == testutils::Activity::duplicated_no_need ||
        (Combination::arguments[index] == testutils::Activity::constant) == differentiable[index])
      return false;
  return Combination::result != testutils::Activity::duplicated_no_need;
}

/// The combinations of a mode in which most is active: their results differ, of which the last one counts.
template <class All, class... Models>
struct KeepFullest;
template <class... C, class... Models>
struct KeepFullest<Menu<C...>, Models...> {
  template <class M>
  struct Last;
  template <class... D>
  struct Last<Menu<D...>> {
    using type = Menu<__type_pack_element<sizeof...(D) - 1, D...>>;
  };
  using type = typename Last<
      typename JoinMenus<Menu<>, std::conditional_t<is_fullest<C, Models...>(), Menu<C>, Menu<>>...>::type>::type;
};

template <testutils::Mode M, class R, class... Models>
using ProductMenu =
    typename KeepWorthwhile<typename Product<typename Starts<M, decltype(result_activities<M, R>())>::type,
                                             decltype(argument_activities<M, Models>())...>::type,
                            Models...>::type;

// Beyond testutils::most_arguments_in_full_product: all arguments active, each in turn otherwise, each alone; memory
// that may be written can be needed as Const or as Duplicated beside it.
template <testutils::Mode M, class... Models>
constexpr auto rows_around_the_ends() {
  using enum testutils::Activity;
  constexpr std::size_t count = sizeof...(Models);
  constexpr std::array<bool, count> differentiable{Models::differentiable...}, writable{Models::writable...},
      in_memory{Models::in_memory...};
  std::array<std::array<testutils::Activity, count>, 1 + 4 * count> rows{};
  std::array<testutils::Activity, count> all_active{}, without_written{}, with_written{};
  for (std::size_t index = 0; index < count; ++index) {
    const testutils::Activity own = in_memory[index] || M == testutils::Mode::forward ? duplicated : active;
    all_active[index] = differentiable[index] ? own : constant;
    with_written[index] = writable[index] ? all_active[index] : constant;
  }
  std::size_t next = 0;
  rows[next++] = all_active;
  for (std::size_t index = 0; index < count; ++index) {
    for (auto row : {without_written, with_written}) {
      row[index] = all_active[index];
      rows[next++] = row;
    }
    rows[next] = all_active;
    rows[next++][index] = constant;
    rows[next] = all_active;
    rows[next++][index] = differentiable[index] && writable[index] ? duplicated_no_need : all_active[index];
  }
  return rows;
}

/// Which of these rows are combinations of a menu: the last of equal ones, where there is something to check.
template <testutils::Mode M, testutils::Activity R, class... Models>
struct MenuAroundTheEnds {
  static constexpr auto rows = rows_around_the_ends<M, Models...>();
  struct Kept {
    std::array<std::size_t, rows.size()> places{};
    std::size_t count = 0;
  };
  static constexpr Kept kept = [] {
    Kept all;
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (std::find(rows.begin() + row + 1, rows.end(), rows[row]) == rows.end() &&
          is_worthwhile<Models...>(R, rows[row]))
        all.places[all.count++] = row;
    return all;
  }();

  template <std::size_t Row, std::size_t... I>
  static auto combination(std::index_sequence<I...>) -> StaticCombination<M, R, rows[Row][I]...>;
  template <std::size_t... Place>
  static auto menu(std::index_sequence<Place...>)
      -> Menu<decltype(combination<kept.places[Place]>(std::index_sequence_for<Models...>()))...>;
  using type = decltype(menu(std::make_index_sequence<kept.count>()));
};

template <testutils::Mode M, class Results, class... Models>
struct EndsMenu;
template <testutils::Mode M, testutils::Activity... R, class... Models>
struct EndsMenu<M, Activities<R...>, Models...>
    : JoinMenus<Menu<>, typename MenuAroundTheEnds<M, R, Models...>::type...> {};

template <bool Full, testutils::Mode M, class R, class... Models>
struct MenuOf {
  using type = ProductMenu<M, R, Models...>;
};
template <testutils::Mode M, class R, class... Models>
struct MenuOf<false, M, R, Models...> : EndsMenu<M, decltype(result_activities<M, R>()), Models...> {};

/// Every combination of a mode.
template <testutils::Mode M, class R, class... Models>
using FullMenu = typename MenuOf<(std::size_t{0} + ... + std::size_t{Models::differentiable}) <=
                                     testutils::most_arguments_in_full_product,
                                 M, R, Models...>::type;

/// The forward combination with the same active arguments.
template <class Combination>
struct ForwardOf;
template <testutils::Mode M, testutils::Activity R, testutils::Activity... A>
struct ForwardOf<StaticCombination<M, R, A...>> {
  static constexpr testutils::Activity duplicate(testutils::Activity activity) {
    return activity == testutils::Activity::active ? testutils::Activity::duplicated : activity;
  }
  using type = StaticCombination<testutils::Mode::forward, duplicate(R), duplicate(A)...>;
};

template <class M>
std::vector<testutils::Combination> combinations_in(M) {
  return testutils::combinations_of(M::rows);
}
template <class M>
bool offers(M menu, const testutils::Combination &combination) {
  const std::vector<testutils::Combination> all = combinations_in(menu);
  return std::find(all.begin(), all.end(), combination) != all.end();
}

template <class C, class M>
struct Contains;
template <class C, class... All>
struct Contains<C, Menu<All...>> : std::bool_constant<(std::is_same_v<C, All> || ...)> {};

/// A menu with the forward combinations that reverse ones are compared with.
template <class M>
struct WithForward;
template <class... C>
struct WithForward<Menu<C...>> {
  using type =
      typename JoinMenus<Menu<C...>, std::conditional_t<Contains<typename ForwardOf<C>::type, Menu<C...>>::value,
                                                        Menu<>, Menu<typename ForwardOf<C>::type>>...>::type;
};

} // namespace assay::detail
