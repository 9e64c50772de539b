// Exceptions that leave a gradient after functions that are not inlined have returned: their tapes, and memory whose
// release waits for the reverse sweep, go with the exception.
#include "support/heap_growth.hpp"
#include "support/vector_program.hpp"
#include <stdexcept>
#include <vector>

namespace {

/// Recursive, so it is never inlined, and its tape is memory of its own.
double tree(const double *x, int n) {
  if (n <= 1)
    return std::sin(x[0]);
  std::vector<double> squares(x, x + n);
  for (double &value : squares)
    value *= value;
  double sum = tree(squares.data(), n / 2) * tree(x + n / 2, n - n / 2);
  for (int i = 0; i < n; ++i)
    sum = std::sin(sum + x[i]) * squares[i];
  return sum;
}

double throws_at_the_end(const double *x, int n) {
  double product = 1;
  for (int i = 1; i < n; ++i) {
    const std::vector<double> values(x, x + i);
    product *= tree(values.data(), i);
  }
  if (x[0] > 2)
    throw std::runtime_error("too far");
  return product + tree(x, n);
}

double throws_inside(const double *x, int n) {
  if (n <= 1) {
    if (x[0] > 2)
      throw std::runtime_error("too far");
    return std::cos(x[0]);
  }
  const std::vector<double> values(x, x + n);
  const double first = tree(values.data(), n);
  return first * throws_inside(x, n / 2) * throws_inside(values.data() + n / 2, n - n / 2);
}

double caught_inside(const double *x, int n) {
  double result = tree(x, n);
  try {
    result *= throws_inside(x, n);
  } catch (const std::exception &) {
    result += tree(x, n - 1);
  }
  return result * x[1];
}

template <double (*program)(const double *, int)>
void run_until_it_throws() {
  double x[5] = {0.4, 0.7, 0.3, -0.2, 2.5}, shadow[5] = {};
  if (program == throws_at_the_end)
    x[0] = 3;
  bool thrown = false;
  try {
    __enzyme_autodiff<void>((void *)program, enzyme_dup, x, shadow, enzyme_const, 5);
  } catch (const std::exception &) {
    thrown = true;
  }
  EXPECT_HOLDS(thrown);
}

} // namespace

PLUGIN_TEST(ExceptionsPastCallees, LeaveNothingOnTheHeap) {
  EXPECT_NO_GROWTH(run_until_it_throws<throws_at_the_end>);
  EXPECT_NO_GROWTH(run_until_it_throws<throws_inside>);
}
PLUGIN_TEST(ExceptionsPastCallees, LeaveNothingWhereNoneIsThrown) {
  EXPECT_NOTHING_LEFT(throws_at_the_end, 0.4, 0.7, 0.3, -0.2, 0.5);
  EXPECT_NOTHING_LEFT(throws_inside, 0.4, 0.7, 0.3, -0.2, 0.5);
}
PLUGIN_TEST(ExceptionsPastCallees, LeaveNothingWhereTheyAreCaughtInside) {
  EXPECT_NOTHING_LEFT(caught_inside, 0.4, 0.7, 0.3, -0.2, 2.5);
}
PLUGIN_TEST(ExceptionsPastCallees, DoNotDisturbGradients) {
  CHECK_FUNCTION(throws_at_the_end, 0.4, 0.7, 0.3, -0.2);
  CHECK_FUNCTION(caught_inside, 0.4, 0.7, 0.3, -0.2, 2.5);
  CHECK_FUNCTION(caught_inside, 0.4, 0.7, 0.3, -0.2, 0.5);
}
