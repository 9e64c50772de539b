// Functions of floats and of doubles that change places in a vector, whose elements are copied by an index, and lists
// of numbers that functions hold which others hold.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <algorithm>
#include <functional>
#include <map>
#include <string>
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
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)rotated, 2.0), 3.0625);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)swapped_one_by_one, 2.0, 1.0), 3.0625);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)swapped_one_by_one, 2.0), 3.0625);
}

#ifdef __OPTIMIZE__ // else nothing tells pairs of floats from doubles

namespace {

/// x + x^5, and x^2 + x^5
double held_lists(double x) {
  const Unary list = [v = std::vector<float>{float(x), float(x * x), float(x * x * x)}](double t) {
    return v[0] * t + v[1] * v[2];
  };
  const Unary holder = [list, x](double t) { return list(t * x); };
  std::vector<Unary> functions;
  functions.push_back(list);
  functions.push_back(holder);
  double sum = 0;
  for (const Unary &function : functions)
    sum += function(1);
  return sum;
}

/// Beside pairs of floats, x + x^2 and x^3 + x^2, in a program whose functions hold numbers of all sizes.
double held_lists_among_pairs(double x) {
  std::map<std::string, Unary> named;
  named["a"] = [f = float(x), g = float(x * x)](double t) { return f * t + g; };
  named["b"] = [&named](double t) { return named["a"](t) * t; };
  named["c"] = [v = std::vector<float>{float(x), float(x * x)}](double t) { return v[0] * t + v[1]; };
  named["d"] = [x, c = named["c"]](double t) { return c(x * t); };
  std::vector<Unary> functions;
  for (const auto &[name, function] : named)
    functions.push_back(function);
  std::swap(functions[0], functions[3]);
  return functions[3](1) + functions[0](x);
}

/// x (2 + x) + 2 x
double beside_others(double x) {
  std::vector<std::pair<double, Unary>> functions;
  functions.emplace_back(x, [p = std::pair<int, float>(2, x)](double t) { return p.first * t + p.second; });
  functions.emplace_back(1, [f = float(x), g = float(x)](double t) { return f * t + g; });
  std::sort(functions.begin(), functions.end(), [](const auto &f, const auto &g) { return f.first < g.first; });
  double sum = 0;
  for (const auto &[factor, function] : functions)
    sum += factor * function(1);
  return sum;
}

} // namespace

PLUGIN_TEST(FunctionsOfFloatsInOrder, MayHoldListsOfThem) {
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)held_lists, 2.0, 1.0), 165);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)held_lists, 2.0), 165);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)held_lists_among_pairs, 2.0), 21);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)beside_others, 2.0), 8);
}

#endif
