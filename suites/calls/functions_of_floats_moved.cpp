// Closures of floats that are moved as bytes or in registers, in a program without doubles.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>
#include <vector>

namespace {

using NarrowUnary = std::function<float(float)>;

/// One float, of which the copy is half a word, and a holder of it.
float half_a_word(float x) {
  const NarrowUnary product = [a = x](float y) { return a * y * 3; };
  const NarrowUnary holder = [product](float y) { return product(y); };
  return holder(1) * x; // 3 x^2
}

/// Five bytes: a float and a character behind it.
float beside_a_character(float x) {
  const NarrowUnary line = [a = x, b = x](float y) { return a * y * b; };
  const NarrowUnary holder = [c = 2 * x, d = (char)3, line](float y) { return (c + d) * y + line(y); };
  return holder(1); // 2 x + 3 + x^2
}

/// Copies that the optimiser keeps in a register, under the name of an address.
float copied_out_of_a_vector(float x) {
  const NarrowUnary constant = [a = x](float) { return a; };
  std::vector<NarrowUnary> functions;
  functions.push_back(constant);
  functions.push_back(constant);
  const NarrowUnary first = functions[0];
  NarrowUnary assigned;
  assigned = first;
  return 10 * assigned(2) + constant(1); // 11 x
}

} // namespace

PLUGIN_TEST(FunctionsOfFloatsAlone, MayBeMovedAsBytes) {
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)half_a_word, 2.0F), 12);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)half_a_word, 2.0F, 1.0F), 12);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)beside_a_character, 2.0F), 6);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)beside_a_character, 2.0F, 1.0F), 6);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)copied_out_of_a_vector, 2.0F), 11);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)copied_out_of_a_vector, 2.0F, 1.0F), 11);
}
