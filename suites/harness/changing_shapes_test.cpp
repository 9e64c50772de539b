// Functions whose results or arguments have another number of numbers beside the point, or after the call.

#include "suites/harness/failures.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <optional>
#include <variant>

namespace {

using namespace assay;
using assay::suites::messages_of;
using assay::suites::plainly;
using testing::HasSubstr;

// Would catch: numbers read behind the result, where steps of the differences lead to an empty one.

std::optional<double> root(double x) {
  if (x < 0)
    return std::nullopt;
  return std::sqrt(x) * x;
}
TEST(ChangingShapes, OptionalBesideItsEdge) {
  test_forward_all(plainly, root, 1e-3);
  test_reverse_all(plainly, root, 1e-3);
}

std::variant<int, double> number_or_flag(double x) {
  if (x > 0)
    return x * x;
  return 3;
}
TEST(ChangingShapes, VariantOfAnIntegerAndANumber) {
  test_forward_all(number_or_flag, 0.25);
  test_reverse_all(number_or_flag, 0.25);
}

std::vector<double> squares_of_positive(const std::vector<double> &x) {
  std::vector<double> y;
  for (const double each : x)
    if (each > 0)
      y.push_back(each * each);
  return y;
}
TEST(ChangingShapes, AsManyResultsAsPositiveNumbers) {
  test_forward_all(plainly, squares_of_positive, std::vector<double>{1, 0.01, -3});
  test_reverse_all(plainly, squares_of_positive, std::vector<double>{1, 0.01, -3});
}

// Would catch: a derivative that is told wrong by a number behind the end of the shadow.

double pops(std::vector<double> &x) {
  const double product = x[0] * x[2];
  x.pop_back();
  return product;
}
double empties(std::vector<double> &x) {
  const auto mine = std::move(x);
  return mine[0] * mine[1];
}
double erases(std::map<int, double> &x) {
  const double product = x.at(1) * x.at(2);
  x.erase(1);
  return product;
}
TEST(ChangingShapes, ArgumentsThatLoseNumbersAreRefused) {
  const std::vector<double> x{1, 2, 3};
  EXPECT_THAT(messages_of(check_reverse_all(plainly, pops, x)), HasSubstr("it leaves 2 of the 3 numbers of x1"));
  EXPECT_THAT(messages_of(check_reverse_all(plainly, empties, x)), HasSubstr("it leaves 0 of the 3 numbers of x1"));
  EXPECT_THAT(messages_of(check_forward_all(plainly, erases, std::map<int, double>{{1, 2}, {2, 3}})),
              HasSubstr("let it take a copy of the argument"));
}

double takes_a_copy(std::vector<double> x) {
  const auto mine = std::move(x);
  return mine[0] * mine[1];
}
TEST(ChangingShapes, CopiesMayLoseNumbers) {
  test_forward_all(plainly, takes_a_copy, std::vector<double>{1, 2, 3});
  test_reverse_all(plainly, takes_a_copy, std::vector<double>{1, 2, 3});
}

} // namespace
