// The rules of interpolation, quadrature, roots, fixed points and differential equations, through test_rule.
#include "through_test_rule.hpp"
#include <assay/rules/fixed_point.hpp>
#include <assay/rules/integral.hpp>
#include <assay/rules/interpolation.hpp>
#include <assay/rules/ode.hpp>
#include <assay/rules/root.hpp>

using namespace assay;
using bundled::Numbers;
using bundled::weighed;

namespace {

const Numbers nodes{0, 1, 2.5, 4};
const Numbers parameters{1.1, 0.7, 0.4};

void test(const char *name, double (*f)(const Numbers &)) {
  bundled::test_function<std::false_type>(name, f, parameters);
}

double linear(const Numbers &x) {
  return rules::interpolate(nodes, Numbers{x[0], x[1], 2, 3}, x[2]);
}
double cubic(const Numbers &x) {
  return rules::interpolate<rules::Curve::cubic>(nodes, Numbers{x[0], x[1], 2, 3}, x[2]);
}
double integral(const Numbers &x) {
  return rules::integral([](double t) { return std::cos(t); }, x[2], x[0], 3) * x[1];
}
struct SquareRoot {
  double operator()(double x, double p) const { return x * x - p; }
};
double root(const Numbers &x) {
  return rules::root(SquareRoot(), 1.0, x[0]) * x[1];
}
struct Contraction {
  Numbers operator()(const Numbers &x, const Numbers &p) const {
    return {0.3 * std::cos(x[1]) * p[0], 0.4 * std::sin(x[0]) + p[1] * 0.2 * x[1]};
  }
};
double fixed_point(const Numbers &x) {
  return weighed(rules::fixed_point(Contraction(), Numbers{0, 0}, x));
}
struct Decay {
  Numbers operator()(double t, const Numbers &x, const Numbers &p) const { return {x[1], -p[0] * x[0] + t * p[1]}; }
};
double ode(const Numbers &x) {
  return weighed(rules::ode(Decay(), Numbers{0.5, x[2]}, x, 0.0, 1.5, 2));
}

TEST(CurveRules, Linear) {
  test("linear", linear);
}
TEST(CurveRules, Cubic) {
  test("cubic", cubic);
}
TEST(CurveRules, Integral) {
  test("integral", integral);
}
TEST(CurveRules, Root) {
  test("root", root);
}
TEST(CurveRules, FixedPoint) {
  test("fixed_point", fixed_point);
}
TEST(CurveRules, Ode) {
  test("ode", ode);
}

} // namespace
