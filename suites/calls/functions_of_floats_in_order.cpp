// Functions of floats and of doubles that change places in a vector, whose elements are copied by an index, and lists
// of numbers that functions hold which others hold.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace {

using Unary = std::function<double(double)>;

double composed(const std::vector<Unary> &functions, double start) {
  double result = start;
  for (const Unary &function : functions)
    result = function(result) / 2;
  return result;
}

std::vector<Unary> line_list_and_holder(double x) {
  const Unary line = [f = float(x)](double t) { return f * t; };
  const Unary list = [v = std::vector<float>{1, 2, 3}](double t) { return v[0] * t + v[1] * v[2]; };
  const Unary holder = [list, y = 1.25](double t) { return list(t * y); };
  return {line, list, holder};
}

/// The line comes last: x ((4 + 2 * 3) / 2 * 1.25 + 6) / 4.
double rotated(double x) {
  std::vector<Unary> functions = line_list_and_holder(x);
  std::rotate(functions.begin(), functions.begin() + 1, functions.end());
  return composed(functions, 4);
}

double swapped_one_by_one(double x) {
  std::vector<Unary> functions = line_list_and_holder(x);
  for (int i = 0; i < 2; ++i) {
    Unary first = std::move(functions[i]);
    functions[i] = std::move(functions[i + 1]);
    functions[i + 1] = std::move(first);
  }
  return composed(functions, 4);
}

} // namespace

PLUGIN_TEST(FunctionsOfFloatsInOrder, KeepTheirDerivativesInAnotherOrder) {
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)rotated, 2.0, 1.0), 3.0625);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)swapped_one_by_one, 2.0, 1.0), 3.0625);
}
