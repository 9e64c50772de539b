// Rules whose calls stand before a throw, or throw themselves: what a call did before the exception counts, and each
// tape is released once.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/hessian.hpp>
#include <assay/rules.hpp>
#include <stdexcept>
#include <vector>

using namespace assay;

namespace {

int living = 0;
/// Counts the tapes that were not released.
struct Tape {
  explicit Tape(double x) : x(x) { ++living; }
  Tape(const Tape &other) : x(other.x) { ++living; }
  Tape(Tape &&other) noexcept : x(other.x) { ++living; }
  ~Tape() { --living; }
  double x;
  std::vector<double> memory = std::vector<double>(3);
};

void add_square(const double &x, double &sum) {
  if (x > 1e6)
    throw std::range_error("a large number");
  sum += x * x;
}
struct AddSquareRule {
  static void forward(const auto &config, auto x, auto sum) {
    add_square(x.value, sum.value);
    for (const int lane : config.lanes())
      sum.shadow(lane) += 2 * x.value * x.shadow(lane);
  }
  static auto augmented_primal(const auto & /*config*/, auto x, auto sum) {
    add_square(x.value, sum.value);
    return AugmentedReturn{None{}, None{}, Tape(x.value)};
  }
  static void reverse(const auto &config, const auto & /*dy*/, const Tape &tape, auto x, auto sum) {
    for (const int lane : config.lanes())
      x.shadow(lane) += 2 * tape.x * sum.shadow(lane);
  }
};
ASSAY_RULE(AddSquareRule, add_square);

double thrown_after(const double &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn)
    try {
      add_square(x, sum);
      if (turn % 2 != 0)
        throw turn;
    } catch (int) {
    }
  return sum;
}

double thrown_between(const double &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn)
    try {
      add_square(x, sum);
      if (turn % 2 != 0)
        throw turn;
      sum += x;
    } catch (int) {
      sum += 3 * x;
    }
  return sum;
}

double thrown_by_the_function(const double &x, int turns) {
  double sum = 0, larger = x;
  for (int turn = 1; turn <= turns; ++turn, larger *= 1e3)
    try {
      add_square(x, sum);
      add_square(larger, sum);
    } catch (const std::range_error &) {
      sum += larger * 1e-9;
    }
  return sum;
}

double thrown_in_a_loop(const double &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn)
    try {
      for (int i = 0;; ++i) {
        add_square(x, sum);
        if (i == turn)
          throw i;
        sum *= 0.5;
      }
    } catch (int steps) {
      sum += steps * x;
    }
  return sum;
}

double thrown_on(const double &x, int turns) {
  double sum = 0;
  for (int turn = 1; turn <= turns; ++turn)
    try {
      try {
        add_square(x, sum);
        throw turn;
      } catch (int number) {
        add_square(x, sum);
        if (number % 2 == 0)
          throw;
        sum += x;
      }
    } catch (...) {
      sum += 4 * x;
    }
  return sum;
}

void expect_derivatives(double (*f)(const double &, int), double expected, double of_lane_two) {
  double x = 2, dx = 0;
  autodiff<Reverse>(f, Duplicated{x, dx}, Const{3});
  EXPECT_CLOSE(dx, expected);
  EXPECT_SAME(living, 0);
  EXPECT_CLOSE(autodiff<Forward>(f, Duplicated{2.0, 1.0}, Const{3}).derivative, expected);
  const auto lanes = autodiff<Forward>(f, BatchDuplicated{2.0, std::array{1.0, 2.0}}, Const{3}).derivative;
  EXPECT_CLOSE(lanes[1], of_lane_two);
}

PLUGIN_TEST(RulesBeforeExceptions, CountWhereTheThrowComesAfter) {
  expect_derivatives(thrown_after, 12, 24);   // 3 x^2
  expect_derivatives(thrown_between, 19, 38); // 3 x^2 + 7 x
}
PLUGIN_TEST(RulesBeforeExceptions, CountWhereTheFunctionThrows) {
  // 3 x^2 + x^2 + 1e6 x^2 + 1e-3 x
  expect_derivatives(thrown_by_the_function, 12 + 4 + 4e6 + 1e-3, 2 * (12 + 4 + 4e6 + 1e-3));
}
PLUGIN_TEST(RulesBeforeExceptions, CountInLoopsThatThrow) {
  // From sum to ((sum + x^2) / 2 + x^2) + x, and so on.
  double sum = 0;
  for (int turn = 1; turn <= 3; ++turn) {
    for (int i = 0; i <= turn; ++i)
      sum = sum * (i == 0 ? 1 : 0.5) + 4;
    sum += turn;
  }
  expect_derivatives(thrown_in_a_loop, sum, 2 * sum);
}
PLUGIN_TEST(RulesBeforeExceptions, CountWhereTheHandlerThrowsOn) {
  expect_derivatives(thrown_on, 24 + 2 + 4, 60); // 6 x^2 + 2 x + 4 x
}

} // namespace
