#pragma once
// Are two C++ values the same, number by number, within tolerances?
//
//     EXPECT_APPROX(gradient, expected);                              // every difference is named by its path
//     EXPECT_APPROX(gradient, expected, {.rtol = 1e-6});
//     EXPECT_APPROX(gradient, fdm::grad(central_fdm(5, 1), f, x));    // the differences' own error joins the tolerance
//
// Numbers are compared where the traversal of <assay/to_vec.hpp> finds them: of a triangle or a sparse matrix those
// that are stored. With the tolerance t = atol + rtol max(|a|, |b|) + 3 e, where e is the error of the expected value,
// |a - b|
// <= t is the same, and so are numbers within `ulps` units in the last place. Two NaNs are the same unless it is asked
// otherwise, an infinity is the same as itself and as nothing else. Integers must be equal.

#include <assay/fdm/objects.hpp>
#include <assay/testing/subject.hpp>
#include <assay/to_vec.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class NaNs { equal, unequal };

struct ApproxOptions {
  std::optional<double> rtol = {}; ///< Absent: by the element's type, 1e-12 for long double, 1e-9 for double, sqrt(eps)
                                   ///< for float.
  std::optional<double> atol = {}; ///< The same.
  double ulps = 0;                 ///< Units in the last place of the element's type that are always allowed.
  NaNs nans = NaNs::equal;
  std::string_view name = "x"; ///< Of the value, in paths.
};

struct Difference {
  std::string path;
  long double actual = 0, expected = 0;
  long double absolute_error = 0, relative_error = 0, ulp_error = 0, tolerance = 0;
};

/// Empty where the values are the same.
struct Differences {
  std::string shape; ///< Not empty: the values have different shapes, and nothing was compared.
  std::vector<Difference> rows;
  std::size_t compared = 0;

  bool none() const { return shape.empty() && rows.empty(); }
  /// A table for people.
  std::string text() const;
};

namespace detail {

/// A number beside the expected one.
struct NumberPair {
  testutils::ElementType element = testutils::ElementType::double_precision;
  long double actual = 0, expected = 0, error = 0;
};

/// The positions of pairs that differ, with everything but their paths.
std::vector<std::pair<std::size_t, Difference>> compare_pairs(const std::vector<NumberPair> &pairs,
                                                              const ApproxOptions &options);

template <class Number>
constexpr testutils::ElementType element_of() {
  using enum testutils::ElementType;
  if constexpr (std::integral<Number>)
    return integer;
  else if constexpr (std::same_as<Number, float>)
    return single_precision;
  else
    return std::same_as<Number, double> ? double_precision : long_double;
}

template <Wanted Which, class T>
std::vector<NumberPair> pairs_of(const T &value) {
  std::vector<NumberPair> pairs;
  for_each_number<Which>(value, [&]<class Number>(const Number &number, const Path &) {
    pairs.push_back({element_of<std::remove_const_t<Number>>(), static_cast<long double>(number), 0, 0});
  });
  return pairs;
}

/// The numbers of several values side by side; false where their counts differ.
template <Wanted Which, class Actual, class Expected>
bool pair_up(const Actual &actual, const Expected &expected, std::vector<NumberPair> &pairs) {
  pairs = pairs_of<Which>(actual);
  const auto others = pairs_of<Which>(expected);
  if (pairs.size() != others.size())
    return false;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].expected = others[i].actual;
    if (others[i].element < pairs[i].element) // The coarser type sets the tolerance.
      pairs[i].element = others[i].element;
  }
  return true;
}

template <Wanted Which, class T>
void append_differences(const T &actual, const std::vector<NumberPair> &pairs, const ApproxOptions &options,
                        Differences &into) {
  into.compared += pairs.size();
  auto found = compare_pairs(pairs, options);
  std::size_t position = 0;
  auto next = found.begin();
  for_each_number<Which>(
      actual,
      [&](const auto &, const Path &path) {
        if (next != found.end() && next->first == position++)
          (next++)->second.path = path.text();
      },
      options.name);
  for (auto &[at, difference] : found)
    into.rows.push_back(std::move(difference));
}

template <class Actual, class Expected>
Differences compare_values(const Actual &actual, const Expected &expected, const std::vector<long double> &errors,
                           const ApproxOptions &options) {
  Differences differences;
  std::vector<NumberPair> numbers, integers;
  if (!pair_up<Wanted::numbers>(actual, expected, numbers) || !pair_up<Wanted::integers>(actual, expected, integers)) {
    differences.shape = "the values have " + std::to_string(pairs_of<Wanted::numbers>(actual).size()) + " and " +
                        std::to_string(pairs_of<Wanted::numbers>(expected).size()) + " numbers, and " +
                        std::to_string(pairs_of<Wanted::integers>(actual).size()) + " and " +
                        std::to_string(pairs_of<Wanted::integers>(expected).size()) + " integers";
    return differences;
  }
  for (std::size_t i = 0; i < errors.size() && i < numbers.size(); ++i)
    numbers[i].error = errors[i];
  append_differences<Wanted::numbers>(actual, numbers, options, differences);
  append_differences<Wanted::integers>(actual, integers, options, differences);
  return differences;
}

} // namespace detail

/// Everything in which `actual` is not `expected`.
template <class Actual, class Expected>
Differences differences(const Actual &actual, const Expected &expected, const ApproxOptions &options = {}) {
  return detail::compare_values(detail::value_of(actual), detail::value_of(expected), {}, options);
}

/// The same with an expected value that knows its own error.
template <class Actual, class Value>
Differences differences(const Actual &actual, const fdm::Approximation<Value> &expected,
                        const ApproxOptions &options = {}) {
  std::vector<long double> errors;
  for (const auto error : numbers_of(detail::value_of(expected.error)))
    errors.push_back(static_cast<long double>(error));
  return detail::compare_values(detail::value_of(actual), detail::value_of(expected.value), errors, options);
}

} // namespace assay

/// For GoogleTest: fails with a table of the differences. Options in braces may follow the expected value.
#define EXPECT_APPROX(actual, ...)                                                                                     \
  switch (0)                                                                                                           \
  case 0:                                                                                                              \
  default:                                                                                                             \
    if (const auto assay_differences = ::assay::differences(actual, __VA_ARGS__); assay_differences.none())            \
      ;                                                                                                                \
    else                                                                                                               \
      ADD_FAILURE() << #actual << " is not what is expected\n" << assay_differences.text()
