#pragma once
// The common part of all calls of the harness: arguments with and without a mark, and options as the check takes them.

#include <assay/detail/testing/callable.hpp>
#include <assay/detail/testing/googletest.hpp>
#include <assay/testing/forms.hpp>
#include <assay/testing/options.hpp>

namespace assay::detail {

// A test passes functions by pointer, and the code of a derivative knows the functions of its own file. So everything
// that is instantiated for a test belongs to that file, and is not merged with the same types elsewhere.
namespace {
struct ThisFile {};
} // namespace

template <class T>
struct GivenArgument {
  using type = std::remove_cvref_t<T>;
  static constexpr auto differentiated = Differentiated::perhaps;
  static constexpr testutils::Activity activity = testutils::Activity::constant;
  static const type &value(const T &argument) { return argument; }
};
template <class U, std::size_t N>
struct GivenArgument<U[N]> {
  using type = HeldArray<U, N>;
  static constexpr auto differentiated = Differentiated::perhaps;
  static constexpr testutils::Activity activity = testutils::Activity::constant;
  static type value(const U (&argument)[N]) { return {std::to_array(argument)}; }
};
template <testutils::Activity A, class T>
struct GivenArgument<MarkedArgument<A, T>> {
  using Inner = GivenArgument<std::remove_cvref_t<T>>;
  using type = typename Inner::type;
  static constexpr auto differentiated =
      A == testutils::Activity::constant ? Differentiated::never : Differentiated::perhaps;
  static constexpr testutils::Activity activity = A;
  static decltype(auto) value(const MarkedArgument<A, T> &argument) { return Inner::value(argument.value); }
};
template <class T>
using Given = GivenArgument<std::remove_cvref_t<T>>;

template <class RA, class B, class V, class O, class Second>
testutils::CheckOptions check_options(const TestOptions<RA, B, V, O, Second> &options) {
  const RunningTest test;
  testutils::CheckOptions check;
  check.seed = options.seed ? *options.seed : number_from_environment("ASSAY_SEED").value_or(1);
  check.suite = test.suite;
  check.name = test.name + "/" + options.name;
  check.finite_differences = options.fdm;
  check.tolerance.absolute = options.atol;
  check.tolerance.relative = options.rtol;
  check.tolerance.primal_ulps = options.primal_ulps;
  check.tolerance.primal_may_round = options.primal_may_round;
  for (const auto &[where, tolerance] : options.tolerances)
    check.tolerance.rules.push_back({where, tolerance.atol, tolerance.rtol});
  check.output_tangent = options.output_tangent;
  check.budget = options.budget ? *options.budget : number_from_environment("ASSAY_BUDGET").value_or(0);
  check.seconds =
      options.seconds ? *options.seconds : static_cast<double>(number_from_environment("ASSAY_SECONDS").value_or(20));
  if constexpr (RA::value)
    check.runtime_activity = testutils::RuntimeActivity::on;
  if (options.explanations)
    check.explanations = *options.explanations;
  return check;
}

template <class RA>
inline constexpr TestForm usual_form{.runtime_activity = RA::value};

/// Only forms that are asked for at every combination say something about one that is named.
template <class V>
inline constexpr bool varies_each = false;
template <TestForm... F>
inline constexpr bool varies_each<FormChoice<Spread::each, F...>> = true;

} // namespace assay::detail
