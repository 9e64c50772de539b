// The rules of <assay/rules/...> through test_rule.
#include <assay/rules/integral.hpp>
#include <assay/rules/logsumexp.hpp>
#include <assay/rules/norm.hpp>
#include <assay/rules/root.hpp>
#include <assay/rules/softmax.hpp>
#include <assay/rules/solve.hpp>
#include <assay/rules/sort.hpp>
#include <assay/testing.hpp>
#include <gtest/gtest.h>

using namespace assay;

namespace {

using Numbers = std::vector<double>;
constexpr auto few_forms = each_in_forms<TestForm{.width = 3, .split = true}>;

TEST(BundledRulesAreRight, Logsumexp) {
  test_rule(TestOptions{.variations = few_forms}, rules::logsumexp<Numbers>, Numbers{0.3, 1.1, -0.5});
}
TEST(BundledRulesAreRight, Softmax) {
  test_rule(TestOptions{.variations = few_forms}, rules::softmax<Numbers>, Numbers{0.3, 1.1, -0.5});
}
TEST(BundledRulesAreRight, Norm) {
  test_rule(TestOptions{.variations = few_forms}, rules::norm<Numbers>, Numbers{0.3, 1.1, -0.5});
}
TEST(BundledRulesAreRight, Sort) {
  test_rule(TestOptions{.variations = few_forms}, rules::sorted<Numbers>, Numbers{0.3, 1.1, -0.5});
}

struct SquareRoot {
  double operator()(double x, double p) const { return x * x - p; }
};
TEST(BundledRulesAreRight, Root) {
  const auto root = [](double start, double p) { return rules::root(SquareRoot{}, start, p); };
  test_rule(TestOptions{.variations = few_forms}, root, arg<Const>(1.0), 2.0);
}

struct Cosine {
  double operator()(double x) const { return std::cos(x); }
};

TEST(BundledRulesAreRight, Solve) {
  rules::Matrix a(2, 2);
  a << 4, 1, 2, 3;
  rules::Vector b(2);
  b << 1, 2;
  test_rule(TestOptions{.variations = few_forms}, rules::solve, a, b);
}

} // namespace
