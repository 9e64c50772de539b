// Branches, switches, selects and phi nodes.
#include "support/vector_program.hpp"
#include <cerrno>

namespace {

double if_else(const double *x, int) {
  return x[0] > x[1] ? x[0] * x[0] * x[1] : std::sin(x[0]) + x[1];
}

double nested_branches(const double *x, int) {
  double r = 0;
  if (x[0] > 0) {
    r = x[0] * x[1];
    if (x[1] > 0)
      r += std::exp(x[1]);
    else if (x[1] > -2)
      r -= x[1] * x[1] * x[0];
    else
      r = std::cos(r);
  } else {
    r = x[1] / (2 + x[0] * x[0]);
  }
  return r * x[0];
}

double guarded_logarithm(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    if (x[i] > 0)
      r += std::log(x[i]) * x[i];
    else
      r += x[i] * x[i];
  return r;
}

double switch_cases(const double *x, int n) {
  double r = 1;
  for (int i = 0; i < n; ++i)
    switch (i % 4) {
    case 0:
      r += x[i] * r;
      break;
    case 1:
      r = std::sin(r) * x[i]; // falls through
      [[fallthrough]];
    case 2:
      r += std::exp(-x[i]);
      break;
    default:
      r *= x[i] * x[i];
    }
  return r;
}

double switch_on_data(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    switch (int(x[i])) {
    case 0:
      r += x[i];
      break;
    case 1:
      r += x[i] * x[i];
      break;
    case 5:
      r -= std::sqrt(x[i]);
      break;
    case 100:
      return 1e6;
    default:
      r *= x[i];
    }
  return r;
}

double early_return(const double *x, int n) {
  double product = 1;
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0)
      return product * x[i];
    product *= x[i] + product;
  }
  return product + 1;
}

double short_circuit(const double *x, int) {
  if ((x[0] > 0 && x[1] > 1) || (x[2] < 0 && std::exp(x[2]) < 0.5))
    return x[0] * x[1] * x[2];
  return x[0] + x[1] * x[2] * x[2];
}

double chained_selects(const double *x, int) {
  const double low = x[0] < x[1] ? x[0] : x[1];
  const double high = x[1] < x[2] ? x[2] : x[1];
  const double clamped = high > 3 ? 3 : high;
  return low * clamped + low * low;
}

double maximum(const double *x, int n) {
  double best = x[0];
  for (int i = 1; i < n; ++i)
    best = x[i] > best ? x[i] : best;
  return best * best;
}

double goto_state_machine(const double *x, int n) {
  double r = x[0];
  int i = 0;
grow:
  if (++i >= n)
    goto done;
  r += x[i] * r;
  if (r > 4)
    goto shrink;
  goto grow;
shrink:
  if (++i >= n)
    goto done;
  r = std::sqrt(r) * x[i];
  if (r < 4)
    goto grow;
  goto shrink;
done:
  return r;
}

/// Enters a cycle at two places: irreducible.
double irreducible_cycle(const double *x, int n) {
  double r = x[0];
  int i = 1;
  if (x[0] > 1)
    goto second;
first:
  r = r * x[1] + 0.25;
  ++i;
second:
  r = std::sin(r) + x[2];
  if (++i < n + 4)
    goto first;
  return r;
}

double constant_on_one_side(const double *x, int) {
  double r = 4;
  if (x[0] > 0)
    r = x[0] * x[1];
  return r;
}

__attribute__((noinline)) bool has_failed() {
  return errno != 0;
}
/// Outside of the domains the library says so by errno, here and in another function.
double where_the_library_fails(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    errno = 0;
    const double root = std::sqrt(x[i]), logarithm = std::log(x[i] + 2);
    sum += has_failed() ? 7 * x[i] : root * logarithm;
    errno = 0;
    const double power = std::pow(x[i], 1.5);
    sum += errno == EDOM ? 3 * x[i] * x[i] : power;
  }
  return sum;
}

} // namespace

