// Constant memory whose address is kept in a struct beside that of active memory: a function that is called with the
// struct, and is not inlined, takes all behind it for active.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"

namespace {

struct Pair {
  const double *one, *other;
};

/// Too recursive to become part of its callers.
__attribute__((noinline)) double product(const Pair &pair, int depth) {
  return depth > 0 ? product(pair, depth - 1) : pair.one[0] * pair.other[0];
}

double with_constant_argument(const double *x, const double *weight, int depth) {
  return product({x, weight}, depth);
}

/// A derivative that was added to the weights would change the first factors on the way back.
double with_variable(const double *x, int depth) {
  double weights[] = {double(depth), double(depth + 1)};
  double result = 1;
  for (const double &weight : weights)
    result *= x[0] * weight;
  return result * product({x, weights}, depth) * product({x, weights + 1}, depth);
}

const double table[] = {2, 3, 4, 5};

double with_table(const double *x, int depth) {
  return product({x, table + depth}, depth);
}

double gradient_with_constant_argument(const double *x, const double *weight, int depth) {
  double dx = 0;
  __enzyme_autodiff<void>((void *)with_constant_argument, enzyme_dup, x, &dx, enzyme_const, weight, depth);
  return dx;
}

} // namespace

PLUGIN_TEST(ConstantNumbersBehindPointers, AreNotWrittenAndHaveNoTangent) {
  const double x = 1.5, dx = 1;
  double weight = 2;
  EXPECT_CLOSE(gradient_with_constant_argument(&x, &weight, 2), 2);
  EXPECT_CLOSE(weight, 2);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)with_constant_argument, enzyme_dup, &x, &dx, enzyme_const, &weight, 2),
               2);
}
PLUGIN_TEST(ConstantNumbersBehindPointers, MayBeVariables) {
  const double x = 1.5, dx = 1;
  double gradient = 0;
  __enzyme_autodiff<void>((void *)with_variable, enzyme_dup, &x, &gradient, 2); // 36 x^4
  EXPECT_CLOSE(gradient, 36 * 4 * x * x * x);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)with_variable, enzyme_dup, &x, &dx, 2), 36 * 4 * x * x * x);
}
PLUGIN_TEST(ConstantNumbersBehindPointers, MayBeReadOnly) {
  const double x = 1.5, dx = 1;
  double gradient = 0;
  __enzyme_autodiff<void>((void *)with_table, enzyme_dup, &x, &gradient, 2);
  EXPECT_CLOSE(gradient, 4);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)with_table, enzyme_dup, &x, &dx, 2), 4);
}
