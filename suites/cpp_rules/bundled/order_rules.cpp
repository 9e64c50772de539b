// Rules that sort, and those of sums over a vector, through test_rule. Functions of one type share the code of a test.
#include <assay/autodiff.hpp>
#include <assay/rules/logsumexp.hpp>
#include <assay/rules/norm.hpp>
#include <assay/rules/softmax.hpp>
#include <assay/rules/sort.hpp>
#include <assay/rules/top.hpp>
#include <assay/testing.hpp>
#include <assay/testing/rule.hpp>
#include <assay/to_vec.hpp>
#include <cmath>
#include <gtest/gtest.h>
using namespace assay;
namespace {
using Numbers = std::vector<double>;
double weighed(const auto &y) {
  double sum = 0;
  for (decltype(y.size()) i = 0; i < y.size(); ++i)
    sum += y.data()[i] * (1 + 0.3 * double(i * i));
  return sum;
}
const Numbers numbers{0.3, 1.1, -0.5};
double sorted(const Numbers &x) {
  return weighed(rules::sorted(x));
}
double top(const Numbers &x) {
  return weighed(rules::top(x, 2));
}
double softmax(const Numbers &x) {
  return weighed(rules::softmax(x));
}
double logsumexp(const Numbers &x) {
  return rules::logsumexp(x);
}
double norm(const Numbers &x) {
  return rules::norm(x);
}
void test(const char *name, double (*f)(const Numbers &)) {
  constexpr auto lanes = each_in_forms<TestForm{.width = 2, .split = true}>;
  test_rule(TestOptions{.name = name, .variations = lanes, .oracle = off}, f, numbers);
}
TEST(OrderRules, Sorted) {
  test("sorted", sorted);
}
TEST(OrderRules, Top) {
  test("top", top);
}
TEST(OrderRules, Softmax) {
  test("softmax", softmax);
}
TEST(OrderRules, Logsumexp) {
  test("logsumexp", logsumexp);
}
TEST(OrderRules, Norm) {
  test("norm", norm);
}
} // namespace
