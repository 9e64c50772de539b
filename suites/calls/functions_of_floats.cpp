// std::function objects in a program that computes with floats as well as doubles: the words of a closure are
// addresses, doubles or pairs of floats.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>
#include <map>
#include <string>
#include <utility>

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

float swapped(float x) {
  NarrowUnary line = [a = x, b = 2 * x](float y) { return a * y + b; }, sum = [x](float y) { return x + y; };
  std::swap(line, sum);
  return line(x) * sum(3); // 2 x * 5 x
}

float beside_a_count(float x) {
  const NarrowUnary power = [count = 3, x](float y) {
    for (int i = 0; i < count; ++i)
      y *= x;
    return y;
  };
  const NarrowUnary copy = power;
  return copy(x) + power(1); // x^4 + x^3
}

float captured_on_the_heap(float x) {
  const NarrowUnary many = [a = x, b = 2 * x, c = 1.0F, d = x * x, e = x + 1](float y) {
    return a * y + b + c * d * e;
  };
  const NarrowUnary copy = many;
  return copy(x) + many(3); // 2 x^2 (x + 1) + x^2 + 7 x
}

/// Closures of several sizes, one in the other.
float held_by_one_another(float x) {
  NarrowUnary line = [a = x, b = 2 * x](float y) { return a * y + b; };
  NarrowUnary copy = line;
  const NarrowUnary holder = [line, a = x, b = 2 * x, c = x * x](float y) { return line(a) * b + c * y; };
  copy = holder;
  return copy(1) + line(2); // 2 x^3 + 5 x^2 + 4 x
}

struct Named {
  std::string name;
  std::function<double(double, double)> function;
};
/// Closures that are moved by assignment, the number among addresses.
double assigned_beside_a_name(double x) {
  Named named;
  named = {"weighted", [x](double a, double b) { return x * a + (1 - x) * b; }};
  return named.function(3, 1);
}
double assigned_in_a_map(double x) {
  std::map<std::string, std::function<double(double, double)>> functions;
  functions["weighted"] = [x](double a, double b) { return x * a + (1 - x) * b; };
  return functions.at("weighted")(3, 1);
}

} // namespace

PLUGIN_TEST(FunctionsOfFloats, MayBeMovedByAssignment) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)assigned_beside_a_name, 2.0), 2);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)assigned_beside_a_name, 2.0, 1.0), 2);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)assigned_in_a_map, 2.0), 2);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)assigned_in_a_map, 2.0, 1.0), 2);
}
PLUGIN_TEST(FunctionsOfFloats, MayHoldOneAnother) {
  EXPECT_CLOSE(__enzyme_autodiff<float>((void *)held_by_one_another, 2.0F), 48);
  EXPECT_CLOSE(__enzyme_fwddiff<float>((void *)held_by_one_another, 2.0F, 1.0F), 48);
}
PLUGIN_TEST(FunctionsOfFloats, LeaveThoseOfDoublesAlone) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_doubles, 2.0), 87 + 76);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_doubles, 2.0, 1.0), 87 + 76);
}
PLUGIN_TEST(FunctionsOfFloats, KeepWhatEachCaptured) {
  EXPECT_CLOSE(__enzyme_autodiff<float>((void *)of_a_pair, 2.0F), 100);
  EXPECT_CLOSE(__enzyme_fwddiff<float>((void *)of_a_pair, 2.0F, 1.0F), 100);
  EXPECT_CLOSE(__enzyme_autodiff<float>((void *)swapped, 2.0F), 40);
  EXPECT_CLOSE(__enzyme_autodiff<float>((void *)beside_a_count, 2.0F), 44);
  EXPECT_CLOSE(__enzyme_fwddiff<float>((void *)beside_a_count, 2.0F, 1.0F), 44);
  EXPECT_CLOSE(__enzyme_autodiff<float>((void *)captured_on_the_heap, 2.0F), 43);
}
