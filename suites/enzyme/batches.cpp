// __enzyme_batch where no marker says which arguments have a value for each lane.
#include "support/plugin_test.hpp"

struct Slice {
  const double *data;
  long size;
};
struct Four {
  double lane[4];
};
struct Two {
  double lane[2];
};

namespace {

double squared(const double *x) {
  return x[0] * x[0];
}
double power(double x, int n) {
  double result = 1;
  for (int i = 0; i < n; ++i)
    result *= x;
  return result;
}
double sum(Slice slice) {
  double result = 0;
  for (long i = 0; i < slice.size; ++i)
    result += slice.data[i];
  return result;
}
double squares_of_all(const double *x) {
  const double *y = x + 2;
  return squared(x) * squared(y);
}

} // namespace

extern "C" {
extern int enzyme_width, enzyme_vector, enzyme_scalar, enzyme_dup;
Four __enzyme_batch(void *, ...);
Two __enzyme_batch_two(void *, ...);
double __enzyme_autodiff(void *, ...);
}
template <class Result, class... Arguments>
Result __enzyme_batch_typed(void *, Arguments...);

static double total(double *x) {
  const Two both = __enzyme_batch_two((void *)squares_of_all, enzyme_width, 2, x, x + 1);
  return both.lane[0] + 3 * both.lane[1];
}

PLUGIN_TEST(Batches, PointersAreVectors) {
  const double x[4] = {1, 2, 3, 4};
  const Four result = __enzyme_batch((void *)squared, enzyme_width, 4, x, x + 1, x + 2, x + 3);
  for (int lane = 0; lane < 4; ++lane)
    EXPECT_CLOSE(result.lane[lane], x[lane] * x[lane]);
}
PLUGIN_TEST(Batches, NumbersAreVectorsAndIntegersAreScalars) {
  const Two result = __enzyme_batch_two((void *)power, enzyme_width, 2, 2.0, 3.0, 3);
  EXPECT_CLOSE(result.lane[0], 8);
  EXPECT_CLOSE(result.lane[1], 27);
  const Two marked = __enzyme_batch_two((void *)power, enzyme_width, 2, enzyme_scalar, 2.0, enzyme_vector, 3, 4);
  EXPECT_CLOSE(marked.lane[0], 8);
  EXPECT_CLOSE(marked.lane[1], 16);
}
PLUGIN_TEST(Batches, StructsWithPointersAreVectors) {
  const double x[3] = {1, 2, 4};
  const Two result = __enzyme_batch_typed<Two>((void *)sum, enzyme_width, 2, Slice{x, 3}, Slice{x + 1, 2});
  EXPECT_CLOSE(result.lane[0], 7);
  EXPECT_CLOSE(result.lane[1], 6);
}
static double cube(double x) {
  return x * x * x;
}
static double slope(double x) {
  return __enzyme_autodiff((void *)cube, x);
}
static double product_of_slopes(double x) {
  const Two both = __enzyme_batch_two((void *)slope, enzyme_width, 2, x, 2 * x);
  return both.lane[0] * both.lane[1];
}

PLUGIN_TEST(Batches, OfDerivatives) {
  EXPECT_CLOSE(product_of_slopes(1.5), 36 * 1.5 * 1.5 * 1.5 * 1.5);
  EXPECT_CLOSE(__enzyme_autodiff((void *)product_of_slopes, 1.5), 4 * 36 * 1.5 * 1.5 * 1.5);
}
PLUGIN_TEST(Batches, AreDifferentiated) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {};
  __enzyme_autodiff((void *)total, enzyme_dup, x, dx); // x0^2 x2^2 + 3 x1^2 x3^2
  EXPECT_CLOSE(dx[0], 2 * 1 * 9);
  EXPECT_CLOSE(dx[3], 3 * 4 * 2 * 4);
}
