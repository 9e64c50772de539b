// std::function, whose memory holds numbers at one time and pointers at another.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>
#include <vector>

namespace {

double captured_in_a_vector(double x) {
  std::vector<std::function<double(double)>> functions;
  functions.push_back([x](double y) { return x * y; });
  return functions[0](x);
}
double moved(double x) {
  std::function<double(double)> function = [x](double y) { return x * y * y; };
  const auto other = std::move(function);
  return other(x);
}

using Unary = std::function<double(double)>;

double captured_on_the_heap(double x) {
  const Unary line = [a = x, b = 2 * x, c = 3.0](double y) { return a * y + b + c; };
  const Unary copy = line;
  return copy(x) * line(1.0); // (x^2 + 2 x + 3) (3 x + 3)
}
double held_by_another(double x) {
  const std::vector<double> weights{x, 2 * x};
  const Unary sum = [weights](double y) { return (weights[0] + weights[1]) * y; };
  const auto copy = sum;
  const Unary product = [copy](double y) { return copy(y) * copy(y + 1); };
  return product(1.0); // 18 x^2
}
} // namespace

PLUGIN_TEST(FunctionObjects, CapturedNumbersKeepTheirDerivatives) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)captured_in_a_vector, 3.0), 6);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)captured_in_a_vector, 3.0, 1.0), 6);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)moved, 3.0), 27);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)moved, 3.0, 1.0), 27);
}

PLUGIN_TEST(FunctionObjects, CopiesOfClosuresOnTheHeapKeepDerivatives) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)captured_on_the_heap, 2.0), 6 * 9 + 11 * 3);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)captured_on_the_heap, 2.0, 1.0), 6 * 9 + 11 * 3);
}
PLUGIN_TEST(FunctionObjects, FunctionsHoldFunctions) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)held_by_another, 2.0), 72);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)held_by_another, 2.0, 1.0), 72);
}
