// Would catch: a right derivative that a compiled test calls wrong, or cannot judge, because the problem is
// ill-conditioned.

#include <assay/check.h>
#include <assay/testing.hpp>

#include <cfloat>
#include <cmath>
#include <utility>

namespace ill_conditioned {
#include "cli/test/programs/ill_conditioned.c"
} // namespace ill_conditioned

namespace {

using namespace assay;

/// Of all functions at all points.
struct Tally {
  unsigned failed = 0, undecided = 0, passed = 0;
  std::string failures;

  void add(const testutils::Report &report) {
    for (const testutils::Record &record : report.records) {
      const testutils::Outcome outcome = testutils::outcome_of(record.verdict);
      ++(outcome == testutils::Outcome::failed ? failed : outcome == testutils::Outcome::passed ? passed : undecided);
      if (outcome != testutils::Outcome::passed)
        failures += testutils::failure_message(report.signature, record) + '\n';
    }
  }
};

const TestOptions wide{.variations = in_forms<TestForm{.split = true}, TestForm{.width = 2}>,
                       .oracle = wide_arithmetic};

template <class F, class... A>
void check_both(Tally &tally, const char *name, F function, const A &...arguments) {
  auto named = wide;
  named.name = name;
  tally.add(check_forward_all(named, function, arguments...));
  tally.add(check_reverse_all(named, function, arguments...));
}

void expect_all_right(const Tally &tally) {
  EXPECT_EQ(tally.failed, 0U) << tally.failures;
  EXPECT_EQ(tally.undecided, 0U) << tally.failures;
  EXPECT_GT(tally.passed, 0U);
}

/// Of one number.
constexpr std::pair<const char *, double (*)(double)> scalar_functions[] = {
    {"near_root", ill_conditioned::near_root},
    {"exp_log", ill_conditioned::exp_log},
    {"nearly_equal", ill_conditioned::nearly_equal},
    {"scaled", ill_conditioned::scaled},
    {"recurrence", ill_conditioned::recurrence},
    {"inner_difference", ill_conditioned::inner_difference},
    {"versine", ill_conditioned::versine},
    {"near_pole", ill_conditioned::near_pole},
    {"angle", ill_conditioned::angle},
    {"secant", ill_conditioned::secant},
    {"cardano", ill_conditioned::cardano},
    {"gamma_ratio", ill_conditioned::gamma_ratio},
    {"bessel_forward", ill_conditioned::bessel_forward}};

TEST(Conditioning, RightScalarFunctionsPass) {
  Tally tally;
  for (const double x : {0.53, 0.61, 0.97}) {
    for (const auto &[name, function] : scalar_functions)
      check_both(tally, name, function, x);
    check_both(tally, "wilkinson", ill_conditioned::wilkinson, 6.4 + x);
  }
  expect_all_right(tally);
}

TEST(Conditioning, RightFunctionsOfSeveralNumbersPass) {
  Tally tally;
  check_both(tally, "small_root", ill_conditioned::small_root, 0.7, 1.3, 2.1);
  check_both(tally, "two_sum", ill_conditioned::two_sum, 0.7, -1.3);
  check_both(tally, "dekker", ill_conditioned::dekker, 0.7, -1.3);
  check_both(tally, "heron", ill_conditioned::heron, 0.7, 1.3);
  check_both(tally, "turn", ill_conditioned::turn, 0.7, 1.3);
  expect_all_right(tally);
}

/// A function of memory takes an array here.
template <auto Function, std::size_t N>
double of_array(const std::array<double, N> &numbers) {
  return Function(numbers.data(), static_cast<int>(N));
}

TEST(Conditioning, RightFunctionsOfArraysPass) {
  Tally tally;
  constexpr std::array five{0.6, 1.7, 0.3, 2.2, 1.1};
  constexpr std::array six{0.6, -1.7, 0.3, 2.2, 1.1, -0.4};
  constexpr std::array eight{0.6, 1.7, 0.3, 2.2, 1.1, 0.4, 0.9, 1.4};
  constexpr std::array nine{0.6, 1.7, 0.3, 2.2, 1.1, 0.4, 0.9, 1.4, 0.2};
  check_both(tally, "subnormal", of_array<ill_conditioned::subnormal, 5>, five);
  check_both(tally, "normal_equations", of_array<ill_conditioned::normal_equations, 5>, five);
  check_both(tally, "variance", of_array<ill_conditioned::variance, 6>, six);
  check_both(tally, "kahan", of_array<ill_conditioned::kahan, 6>, six);
  check_both(tally, "hilbert", of_array<ill_conditioned::hilbert, 8>, eight);
  const auto determinant = [](const std::array<double, 9> &a) { return ill_conditioned::determinant(a.data(), 3); };
  check_both(tally, "determinant", determinant, nine);
  expect_all_right(tally);
}

} // namespace
