#pragma once
// Checks of derivative rules (<assay/rules.hpp>, or tables of the C convention).
//
//   test_rule(f, x, y);
//   test_rule(TestOptions{.name = "f", .variations = every_form}, f, x, y);     // all widths, all forms
//
// The function is checked as it is, then in surroundings that give its rule other configurations: called in a loop
// whose length is not known, so that several tapes are alive and its value is read; and with arguments that change
// after the call, so that they are overwritten. Each is checked in both modes, in every activity, in one function and
// split, at several widths, and with run-time activity, with all that test_forward_all and test_reverse_all check:
// memory that is scrambled between the passes and poisoned where it is not needed, runs twice, accumulation, linearity.
//
// Where something fails, the same is asked of the derivative that the engine makes of the function's own code, if that
// is in this file, and the message says which of them disagree.

#include <assay/detail/testing/rule_calls.hpp>
#include <assay/testing.hpp>

namespace assay {

/// As `variations` of test_rule: each of these forms at every combination.
inline constexpr auto forms_of_rules =
    each_in_forms<TestForm{.split = true}, TestForm{.width = 2}, TestForm{.width = 3, .split = true},
                  TestForm{.width = 8, .runtime_activity = true}>;

/// What `check_rule` found for one surrounding in one mode.
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

/// The options, with the forms of rules where none were chosen.
template <class RA, class B, class V, class O>
auto options_of_rule(const TestOptions<RA, B, V, O> &options) {
  if constexpr (is_default_choice<V>)
    return TestOptions<RA, B, std::remove_cv_t<decltype(forms_of_rules)>, O>{.fdm = options.fdm,
                                                                             .rtol = options.rtol,
                                                                             .atol = options.atol,
                                                                             .seed = options.seed,
                                                                             .name = options.name,
                                                                             .names = options.names,
                                                                             .output_tangent = options.output_tangent,
                                                                             .bound = options.bound,
                                                                             .budget = options.budget,
                                                                             .tolerances = options.tolerances};
  else
    return options;
}

template <class F>
F *code_of(F *function) {
  return __assay_without_rule(function);
}
template <class F>
std::nullptr_t code_of(const F & /*object*/) {
  return nullptr;
}

} // namespace detail

/// Checks and returns what was found.
template <class Options, class F, class... A>
static RuleReport check_rule_with(const Options &options, const F &function, const A &...arguments) {
  using Function = std::decay_t<F>;
  using Calls = detail::RuleCalls<Function, typename detail::RuleSignature<Function>::type>;
  RuleReport report;
  const auto check = [&](const std::string &where, const auto &make) {
    const auto subject = make(Function(function));
    const auto code = detail::code_of(Function(function));
    RuleFinding forward{"forward mode" + where, check_forward_all(options, subject, arguments...), {}};
    RuleFinding reverse{"reverse mode" + where, check_reverse_all(options, subject, arguments...), {}};
    if constexpr (!std::is_same_v<decltype(code), const std::nullptr_t>)
      if (code != nullptr) {
        if (!forward.report.ok())
          forward.without_rule = check_forward_all(options, make(code), arguments...);
        if (!reverse.report.ok())
          reverse.without_rule = check_reverse_all(options, make(code), arguments...);
      }
    report.findings.push_back(std::move(forward));
    report.findings.push_back(std::move(reverse));
  };
  check("", [](const Function &f) { return f; });
  if constexpr (Calls::can_surround) {
    check(", called repeatedly", [](const Function &f) { return typename Calls::Repeated{f}; });
    check(", arguments overwritten", [](const Function &f) { return typename Calls::Overwriting{f}; });
  }
  return report;
}
template <class RA, class B, class V, class O, class F, class... A>
static RuleReport check_rule(const TestOptions<RA, B, V, O> &options, const F &function, const A &...arguments) {
  return check_rule_with(detail::options_of_rule(options), function, arguments...);
}
template <class F, class... A>
  requires(!detail::is_test_options<F>)
static RuleReport check_rule(const F &function, const A &...arguments) {
  return check_rule_with(detail::options_of_rule(TestOptions<>{}), function, arguments...);
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
