// std::any of a double, a float and two floats, which are all kept in the object itself. Exchanged they go through a
// variable that is empty at times.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <algorithm>
#include <any>
#include <array>
#include <vector>

namespace {

/// (2 x^3 + x^2) (1 + 2 x)
double turned_round(double x) {
  std::vector<std::any> values;
  values.emplace_back(float(x));
  values.emplace_back(2 * x);
  values.emplace_back(std::array<float, 2>{float(2 * x), float(x)});
  std::rotate(values.begin(), values.begin() + 2, values.end());
  double sum = 0;
  for (const std::any &value : values)
    if (const auto *numbers = std::any_cast<std::array<float, 2>>(&value))
      sum += (*numbers)[0] * (*numbers)[1] * (*numbers)[1];
    else if (const auto *single = std::any_cast<float>(&value))
      sum += *single * *single;
    else
      sum += *std::any_cast<double>(&value) * sum;
  return sum;
}

} // namespace

PLUGIN_TEST(NumbersOfAny, AreTurnedRound) {
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)turned_round, 0.5), 6);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)turned_round, 0.5, 1.0), 6);
}
