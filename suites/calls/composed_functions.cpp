// std::function objects that are made of one another while the program runs.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>

namespace {

using Unary = std::function<double(double)>;

Unary composed(Unary outer, Unary inner) {
  return [outer, inner](double y) { return outer(inner(y)); };
}
double composed_in_a_loop(double x) {
  Unary function = [](double y) { return y; };
  for (int i = 0; i < 3; ++i)
    function = composed(function, [x](double y) { return x * y + 1; });
  return function(x); // x^4 + x^2 + x + 1
}

} // namespace

PLUGIN_TEST(ComposedFunctions, KeepWhatEachCaptured) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)composed_in_a_loop, 2.0), 37);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)composed_in_a_loop, 2.0, 1.0), 37);
}
