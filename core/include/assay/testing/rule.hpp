#pragma once
// Checks of derivative rules (<assay/rules.hpp>, or tables of the C convention).
//
//   test_rule(f, x, y);
//   test_rule(TestOptions{.name = "f", .variations = every_form}, f, x, y);     // all widths, all forms
//
// The function is checked as it is, in both modes, in every activity, in one function and split, at every width, and
// with run-time activity, with all that test_forward_all and test_reverse_all check (memory that is scrambled between
// the passes and poisoned where it is not needed, runs twice, accumulation, linearity), and for state that a rule keeps
// from call to call and shares with other threads. Then in surroundings that give its rule other configurations: called
// in a loop whose length is not known, so that several tapes are alive and its value is read; with arguments that
// change after the call, so that they are overwritten; and recursively. And its first derivatives are differentiated.
//
// Where something fails, the same is asked of the derivative that the engine makes of the function's own code, if that
// is in this file, and the message says which of them disagree.

#include <algorithm>
#include <assay/detail/testing/rule_calls.hpp>
#include <assay/testing.hpp>

namespace assay {

/// As `variations` of test_rule: every width from 1 to 8, in one function and split, with and without run-time
/// activity.
inline constexpr auto forms_of_rules =
    round_in_forms<TestForm{.width = 2}, TestForm{.split = true}, TestForm{.width = 8, .runtime_activity = true},
                   TestForm{.width = 3, .split = true}, TestForm{.width = 5}, TestForm{.runtime_activity = true},
                   TestForm{.width = 7, .split = true, .runtime_activity = true}, TestForm{.width = 4},
                   TestForm{.width = 2, .split = true}, TestForm{.width = 6, .runtime_activity = true},
                   TestForm{.split = true, .runtime_activity = true}, TestForm{.width = 3},
                   TestForm{.width = 4, .split = true}, TestForm{.width = 7}, TestForm{.width = 8, .split = true}>;
/// The same in the surroundings, where most is active.
inline constexpr auto forms_of_surroundings =
    each_in_forms<TestForm{.split = true}, TestForm{.width = 2}, TestForm{.width = 3, .split = true},
                  TestForm{.width = 4, .runtime_activity = true}>;
inline constexpr auto forms_of_recursion = each_in_forms<TestForm{.width = 2, .split = true}>;

/// The findings of `check_rule` for one surrounding in one mode.
struct RuleFinding {
  std::string what; ///< As "reverse mode, arguments overwritten".
  testutils::Report report;
  /// The same of the function's own code; nothing where that was not asked or is not known.
  std::optional<testutils::Report> without_rule;
};

struct RuleReport {
  std::vector<RuleFinding> findings;

