#pragma once
// Options of the harness, and how one argument is marked.
//
//   test_reverse_all({.rtol = 1e-6, .name = "mul"}, mul, x, y);              // options come first, in braces
//   test_reverse_all(TestOptions{.runtime_activity = on}, mul, x, y);        // those that choose code need the type's
//   name

#include <assay/activity.hpp>
#include <assay/fdm/method.hpp>
#include <assay/testing/forms.hpp>
#include <assay/testing/subject.hpp>
#include <assay/testing/wide_arithmetic.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {

using fdm::backward_fdm;
using fdm::central_fdm;
using fdm::forward_fdm;

/// For options that are decided at compile time.
inline constexpr std::true_type on{};
inline constexpr std::false_type off{};

/// A tolerance of some elements; absent: that of all.
struct ElementTolerance {
  std::optional<double> rtol = {};
  std::optional<double> atol = {};
};

#ifndef ASSAY_VARIATIONS
#define ASSAY_VARIATIONS ::assay::some_forms
#endif

#ifndef ASSAY_ORACLE
#define ASSAY_ORACLE ::assay::wide_arithmetic
#endif

template <class RuntimeActivity = std::false_type, class Bound = std::tuple<>,
          class Variations = std::remove_cv_t<decltype(ASSAY_VARIATIONS)>,
          class Oracle = std::remove_cv_t<decltype(ASSAY_ORACLE)>, class SecondOrder = std::true_type>
struct TestOptions {
  ::assay::fdm::FiniteDifferenceMethod fdm = ::assay::fdm::central_fdm(5, 1);
  std::optional<double> rtol = {}; ///< Absent: 1e-9 for double, sqrt(epsilon) for float.
  std::optional<double> atol = {}; ///< The same.
  /// Absent: the environment's ASSAY_SEED, else 1. The numbers that are drawn also depend on the names of the test.
  std::optional<std::uint64_t> seed = {};
  std::string name = {};                   ///< Of the function, in messages.
  std::vector<std::string> names = {};     ///< Of the arguments, in messages; absent: x1, x2, ...
  RuntimeActivity runtime_activity = {};   ///< `on`: decide while running whether a pointer is active.
  std::vector<double> output_tangent = {}; ///< Reverse: the seed of the result; absent: random ones, and 1.
  Bound bound = {};                        ///< std::tuple of further arguments of the function, which are constant.
  std::optional<unsigned> samples = {};    ///< Properties: how many random inputs; absent: ASSAY_SAMPLES, else 10.
  Variations variations = {};              ///< In which other forms derivatives are checked: see forms.hpp.
  /// At most so many combinations, drawn from all with the seed; absent: ASSAY_BUDGET, else all.
  std::optional<std::size_t> budget = {};
  /// By path, `x.layers[*].weight` for all that is in these, or by type, `float`. The last one that fits counts.
  std::vector<std::pair<std::string, ElementTolerance>> tolerances = {};
  /// `wide_arithmetic`, `wide_reassessment`: see wide_arithmetic.hpp; `wide_numbers` for a function that is a template:
  /// see wide_numbers.hpp; `off`: finite differences alone.
  Oracle oracle = {};
  /// How many failures are explained (made simpler, compared with their neighbours); absent: all.
  std::optional<unsigned> explanations = {};
  /// The derivative uses a rule, of this name: state that it keeps from call to call, or that two threads share, is
  /// looked for. test_rule says so itself.
  std::string rule = {};
  /// `off`: test_rule does not differentiate the rule itself, as where it calls functions without derivative.
  SecondOrder second_order = {};
  /// About how much processor time a check may take, where calls take long; 0: no limit; absent: ASSAY_SECONDS,
  /// else 20.
  std::optional<double> seconds = {};
  /// How far results that come with a derivative may be from the function's, in units of the last place: for code that
  /// is compiled with leave to compute otherwise in each place, as by -ffast-math.
  double primal_ulps = 0;
  /// Results that come with a derivative may be rounded otherwise than the function's, as test_rule says of first
  /// derivatives that are compiled as parts of second ones: as far as the rounding of its arithmetic is seen to go.
  bool primal_may_round = false;
};

namespace detail {
template <class>
inline constexpr bool is_test_options = false;
template <class R, class B, class V, class O, class Second>
inline constexpr bool is_test_options<TestOptions<R, B, V, O, Second>> = true;

/// An argument with its activity.
template <testutils::Activity A, class T>
struct MarkedArgument {
  T value;
};
template <class>
inline constexpr bool is_marked = false;
template <testutils::Activity A, class T>
inline constexpr bool is_marked<MarkedArgument<A, T>> = true;

template <template <class...> class Annotation>
consteval testutils::Activity activity_of_annotation() {
  using enum testutils::Activity;
  if constexpr (std::is_same_v<Annotation<int>, Const<int>>)
    return constant;
  else if constexpr (std::is_same_v<Annotation<int>, Active<int>>)
    return active;
  else if constexpr (std::is_same_v<Annotation<int>, Duplicated<int>>)
    return duplicated;
  else {
    static_assert(std::is_same_v<Annotation<int>, DuplicatedNoNeed<int>>,
                  "assay: an activity is one of Const, Active, Duplicated, DuplicatedNoNeed");
    return duplicated_no_need;
  }
}
} // namespace detail

/// Marks an argument of test_forward or test_reverse: `arg<Duplicated>(x)`. The test works on copies; what x refers to
/// is not changed.
template <template <class...> class Annotation, class T>
auto arg(T &&value) {
  return detail::MarkedArgument<detail::activity_of_annotation<Annotation>(), T>{std::forward<T>(value)};
}

} // namespace assay