PLUGIN_TEST(Branches, MayAskForErrno) {
  CHECK_FUNCTION(where_the_library_fails, 0.7, -0.4, 1.3, -1.1);
}
PLUGIN_TEST(Branches, TheBranchTakenGivesTheDerivative) {
  CHECK_FUNCTION(if_else, 2.0, 1.0);
  CHECK_FUNCTION(if_else, 1.0, 2.0);
}
PLUGIN_TEST(Branches, NestedBranchesAreFollowed) {
  CHECK_FUNCTION(nested_branches, 1.5, 0.7);
  CHECK_FUNCTION(nested_branches, 1.5, -0.7);
  CHECK_FUNCTION(nested_branches, 1.5, -2.7);
  CHECK_FUNCTION(nested_branches, -1.5, 0.7);
}
PLUGIN_TEST(Branches, ABranchThatGuardsALogarithmKeepsInfinitiesOut) {
  CHECK_FUNCTION(guarded_logarithm, 1.5, -0.7, 0.3, -2.0);
  double x[2] = {0.0, 2.0}, dx[2] = {0, 0};
  __enzyme_autodiff<void>((void *)guarded_logarithm, enzyme_dup, x, dx, enzyme_const, 2);
  EXPECT_SAME(dx[0], 0.0);
  EXPECT_CLOSE(dx[1], std::log(2.0) + 1);
}
PLUGIN_TEST(Branches, SwitchCasesFallThroughAsInThePrimal) {
  CHECK_FUNCTION(switch_cases, 0.4, 0.9, 1.3, 0.8, -0.6, 1.1, 0.2, 1.7, 0.5);
}
PLUGIN_TEST(Branches, ASwitchMayDependOnTheData) {
  CHECK_FUNCTION(switch_on_data, 0.4, 1.5, 5.5, 3.3, 0.7, 7.5);
}
PLUGIN_TEST(Branches, AnEarlyReturnEndsTheDerivativeToo) {
  CHECK_FUNCTION(early_return, 0.4, 0.8, 0.6);
  CHECK_FUNCTION(early_return, 0.4, 0.8, -0.6, 9.0);
  CHECK_FUNCTION(early_return, -0.4, 0.8, 0.6);
}
PLUGIN_TEST(Branches, ShortCircuitConditionsAreNotDifferentiated) {
  CHECK_FUNCTION(short_circuit, 0.5, 1.5, 2.0);
  CHECK_FUNCTION(short_circuit, -0.5, 1.5, -2.0);
  CHECK_FUNCTION(short_circuit, -0.5, 1.5, 2.0);
}
PLUGIN_TEST(Branches, SelectsPassTheDerivativeOfWhatTheySelect) {
  CHECK_FUNCTION(chained_selects, 0.5, 1.5, 2.0);
  CHECK_FUNCTION(chained_selects, 2.5, 1.5, 5.0);
}
PLUGIN_TEST(Branches, TheMaximumHasTheDerivativeOfTheLargest) {
  CHECK_FUNCTION(maximum, 0.5, 1.5, 4.0, 2.0);
}
PLUGIN_TEST(Branches, JumpsBetweenTwoLoopsAreFollowed) {
  CHECK_FUNCTION(goto_state_machine, 1.2, 1.7, 2.3, 0.6, 0.8, 1.9, 2.2, 1.4);
}
PLUGIN_TEST(Branches, ACycleWithTwoEntriesIsFollowed) {
  CHECK_FUNCTION(irreducible_cycle, 0.6, 0.9, 0.3);
  CHECK_FUNCTION(irreducible_cycle, 1.6, 0.9, 0.3);
}
PLUGIN_TEST(Branches, AConstantOnOneSideHasNoDerivative) {
  CHECK_FUNCTION(constant_on_one_side, 0.6, 0.9);
  CHECK_FUNCTION(constant_on_one_side, -0.6, 0.9);
}
