// std::any in a vector, exchanged and turned round: the same word holds a double, a float, two floats or an address,
// and what moves one of them does not see the others.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <algorithm>
#include <any>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Point {
  float x, y;
};

double number_in(const std::any &value) {
  if (const auto *number = std::any_cast<double>(&value))
    return *number * *number;
  if (const auto *number = std::any_cast<float>(&value))
    return *number * 2;
  if (const auto *point = std::any_cast<Point>(&value))
    return point->x * point->y;
  if (const auto *numbers = std::any_cast<std::vector<double>>(&value))
    return (*numbers)[0] * (*numbers)[1];
  return 0;
}

double sum_of(std::vector<std::any> values) {
  std::swap(values[0], values[2]);
  std::reverse(values.begin(), values.end());
  double sum = 0;
  for (const std::any &value : values)
    sum += number_in(value);
  return sum;
}

double of_four_kinds(double x) {
  return sum_of(
      {float(x), Point{float(x), float(2 * x)}, std::vector<double>{x, 3 * x}, std::string("t")}); // 2 x + 5 x^2
}

double of_five_kinds(double x) {
  return sum_of({x, float(x), Point{float(x), float(2 * x)}, std::string("t"), std::vector<double>{x, 3 * x}});
}

} // namespace

PLUGIN_TEST(ValuesOfAny, AreExchanged) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_four_kinds, 0.5), 2 + 5);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_four_kinds, 0.5, 1.0), 2 + 5);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_five_kinds, 0.5), 2 + 6);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_five_kinds, 0.5, 1.0), 2 + 6);
}