  bool ok() const {
    return std::ranges::all_of(findings, [](const RuleFinding &finding) { return finding.report.ok(); });
  }
  std::size_t checked() const {
    std::size_t count = 0;
    for (const RuleFinding &finding : findings)
      count += finding.report.checked;
    return count;
  }
};

/// Who disagrees with whom, in one sentence; empty where nothing failed.
inline std::string judgement(const RuleFinding &finding) {
  if (finding.report.ok())
    return {};
  const std::string failed = "rule, " + finding.what + ": " + std::to_string(finding.report.failed) + " of " +
                             std::to_string(finding.report.checked) + " combinations are wrong";
  if (!finding.without_rule)
    return failed + "; there is no code to differentiate without the rule";
  if (finding.without_rule->ok())
    return failed + "; the engine's own derivative of the function agrees with the oracles: the rule is wrong";
  return failed + ", and so is the engine's own derivative of the function in " +
         std::to_string(finding.without_rule->failed) + " of " + std::to_string(finding.without_rule->checked) +
         ": look at the function at this point first";
}

namespace detail {

template <class V>
inline constexpr bool is_default_choice = std::is_same_v<std::remove_cv_t<V>, std::remove_cv_t<decltype(some_forms)>>;

/// The options with another choice of forms and oracle.
template <class Forms, class Oracle, class RA, class B, class V, class O, class Second>
auto options_with(const TestOptions<RA, B, V, O, Second> &options) {
  return TestOptions<RA, B, std::remove_cv_t<Forms>, std::remove_cv_t<Oracle>, Second>{
      .fdm = options.fdm,
      .rtol = options.rtol,
      .atol = options.atol,
      .seed = options.seed,
      .name = options.name,
      .names = options.names,
      .output_tangent = options.output_tangent,
      .bound = options.bound,
      .budget = options.budget,
      .tolerances = options.tolerances,
      .explanations = options.explanations,
      .rule = options.rule,
      .seconds = options.seconds,
      .primal_ulps = options.primal_ulps,
      .primal_may_round = options.primal_may_round};
}

/// The options, with `Forms` where none were chosen.
template <class Forms, class RA, class B, class V, class O, class Second>
auto options_by_default(const TestOptions<RA, B, V, O, Second> &options) {
  return options_with<std::conditional_t<is_default_choice<V>, Forms, V>, O>(options);
}

/// Names for the arguments, then for their shadows.
inline std::vector<std::string> names_with_shadows(std::vector<std::string> names, std::size_t count,
                                                   const std::string &kind) {
  for (std::size_t index = names.size(); index < count; ++index)
    names.push_back("x" + std::to_string(index + 1));
  names.resize(count);
  for (std::size_t index = 0; index < count; ++index)
    names.push_back(kind + " of " + names[index]);
  names.push_back("seed");
  return names;
}

template <class F>
F *code_of(F *function) {
  return reinterpret_cast<F *>(__assay_without_rule(reinterpret_cast<const void *>(function)));
}
template <class F>
std::nullptr_t code_of(const F & /*object*/) {
  return nullptr;
}

} // namespace detail

namespace detail {

/// The findings of `check(options, subject)`, where `make(f)` is the subject; and, if that fails, those of the
/// function's own code.
template <class Check, class Options, class Function, class Make>
static RuleFinding finding_of(std::string what, const Check &check, const Options &options, const Function &function,
                              const Make &make) {
  RuleFinding finding{std::move(what), check(options, make(function)), {}};
  const auto code = code_of(Function(function));
  if constexpr (!std::is_same_v<decltype(code), const std::nullptr_t>)
    if (code != nullptr && !finding.report.ok()) {
      Options without_rule = options;
      without_rule.rule.clear();
      finding.without_rule = check(without_rule, make(code));
    }
  return finding;
}

/// Every combination in both modes.
template <class Options, class Function, class... A>
static void check_all(RuleReport &report, const Options &options, const Function &function, const A &...arguments) {
  const auto itself = [](const auto &called) { return called; };
  const auto forward = [&](const auto &with, const auto &subject) {
    return check_forward_all(with, subject, arguments...);
  };
  const auto reverse = [&](const auto &with, const auto &subject) {
    return check_reverse_all(with, subject, arguments...);
  };
  report.findings.push_back(finding_of("forward mode", forward, options, function, itself));
  report.findings.push_back(finding_of("reverse mode", reverse, options, function, itself));
}

/// In the surrounding that `make` gives, the combination in which most is active, in both modes.
template <class Options, class Function, class Make, class... A>
static void check_fullest(RuleReport &report, const std::string &where, const Options &options,
                          const Function &function, const Make &make, const A &...arguments) {
  const auto forward = [&](const auto &with, const auto &subject) {
    return with_options(run_fullest<ThisFile, testutils::Mode::forward>, with, subject, arguments...);
  };
  const auto reverse = [&](const auto &with, const auto &subject) {
    return with_options(run_fullest<ThisFile, testutils::Mode::reverse>, with, subject, arguments...);
  };
  report.findings.push_back(finding_of("forward mode" + where, forward, options, function, make));
  report.findings.push_back(finding_of("reverse mode" + where, reverse, options, function, make));
}

/// The derivatives of first derivatives, in forward mode, against finite differences of these.
template <class Calls, class Options, class Function, class... A>
static void check_second_order(RuleReport &report, const Options &rule_options, const Function &function,
                               const A &...arguments) {
  using Derivatives = typename Calls::Derivatives;
  const auto check = [](const auto &options, const auto &subject) {
    return [&options, &subject](const auto &...all) {
      return with_options(run_fullest<ThisFile, testutils::Mode::forward>, options, subject, all...);
    };
  };
  auto options = options_with<std::false_type, std::false_type>(rule_options);
  options.rule.clear();
  options.primal_may_round = true; // The first derivative is compiled anew as a part of the second one.
  options.names = names_with_shadows(rule_options.names, sizeof...(A), "tangent");
  report.findings.push_back(finding_of(
      "second order, forward over forward",
      [&](const auto &with, const auto &subject) { return Calls::with_tangents(check(with, subject), arguments...); },
      options, function, [](const Function &f) { return typename Derivatives::Forward{f}; }));
  options.names = names_with_shadows(rule_options.names, sizeof...(A), "adjoint");
  report.findings.push_back(finding_of(
      "second order, forward over reverse",
      [&](const auto &with, const auto &subject) { return Calls::with_adjoints(check(with, subject), arguments...); },
      options, function,
      [](const Function &f) {
        if constexpr (Calls::returns_number)
          return typename Derivatives::Reverse{f};
        else
          return typename Derivatives::ReverseOfNothing{f};
      }));
}

} // namespace detail

/// Checks and returns the findings.
template <class RA, class B, class V, class Oracle, class Second, class F, class... A>
static RuleReport check_rule(const TestOptions<RA, B, V, Oracle, Second> &options, const F &function,
                             const A &...arguments) {
  using Function = std::decay_t<F>;
  using Calls = detail::RuleCalls<Function, typename detail::RuleSignature<Function>::type>;
  const Function f(function);
  RuleReport report;
  auto first = detail::options_by_default<decltype(forms_of_rules)>(options);
  first.rule = "the rule of " + (options.name.empty() ? "the function" : options.name);
  detail::check_all(report, first, f, arguments...);
  const auto around = detail::options_by_default<decltype(forms_of_surroundings)>(options);
  if constexpr (Calls::can_surround) {
    detail::check_fullest(
        report, ", called repeatedly", around, f, [](const Function &f) { return typename Calls::Repeated{f}; },
        arguments...);
    detail::check_fullest(
        report, ", arguments overwritten", around, f, [](const Function &f) { return typename Calls::Overwriting{f}; },
        arguments...);
    detail::check_fullest(
        report, ", called recursively", detail::options_by_default<decltype(forms_of_recursion)>(options), f,
        [](const Function &f) { return typename Calls::Recursive{f}; }, arguments...);
    if constexpr (Second::value)
      if (report.ok())
        detail::check_second_order<Calls>(report, options, f, arguments...);
  }
  return report;
}
template <class F, class... A>
  requires(!detail::is_test_options<F>)
static RuleReport check_rule(const F &function, const A &...arguments) {
  return check_rule(TestOptions<>{}, function, arguments...);
}

/// Checks, and fails the running test where the rule is wrong.
template <class... A>
static void test_rule(const A &...call) {
  const RuleReport report = check_rule(call...);
  for (const RuleFinding &finding : report.findings) {
    detail::tell_googletest(finding.report);
    if (const std::string text = judgement(finding); !text.empty())
      ADD_FAILURE() << text;
  }
}

} // namespace assay
