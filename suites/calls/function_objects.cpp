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

} // namespace

PLUGIN_TEST(FunctionObjects, CapturedNumbersKeepTheirDerivatives) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)captured_in_a_vector, 3.0), 6);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)captured_in_a_vector, 3.0, 1.0), 6);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)moved, 3.0), 27);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)moved, 3.0, 1.0), 27);
}
