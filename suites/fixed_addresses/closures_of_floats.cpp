// std::function objects whose closures hold addresses, doubles and pairs of floats in turn.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>
#include <utility>
#include <vector>

namespace {

using Unary = std::function<double(double)>;
using NarrowUnary = std::function<float(float)>;

double of_doubles(double x) {
  const Unary line = [a = x, b = 2 * x, c = 3.0](double y) { return a * y + b + c; };
  const Unary copy = line;
  const Unary small = [a = x, b = x * x](double y) { return a * y + b; };
  const Unary other = small;
  return copy(x) * line(1.0) + other(1.0) * small(2.0); // (x^2 + 2 x + 3) (3 x + 3) + (x + x^2) (2 x + x^2)
}

float of_a_pair(float x) {
  const NarrowUnary line = [a = x, b = 2 * x](float y) { return a * y + b; };
  const NarrowUnary copy = line;
  return copy(x) * line(3); // (x^2 + 2 x) 5 x
}

/// A pair of which the upper float is zero.
float of_half_a_pair(float x) {
  const NarrowUnary line = [a = x, b = 0.0F](float y) { return a * y + b; };
  const NarrowUnary copy = line;
  return copy(x) * line(3); // 3 x^3
}

float swapped(float x) {
  NarrowUnary line = [a = x, b = 2 * x](float y) { return a * y + b; }, sum = [x](float y) { return x + y; };
  std::swap(line, sum);
  return line(x) * sum(3); // 2 x * 5 x
}

/// Closures on the heap, one in the other.
float held_by_one_another(float x) {
  NarrowUnary line = [a = x, b = 2 * x](float y) { return a * y + b; };
  NarrowUnary copy = line;
  const NarrowUnary holder = [line, a = x, b = 2 * x, c = x * x](float y) { return line(a) * b + c * y; };
  copy = holder;
  return copy(1) + line(2); // 2 x^3 + 5 x^2 + 4 x
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

PLUGIN_TEST(ClosuresAtFixedAddresses, OfDoubles) {
  const double x = 0.7, expected = 4 * x * x * x + 18 * x * x + 22 * x + 15;
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_doubles, x), expected);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_doubles, x, 1.0), expected);
}

PLUGIN_TEST(ClosuresAtFixedAddresses, OfFloats) {
  const float x = 0.75F;
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)of_a_pair, x), 15 * x * x + 20 * x);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)of_half_a_pair, x), 9 * x * x);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)swapped, x), 20 * x);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)swapped, x, 1.0F), 20 * x);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)held_by_one_another, x), 6 * x * x + 10 * x + 4);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)in_a_vector, x), 5 + 4 * x);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)in_a_vector, x, 1.0F), 5 + 4 * x);
}
