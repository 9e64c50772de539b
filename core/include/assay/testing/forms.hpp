#pragma once
// The forms of a derivative that a compiled test checks besides the plain one, which is: width 1, reverse mode in one
// function, no run-time activity. The code of each is made when the test is compiled, so it is chosen there:
//
//   test_reverse_all(f, x);                                                  // some forms, each at one combination
//   test_reverse_all(TestOptions{.variations = off}, f, x);                  // the plain form alone
//   test_reverse_all(TestOptions{.variations = on}, f, x);                   // as `assay check`: every form
//   test_reverse_all(TestOptions{.variations = every_form}, f, x);           // every combination in every form
//   test_reverse_all(TestOptions{.variations = in_forms<TestForm{.width = 8}, TestForm{.split = true}>}, f, x);
//
// The macro ASSAY_VARIATIONS is the choice of all tests of a file that make none.

#include <array>
#include <type_traits>

namespace assay {

struct TestForm {
  unsigned width = 1;            ///< Shadows for each value.
  bool split = false;            ///< Reverse mode as augmented primal and reverse function, with a tape between them.
  bool runtime_activity = false; ///< Decide while running whether a pointer is active.

  constexpr bool is_plain() const { return width == 1 && !split && !runtime_activity; }
  friend bool operator==(const TestForm &, const TestForm &) = default;
};

namespace detail {

/// How many combinations are checked in each form.
enum class Spread {
  one,   ///< Each form at one combination, each at another.
  round, ///< Each combination in one form more; these go round, and each comes at least once.
  each   ///< Each form at every combination.
};

template <Spread S, TestForm... F>
struct FormChoice {};

} // namespace detail

/// These forms, each at one combination. Split forms are for reverse mode, forward mode passes over them.
template <TestForm... F>
inline constexpr detail::FormChoice<detail::Spread::one, F...> in_forms{};

/// These forms go round: each combination in one of them, and each of them at one combination at least.
template <TestForm... F>
inline constexpr detail::FormChoice<detail::Spread::round, F...> round_in_forms{};

/// These forms, each at every combination; also for test_forward and test_reverse, which name one.
template <TestForm... F>
inline constexpr detail::FormChoice<detail::Spread::each, F...> each_in_forms{};

/// The default of a test: few forms that have everything in them.
inline constexpr auto some_forms = in_forms<TestForm{.split = true}, TestForm{.width = 3},
                                            TestForm{.width = 4, .split = true, .runtime_activity = true},
                                            TestForm{.width = 8, .runtime_activity = true}>;

/// Widths 1, 2, 3, 4 and 8, in one function and split, without and with run-time activity; each at every combination.
/// For few arguments: the code of twenty derivatives for each combination takes its time.
inline constexpr auto every_form = [] {
  return []<unsigned... W>(std::integer_sequence<unsigned, W...>) {
    return detail::FormChoice<detail::Spread::each, TestForm{W, false, true}..., TestForm{W, true, false}...,
                              TestForm{W, true, true}..., TestForm{W, false, false}...>{};
  }(std::integer_sequence<unsigned, 1, 2, 3, 4, 8>());
}();

} // namespace assay
