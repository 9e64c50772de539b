// std::function objects whose closures hold addresses and pairs of floats in turn; more of them in
// calls/functions_of_floats.cpp, which is compiled here as well.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>
#include <vector>

namespace {

using NarrowUnary = std::function<float(float)>;

/// A pair of which the upper float is zero.
float of_half_a_pair(float x) {
  const NarrowUnary line = [a = x, b = 0.0F](float y) { return a * y + b; };
  const NarrowUnary copy = line;
  return copy(x) * line(3); // 3 x^3
}

float in_a_vector(float x) {
  const NarrowUnary product = [x](float y) { return x * y; },
                    square = [a = x, b = x * x](float y) { return a + b * y; };
  const std::vector<NarrowUnary> all{product, square, product};
  float sum = 0;
  for (const NarrowUnary &one : all)
    sum += one(2);
  return sum; // 5 x + 2 x^2
}

} // namespace

PLUGIN_TEST(ClosuresAtFixedAddresses, OfFloats) {
  const float x = 0.75F;
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)of_half_a_pair, x), 9 * x * x);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)in_a_vector, x), 5 + 4 * x);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)in_a_vector, x, 1.0F), 5 + 4 * x);
}
