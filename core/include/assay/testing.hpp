#pragma once
// Tests of derivatives, for GoogleTest.
//
//   TEST(Mul, Gradients) {
//     test_forward<Duplicated>(mul, arg<Duplicated>(x), arg<Const>(y));     // one combination of activities
//     test_reverse<Active>(mul, arg<Active>(x), y);                         // an unmarked argument is Const
//     test_forward_all(mul, x, y);                                          // every combination
//     test_reverse_all(mul, x, y);
//   }
//   ASSAY_GRADIENT_TEST(Mul, mul, gen::real(-2, 2), gen::positive())        // random inputs, both modes, shrunk on
//   failure
//
// Each combination is checked for: the primal result and the arguments after the call, bit for bit; the
// derivative against finite differences; accumulation into shadows; memory that must not change; linearity in the seed
// and zero seeds; forward against reverse; and the same bits twice. What is checked and how it is judged is in
// assay/testing/check.hpp, the options are in assay/testing/options.hpp. The code must be compiled with the plugin, as
// for autodiff.hpp; CMake users link Assay::testing.
//
// Arguments are whatever the traversal of <assay/to_vec.hpp> finds numbers in: scalars, containers, spans, structs,
// matrices; anything else is constant. A scalar that the function takes by non-const reference, and all memory that it
// can write, is input and output at once.

#include <assay/detail/testing/callable_argument.hpp>
#include <assay/detail/testing/given.hpp>
#include <assay/detail/testing/typed_subject.hpp>
#include <assay/detail/testing/variation_menu.hpp>
#include <assay/generators.hpp>
#include <assay/testing/approx.hpp>
#include <assay/testing/options.hpp>

namespace assay {
namespace detail {

// ---- From a call of the harness to a subject ----

/// Everything about a call of the harness that is known at compile time.
template <class File, class F, class... A>
struct Setting {
  using Function = std::decay_t<F>;
  static_assert(std::invocable<Function &, typename Given<A>::type &...>,
                "assay: the function cannot be called with these arguments");
  using R = std::invoke_result_t<Function &, typename Given<A>::type &...>;
  template <std::size_t I, class T>
  using Model = ArgumentModel<parameter_of<Function, I>, typename Given<T>::type, Given<T>::differentiated>;

  template <class>
  struct Indexed;
  template <std::size_t... I>
  struct Indexed<std::index_sequence<I...>> {
    template <testutils::Mode M>
    using All = FullMenu<M, R, Model<I, A>...>;
    template <testutils::Mode M>
    using Fullest = typename KeepFullest<All<M>, Model<I, A>...>::type;
    template <testutils::Mode M, class Choice, class Menu>
    using Variations = VariationMenu<M, Choice, Menu, Model<I, A>...>;
    using Subject = TypedSubject<File, Function, R, Model<I, A>...>;
  };
  using ByPosition = Indexed<std::index_sequence_for<A...>>;

