// Many std::function objects of one type of closure.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>
#include <vector>

namespace {

using Unary = std::function<double(double)>;

double of_one_type(double x) {
  std::vector<Unary> functions;
  for (int i = 1; i <= 3; ++i)
    functions.emplace_back([factor = i * x](double y) { return factor * y; });
  double result = 1;
  for (const Unary &function : functions)
    result = function(result);
  return result; // 6 x^3
}

} // namespace

PLUGIN_TEST(FunctionsInAVector, KeepWhatEachCaptured) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_one_type, 2.0), 72);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_one_type, 2.0, 1.0), 72);
}
