// Two arrays that are released one right after the other, in a program with exceptions.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <stdexcept>

namespace {

double released_in_a_row(double x, int count) {
  if (count < 0)
    throw std::invalid_argument("count");
  auto *first = new double[count], *second = new double[count];
  for (int i = 0; i < count; ++i) {
    first[i] = x * i;
    second[i] = first[i] * x;
  }
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += first[i] * second[i];
  delete[] first;
  delete[] second;
  return sum; // x^3 sum of i^2
}

} // namespace

PLUGIN_TEST(ConsecutiveReleases, AreBothLate) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)released_in_a_row, 2.0, 4), 168);
}