  template <testutils::Mode M, testutils::Activity Return>
  using One = StaticCombination<M, Return, Given<A>::activity...>;
};

template <class RA, class B, class V, class O, class Second>
testutils::SubjectNames subject_names(const TestOptions<RA, B, V, O, Second> &options) {
  const RunningTest test;
  const std::string fallback = test.name.empty() ? "function" : "function of " + test.suite + "." + test.name;
  return {options.name.empty() ? fallback : options.name, options.names, replay_suffix(), options.rule};
}

/// Gives the subject the oracle that the option `oracle`, of a type O, chooses.
template <class O, class Menu, class Subject, class F, class... A>
void use_oracle(Subject &subject, const F &function, const A &...arguments) {
  using Choice = std::remove_cv_t<O>;
  if constexpr (std::is_same_v<Choice, WideArithmetic>)
    subject.use_wide_arithmetic();
  if constexpr (std::is_same_v<Choice, WideArithmetic> || std::is_same_v<Choice, WideReassessment>)
    subject.use_wide_derivatives(Menu{});
  else if constexpr (!std::is_same_v<Choice, std::false_type>)
    subject.precise = O::for_function(function, arguments...);
}

/// Checks the combinations of `check` with the code of Plain, in the usual form, and of Variations.
template <class S, class Plain, class Variations, class RA, class B, class V, class O, class Second, class F,
          class... A>
[[gnu::noinline]] testutils::Report check_menu(const TestOptions<RA, B, V, O, Second> &options,
                                               const testutils::CheckOptions &check, const F &function,
                                               const A &...arguments) {
  using Usual = typename WholeMenuIn<usual_form<RA>, Plain>::type;
  using Subject = typename S::ByPosition::Subject;
  Subject subject(typename JoinMenus<Usual, Variations>::type{}, function, subject_names(options),
                  Given<A>::value(arguments)...);
  use_oracle<O, Usual>(subject, function, Given<A>::value(arguments)...);
  return testutils::check_compiled(subject, subject.given(), check, Variations::rows);
}

template <class File, testutils::Mode M, class RA, class B, class V, class O, class Second, class F, class... A>
testutils::Report check_all_of(const TestOptions<RA, B, V, O, Second> &options, const F &function,
                               const A &...arguments) {
  using S = Setting<File, F, A...>;
  using All = typename S::ByPosition::template All<M>;
  using Variations = typename S::ByPosition::template Variations<M, V, All>;
  testutils::CheckOptions check = check_options(options);
  check.modes = {M};
  return check_menu<S, typename WithForward<All>::type, Variations>(options, check, function, arguments...);
}

/// The combination in which most is active, in the usual form and in those that the options choose.
template <class File, testutils::Mode M, class RA, class B, class V, class O, class Second, class F, class... A>
testutils::Report check_fullest_of(const TestOptions<RA, B, V, O, Second> &options, const F &function,
                                   const A &...arguments) {
  using S = Setting<File, F, A...>;
  using Fullest = typename S::ByPosition::template Fullest<M>;
  testutils::CheckOptions check = check_options(options);
  check.combinations = combinations_in(typename WholeMenuIn<usual_form<RA>, Fullest>::type{});
  using Variations = typename Varied<M, std::remove_cv_t<V>, Fullest>::type;
  return check_menu<S, typename WithForward<Fullest>::type, Variations>(options, check, function, arguments...);
}

template <class File, testutils::Mode M, testutils::Activity Return, class RA, class B, class V, class O, class Second,
          class F, class... A>
testutils::Report check_one(const TestOptions<RA, B, V, O, Second> &options, const F &function, const A &...arguments) {
  using S = Setting<File, F, A...>;
  using C = typename S::template One<M, Return>;
  using Choice = std::conditional_t<varies_each<std::remove_cv_t<V>>, V, std::false_type>;
  using Variations = typename Varied<M, std::remove_cv_t<Choice>, Menu<C>>::type;
  testutils::CheckOptions check = check_options(options);
  check.combinations = combinations_in(typename WholeMenuIn<usual_form<RA>, Menu<C>>::type{});
  return check_menu<S, typename WithForward<Menu<C>>::type, Variations>(options, check, function, arguments...);
}

/// Calls `run(options, function, arguments...)`. A callable that is to be differentiated, or may be where `Unmarked`
/// says so, is made the first argument.
template <Differentiated Unmarked, class Run, class RA, class B, class V, class O, class Second, class F, class... A>
auto with_callable(const Run &run, const TestOptions<RA, B, V, O, Second> &options, const F &function,
                   const A &...arguments) {
  using Callable = typename Given<F>::type;
  constexpr bool is_asked =
      is_marked<F> ? Given<F>::activity != testutils::Activity::constant : Unmarked == Differentiated::perhaps;
  static_assert(!is_marked<F> || !is_asked || holds_numbers<Callable>,
                "assay: this function has nothing to differentiate in it: it is Const");
  if constexpr (is_asked && holds_numbers<Callable>) {
    constexpr bool changes = !std::invocable<const Callable &, typename Given<A>::type &...>;
    TestOptions<RA, B, V, O, Second> named = options;
    named.names = names_after_callable(options.names, sizeof...(A));
    return run(named, CallGiven<Callable, changes>{}, function, arguments...);
  } else {
    return run(options, Given<F>::value(function), arguments...);
  }
}

/// Calls `run(options, function, arguments...)`: bound arguments are appended, and options may stand first, last or
/// nowhere.
template <class Run, class RA, class B, class V, class O, class Second, class F, class... A>
auto with_bound(const Run &run, const TestOptions<RA, B, V, O, Second> &options, const F &function,
                const A &...arguments) {
  return std::apply([&](const auto &...bound) { return run(options, function, arguments..., arg<Const>(bound)...); },
                    options.bound);
}
template <class Run, class First, class... Rest>
auto with_options(const Run &run, const First &first, const Rest &...rest) {
  if constexpr (is_test_options<First>)
    return with_bound(run, first, rest...);
  else
    return with_bound(run, TestOptions<>{}, first, rest...);
}

template <class File, testutils::Mode M>
inline constexpr auto run_all = [](const auto &...call) {
  return with_callable<Differentiated::perhaps>(
      [](const auto &...differentiated) { return check_all_of<File, M>(differentiated...); }, call...);
};
template <class File, testutils::Mode M>
inline constexpr auto run_fullest = [](const auto &...call) {
  return with_callable<Differentiated::perhaps>(
      [](const auto &...differentiated) { return check_fullest_of<File, M>(differentiated...); }, call...);
};
template <class File, testutils::Mode M, testutils::Activity Return>
inline constexpr auto run_one = [](const auto &...call) {
  return with_callable<Differentiated::never>(
      [](const auto &...differentiated) { return check_one<File, M, Return>(differentiated...); }, call...);
};

} // namespace detail

// ---- Checks that return their records ----

/// One combination in forward mode: the result's activity, then the function (after options, if any) and its arguments.
template <template <class...> class Return, class... A>
static testutils::Report check_forward(const A &...call) {
  return detail::with_options(
      detail::run_one<detail::ThisFile, testutils::Mode::forward, detail::activity_of_annotation<Return>()>, call...);
}
template <template <class...> class Return, class... A>
static testutils::Report check_reverse(const A &...call) {
  return detail::with_options(
      detail::run_one<detail::ThisFile, testutils::Mode::reverse, detail::activity_of_annotation<Return>()>, call...);
}
template <template <class...> class Return, class... A>
static testutils::Report check_forward(const TestOptions<> &options, const A &...call) {
  return detail::with_options(
      detail::run_one<detail::ThisFile, testutils::Mode::forward, detail::activity_of_annotation<Return>()>, options,
      call...);
}
template <template <class...> class Return, class... A>
static testutils::Report check_reverse(const TestOptions<> &options, const A &...call) {
  return detail::with_options(
      detail::run_one<detail::ThisFile, testutils::Mode::reverse, detail::activity_of_annotation<Return>()>, options,
      call...);
}
/// Every combination in one mode.
template <class... A>
static testutils::Report check_forward_all(const A &...call) {
  return detail::with_options(detail::run_all<detail::ThisFile, testutils::Mode::forward>, call...);
}
template <class... A>
static testutils::Report check_reverse_all(const A &...call) {
  return detail::with_options(detail::run_all<detail::ThisFile, testutils::Mode::reverse>, call...);
}
template <class... A>
static testutils::Report check_forward_all(const TestOptions<> &options, const A &...call) {
  return detail::with_options(detail::run_all<detail::ThisFile, testutils::Mode::forward>, options, call...);
}
template <class... A>
static testutils::Report check_reverse_all(const TestOptions<> &options, const A &...call) {
  return detail::with_options(detail::run_all<detail::ThisFile, testutils::Mode::reverse>, options, call...);
}

// ---- Checks that fail the running test ----

template <template <class...> class Return, class... A>
static void test_forward(const A &...call) {
  detail::tell_googletest(check_forward<Return>(call...));
}
template <template <class...> class Return, class... A>
static void test_forward(const TestOptions<> &options, const A &...call) {
  detail::tell_googletest(check_forward<Return>(options, call...));
}
template <template <class...> class Return, class... A>
static void test_reverse(const A &...call) {
  detail::tell_googletest(check_reverse<Return>(call...));
}
template <template <class...> class Return, class... A>
static void test_reverse(const TestOptions<> &options, const A &...call) {
  detail::tell_googletest(check_reverse<Return>(options, call...));
}
template <class... A>
static void test_forward_all(const A &...call) {
  detail::tell_googletest(check_forward_all(call...));
}
template <class... A>
static void test_forward_all(const TestOptions<> &options, const A &...call) {
  detail::tell_googletest(check_forward_all(options, call...));
}
template <class... A>
static void test_reverse_all(const A &...call) {
  detail::tell_googletest(check_reverse_all(call...));
}
template <class... A>
static void test_reverse_all(const TestOptions<> &options, const A &...call) {
  detail::tell_googletest(check_reverse_all(options, call...));
}

} // namespace assay

#include <assay/detail/testing/property.hpp>
#include <assay/testing/rule.hpp>
