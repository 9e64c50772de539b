// Arrays of C as arguments of tests: for parameters that are pointers, and for those that are references to arrays.

#include "suites/harness/failures.hpp"

namespace {

using namespace assay;

double product(const double (&x)[3]) {
  return x[0] * x[1] * x[2];
}
double weighted(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * x[i] * x[i];
  return sum;
}
void scale(int n, double a, const double *x, double *y) {
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] * y[i];
}

TEST(ArraysOfC, ForReferences) {
  const double x[3] = {1, 2, 3};
  test_reverse<Active>(product, arg<Duplicated>(x));
  test_forward<Duplicated>(product, arg<Duplicated>(x));
}

TEST(ArraysOfC, ForPointersAndAreNotChanged) {
  double x[4] = {1, 2, 3, 4}, y[4] = {4, 3, 2, 1};
  test_reverse<Active>(weighted, arg<Duplicated>(x), 4);
  test_reverse_all(scale, 4, 2.0, x, y);
  test_forward_all(scale, 4, 2.0, x, y);
  EXPECT_EQ(y[0], 4);
}

} // namespace
