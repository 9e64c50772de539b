// Closures of floats and of padding at the same place, in a program without doubles.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>

namespace {

using NarrowUnary = std::function<float(float)>;

/// Where one closure keeps a float, another one that is copied by the same code has padding.
float beside_padding(float x) {
  const NarrowUnary product = [a = x, b = 2 * x, c = x](float y) { return a * b * c * y; };
  const NarrowUnary pair = [product, a = x, b = 2 * x, other = product](float y) {
    return product(y) + other(1) + a * b;
  };
  const NarrowUnary single = [product, a = x, pair](float y) { return pair(a) + product(y); };
  return single(2); // 2 x^4 + 2 x^3 + 2 x^2 + 4 x^3
}

} // namespace

PLUGIN_TEST(FunctionsOfFloatsAlone, MayHavePaddingWhereOthersHaveFloats) {
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)beside_padding, 2.0F), 64 + 72 + 8);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)beside_padding, 2.0F, 1.0F), 64 + 72 + 8);
}
