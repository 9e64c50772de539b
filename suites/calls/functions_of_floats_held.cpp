// Closures of floats that hold one another, in a program without doubles: their copies are made by the same code.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>

namespace {

using NarrowUnary = std::function<float(float)>;

/// A closure of two floats is copied where, for another one, an address would be.
float copied_while_held(float x) {
  const NarrowUnary line = [a = x, b = 2 * x](float y) { return a * y + b; };
  const NarrowUnary holder = [line](float y) { return line(y); };
  const NarrowUnary copy = holder;
  return copy(1) * holder(2); // 3 x * 4 x
}

/// One float, of which the copy is half a word, and a holder of it.
float half_a_word(float x) {
  const NarrowUnary product = [a = x](float y) { return a * y * 3; };
  const NarrowUnary holder = [product](float y) { return product(y); };
  return holder(1) * x; // 3 x^2
}

} // namespace

PLUGIN_TEST(FunctionsOfFloatsAlone, MayHoldOneAnother) {
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)copied_while_held, 2.0F), 48);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)copied_while_held, 2.0F, 1.0F), 48);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)half_a_word, 2.0F), 12);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)half_a_word, 2.0F, 1.0F), 12);
}
