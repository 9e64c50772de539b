// Closures of two floats that closures of doubles hold. Only the optimising compiler says that a word which is copied
// is a pair of floats.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>
#include <vector>

#ifdef __OPTIMIZE__

namespace {

using Narrow = std::function<float(float)>;
using Wide = std::function<double(double)>;

/// With y = x / 2: (x + y) (x + x^2) x y + 2 x y^3 + 2 x y + 2 y^2.
double pairs_held_by_others(double x) {
  const Narrow line = [y = float(x) / 2, z = float(x) / 2 * (float(x) / 2)](float t) { return t * y + z; };
  const Wide sum = [line, x](double t) { return x * t + line(float(t)); };
  const Narrow product = [sum, y = float(x) / 2](float t) { return float(sum(t)) * y; };
  const Wide outer = [product, line, x](double t) { return product(float(t)) * x + line(float(x)); };
  const Wide copy = outer;
  return outer(x) + copy(x * x);
}

/// 4 x y + y^3 + 8 x y^2 + 2 x^2 + 4 y
double beside_a_double(double x) {
  struct Numbers {
    float a, b;
    double c;
  };
  const Numbers numbers{float(x) / 2, float(x), x};
  const Narrow line = [numbers](float t) { return t * numbers.a + numbers.b * float(numbers.c); };
  const Wide sum = [numbers, line](double t) { return t * numbers.c + numbers.a * line(float(t)); };
  const Narrow other = [sum, n = numbers](float t) { return float(sum(t)) + n.b; };
  std::vector<Narrow> functions{line, other, line};
  functions.push_back(functions[1]);
  functions.erase(functions.begin());
  double result = sum(x / 2);
  for (const Narrow &function : functions)
    result += function(float(x));
  return result;
}

} // namespace

PLUGIN_TEST(PairsOfFloats, MayBeHeldByClosuresOfDoubles) {
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)pairs_held_by_others, 2.0), 98);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)pairs_held_by_others, 2.0, 1.0), 98);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)beside_a_double, 2.0), 43.5);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)beside_a_double, 2.0, 1.0), 43.5);
}

#endif
