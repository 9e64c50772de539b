// Closures that hold one another, beside a vector of them: many an allocation among their copies has a handler for an
// exception that it does not throw in a derivative.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>
#include <vector>

namespace {

using Unary = std::function<double(double)>;

double held_twice(double x) {
  const Unary product = [a = x, b = 2 * x, c = x](double y) { return a * b * c * y; };
  const Unary copy = product;
  std::vector<Unary> functions;
  functions.push_back(copy);
  functions.push_back(copy);
  const Unary both = [product, copy](double y) { return product(y) + copy(y); };
  const Unary all = [copy, c = x, both](double y) { return both(c) + copy(y); };
  return all(2) + functions[1](1); // 4 x^4 + 4 x^3 + 2 x^3
}

} // namespace

PLUGIN_TEST(CopiesOfClosures, MayHoldOneAnother) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)held_twice, 2.0), 128 + 72);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)held_twice, 2.0, 1.0), 128 + 72);
}
