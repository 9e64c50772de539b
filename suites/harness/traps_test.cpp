// Faults that tests of gradients are known to pass over. Each is planted here, in a rule, and must be found; or it is a
// way in which a test itself goes wrong, and must not happen.

#include "harness/failures.hpp"

#include <cmath>

namespace {

using namespace assay;
using assay::suites::messages_of;
using assay::suites::plainly;

// ---- The shadow of an argument that the function changes is compared in forward mode ----

__attribute__((noinline)) void triple(double *x) {
  *x *= 3;
}
void forgets_the_tangent(double *x, double *) {
  *x *= 3;
}
void uses_triple(std::vector<double> &x) {
  triple(&x[1]);
}

TEST(Traps, TheTangentOfAChangedArgumentIsCompared) {
  const testutils::Report report = check_forward_all(plainly, uses_triple, std::vector<double>{1, 2});
  EXPECT_GRADIENT_FAILURE(report, wrong_derivative);
  EXPECT_NE(messages_of(report).find("x1[1], an element of output in argument x1"), std::string::npos)
      << messages_of(report);
}

// ---- Outputs and arguments have their own names ----

__attribute__((noinline)) double quadruple(double x) {
  return 4 * x;
}
double wrong_tangent(double, double dx) {
  return 5 * dx;
}
struct Augmented {
  void *tape;
  double primal;
};
Augmented augmented_quadruple(double x) {
  return {nullptr, 4 * x};
}
double wrong_adjoint(double, double seed, void *) {
  return 5 * seed;
}

TEST(Traps, AResultIsCalledResultAndAnArgumentByItsName) {
  const testutils::Report forward = check_forward_all(TestOptions{.names = {"t"}, .variations = off}, quadruple, 2.0);
  EXPECT_NE(messages_of(forward).find("result, an element of the result"), std::string::npos) << messages_of(forward);
  const testutils::Report reverse = check_reverse_all(TestOptions{.names = {"t"}, .variations = off}, quadruple, 2.0);
  EXPECT_NE(messages_of(reverse).find("t, an element of argument t"), std::string::npos) << messages_of(reverse);
}

// ---- Shadows hold something at entry ----

__attribute__((noinline)) double first(const double *x) {
  return x[0];
}
Augmented augmented_first(const double *x, double *) {
  return {nullptr, x[0]};
}
void overwrites(const double *, double *dx, double seed, void *) {
  dx[0] = seed;
}
double uses_first(const std::vector<double> &x) {
  return first(x.data());
}

__attribute__((noinline)) double second(const double *x) {
  return x[1];
}
Augmented augmented_second(const double *x, double *) {
  return {nullptr, x[1]};
}
void adds_twice(const double *, double *dx, double seed, void *) {
  dx[1] += dx[1] + seed; // Right above a shadow of zero.
}
double uses_second(const std::vector<double> &x) {
  return second(x.data());
}

TEST(Traps, AnAdjointThatIsSetInsteadOfAddedIsFound) {
  EXPECT_GRADIENT_FAILURE(check_reverse_all(plainly, uses_first, std::vector<double>{1, 2}), wrong_derivative);
}

TEST(Traps, WhatAShadowHeldIsNotAddedTwice) {
  EXPECT_GRADIENT_FAILURE(check_reverse_all(plainly, uses_second, std::vector<double>{1, 2}), wrong_derivative);
}

// ---- Each precision has its own tolerance ----

__attribute__((noinline)) float half(float x) {
  return x / 2;
}
float inexact_half(float, float dx) {
  return (0.5F + 1e-5F) * dx;
}
float coarse_half(float, float dx) {
  return (0.5F + 1e-3F) * dx;
}
__attribute__((noinline)) float other_half(float x) {
  return x / 2;
}
__attribute__((noinline)) double fine_half(double x) {
  return x / 2;
}
double inexact_fine_half(double, double dx) {
  return (0.5 + 1e-5) * dx;
}

TEST(Traps, FloatAndDoubleHaveTolerancesOfTheirOwn) {
  test_forward_all(plainly, half, 0.75F);
  EXPECT_GRADIENT_FAILURE(check_forward_all(plainly, other_half, 0.75F), wrong_derivative);
  EXPECT_GRADIENT_FAILURE(check_forward_all(plainly, fine_half, 0.75), wrong_derivative);
}

// ---- Finite differences near the end of the domain ----

double strict_root(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  return std::sqrt(x);
}

TEST(Traps, APointBesideTheEndOfTheDomainIsNoFailure) {
  for (const double x : {1e-3, 1e-9}) {
    EXPECT_TRUE(check_reverse_all(plainly, strict_root, x).ok()) << x;
    EXPECT_TRUE(check_forward_all(plainly, [](double y) { return std::log(y); }, x).ok()) << x;
  }
  EXPECT_EQ(check_reverse_all(plainly, strict_root, 1e-3).passed, 1U);
}

// ---- Options do what they say ----

double largest_step(const testutils::Report &report) {
  double step = 0;
  for (const testutils::Record &record : report.records)
    for (const testutils::Comparison &row : record.worst)
      step = std::max(step, row.oracle_step);
  return step;
}

double wavy(double x) {
  return std::sin(x) + x * x;
}

TEST(Traps, TheRangeOfFiniteDifferencesIsKept) {
  const auto limited = [](double range) {
    return check_reverse_all(
        TestOptions{.fdm = central_fdm(5, 1, {.max_range = range}), .rtol = 1e-3, .variations = off, .oracle = off},
        wavy, 0.5);
  };
  EXPECT_LE(largest_step(limited(1e-5)), 1e-5);
  EXPECT_GT(largest_step(limited(1e-2)), 1e-5);
}

TEST(Traps, ToleranceSeedAndOutputTangentAreUsed) {
  EXPECT_GRADIENT_FAILURE(check_reverse_all(plainly, quadruple, 2.0), wrong_derivative);
  test_reverse_all(TestOptions{.rtol = 0.3, .variations = off}, quadruple, 2.0);
  const auto adjoint_with = [](std::uint64_t seed, std::vector<double> tangent) {
    const testutils::Report report = check_reverse_all(
        TestOptions{.seed = seed, .output_tangent = std::move(tangent), .variations = off}, wavy, 0.5);
    return report.records.front().worst.front().ad;
  };
  EXPECT_DOUBLE_EQ(adjoint_with(1, {3}), 3 * (std::cos(0.5) + 1));
  EXPECT_NE(adjoint_with(1, {}), adjoint_with(2, {})); // Other directions for another seed.
  EXPECT_EQ(adjoint_with(2, {}), adjoint_with(2, {}));
}

TEST(Traps, EveryFailureNamesItsSeed) {
  const testutils::Report report = check_reverse_all(TestOptions{.seed = 4711, .variations = off}, quadruple, 2.0);
  EXPECT_NE(messages_of(report).find("ASSAY_SEED=4711"), std::string::npos) << messages_of(report);
}

TEST(Traps, NothingToCheckIsNoSuccess) {
  EXPECT_EQ(check_reverse_all(plainly, [](int n) { return n; }, 3).checked, 0U);
}

} // namespace

void *__enzyme_register_derivative_triple[] = {(void *)triple, (void *)forgets_the_tangent};
void *__enzyme_register_derivative_quadruple[] = {(void *)quadruple, (void *)wrong_tangent};
void *__enzyme_register_gradient_quadruple[] = {(void *)quadruple, (void *)augmented_quadruple, (void *)wrong_adjoint};
void *__enzyme_register_gradient_first[] = {(void *)first, (void *)augmented_first, (void *)overwrites};
void *__enzyme_register_gradient_second[] = {(void *)second, (void *)augmented_second, (void *)adds_twice};
void *__enzyme_register_derivative_half[] = {(void *)half, (void *)inexact_half};
void *__enzyme_register_derivative_other_half[] = {(void *)other_half, (void *)coarse_half};
void *__enzyme_register_derivative_fine_half[] = {(void *)fine_half, (void *)inexact_fine_half};
