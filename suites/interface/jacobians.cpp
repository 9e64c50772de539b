// Gradients in chunks, Jacobians and second derivatives.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <cmath>
#include <span>
#include <string>
#include <vector>

using namespace assay;

namespace {

double rosenbrock(const std::vector<double> &x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += 100 * (x[i + 1] - x[i] * x[i]) * (x[i + 1] - x[i] * x[i]) + (1 - x[i]) * (1 - x[i]);
  return sum;
}
double product(double x, double y) {
  return x * y;
}
std::vector<double> pair_of(const std::vector<double> &x) {
  return {x[0] * x[1], x[1], std::sin(x[2])};
}
std::array<double, 2> fixed_pair(const std::array<double, 2> &x) {
  return {x[0] * x[1], x[1]};
}
void powers(std::vector<double> &y, const std::vector<double> &x) {
  y[0] = x[0] * x[0] + x[1];
  y[1] = x[0] * x[1];
}
std::vector<double> scaled(const std::vector<double> &x, double factor) {
  return {factor * x[0], factor * x[1]};
}

struct Model {
  double a;
  std::vector<double> b;
  std::string name;
  int order;
};
double evaluate(const Model &m) {
  return m.a * m.a * m.b[0] + m.order * m.b[1];
}

PLUGIN_TEST(ChunkedGradient, IsTheGradient) {
  const std::vector<double> x{1.5, 2, 0.5, 1, -1};
  const auto reverse = gradient<Reverse>(rosenbrock, x);
  const auto whole = gradient<Forward>(rosenbrock, x);
  const auto two = gradient<Forward, Chunk<2>>(rosenbrock, x);
  const auto eight = gradient<Forward, Chunk<8>>(rosenbrock, x);
  for (std::size_t i = 0; i != x.size(); ++i) {
    EXPECT_CLOSE(whole[i], reverse[i]);
    EXPECT_CLOSE(two[i], reverse[i]);
    EXPECT_CLOSE(eight[i], reverse[i]);
  }
}

PLUGIN_TEST(ChunkedGradient, OfSeveralArgumentsIsATuple) {
  const auto [dx, dy] = gradient<Forward>(product, 3.0, 4.0);
  EXPECT_SAME(dx, 4.0);
  EXPECT_SAME(dy, 3.0);
}

PLUGIN_TEST(StructGradient, KeepsWhatIsNoNumber) {
  const Model model{2, {3, 4}, "a name that is too long to be kept in place", 7};
  const Model reverse = gradient<Reverse>(evaluate, model);
  const Model forward = gradient<Forward, Chunk<2>>(evaluate, model);
  for (const Model &gradient : {reverse, forward}) {
    EXPECT_SAME(gradient.a, 12.0);
    EXPECT_SAME(gradient.b[0], 4.0);
    EXPECT_SAME(gradient.b[1], 7.0);
    EXPECT_HOLDS(gradient.name == model.name);
    EXPECT_HOLDS(gradient.order == 7);
  }
}

template <class M>
void expect_pair_jacobian(const M &jacobian) {
  EXPECT_HOLDS(jacobian.rows() == 3 && jacobian.cols() == 3);
  EXPECT_CLOSE(jacobian(0, 0), 3.0);
  EXPECT_CLOSE(jacobian(0, 1), 2.0);
  EXPECT_CLOSE(jacobian(0, 2), 0.0);
  EXPECT_CLOSE(jacobian(1, 1), 1.0);
  EXPECT_CLOSE(jacobian(2, 0), 0.0);
  EXPECT_CLOSE(jacobian(2, 2), std::cos(0.5));
}

PLUGIN_TEST(Jacobian, IsTheSameInBothModesAndAllChunks) {
  const std::vector<double> x{2, 3, 0.5};
  expect_pair_jacobian(jacobian<Forward>(pair_of, x));
  expect_pair_jacobian(jacobian<Forward, Chunk<2>>(pair_of, x));
  expect_pair_jacobian(jacobian<Reverse>(pair_of, x));
  expect_pair_jacobian(jacobian<Reverse, Outputs<3>, Chunk<2>>(pair_of, x));
}

PLUGIN_TEST(Jacobian, OfArraysHasAFixedSize) {
  const std::array x{2.0, 3.0};
  const auto forward = jacobian<Forward, Chunk<2>>(fixed_pair, x);
  const auto reverse = jacobian<Reverse, Outputs<2>, Chunk<2>>(fixed_pair, x);
  EXPECT_HOLDS(forward == reverse);
  EXPECT_SAME(forward(0, 0), 3.0);
  EXPECT_SAME(forward(0, 1), 2.0);
  EXPECT_SAME(forward(1, 0), 0.0);
  EXPECT_SAME(forward(1, 1), 1.0);
}

PLUGIN_TEST(Jacobian, OfAScalarResultIsOneRow) {
  const std::vector<double> x{1.5, 2, 0.5};
  const auto row = jacobian<Forward>(rosenbrock, x);
  const auto reverse = jacobian<Reverse>(rosenbrock, x);
  const auto gradient_of_it = gradient<Reverse>(rosenbrock, x);
  EXPECT_HOLDS(row.rows() == 1 && row.cols() == 3);
  for (std::size_t j = 0; j != 3; ++j) {
    EXPECT_CLOSE(row(0, j), gradient_of_it[j]);
    EXPECT_CLOSE(reverse(0, j), gradient_of_it[j]);
  }
}

PLUGIN_TEST(Jacobian, OfAFunctionThatWritesItsResult) {
  const std::vector<double> x{2, 3};
  std::vector<double> y(2);
  const auto forward = jacobian<Forward, Chunk<2>>(powers, y, x);
  EXPECT_SAME(y[1], 6.0);
  const auto reverse = jacobian<Reverse, Outputs<2>>(powers, y, x);
  EXPECT_SAME(y[0], 7.0);
  EXPECT_HOLDS(forward == reverse);
  EXPECT_SAME(forward(0, 0), 4.0);
  EXPECT_SAME(forward(0, 1), 1.0);
  EXPECT_SAME(forward(1, 0), 3.0);
}

PLUGIN_TEST(Jacobian, OfSeveralArgumentsIsATuple) {
  const std::vector<double> x{2, 3};
  const auto [by_x, by_factor] = jacobian<Forward>(scaled, x, 5.0);
  EXPECT_SAME(by_x(1, 1), 5.0);
  EXPECT_SAME(by_factor(1, 0), 3.0);
  const auto [reverse_by_x, reverse_by_factor] = jacobian<Reverse>(scaled, x, 5.0);
  EXPECT_HOLDS(by_x == reverse_by_x);
  EXPECT_HOLDS(by_factor == reverse_by_factor);
}

PLUGIN_TEST(Jacobian, RefusesAnotherNumberOfOutputs) {
  std::string message;
  try {
    jacobian<Reverse, Outputs<2>>(pair_of, std::vector<double>{2, 3, 0.5});
  } catch (const std::invalid_argument &error) {
    message = error.what();
  }
  EXPECT_HOLDS(message.find("has 3 numbers") != std::string::npos);
  EXPECT_HOLDS(message.find("Outputs<2>") != std::string::npos);
}

template <auto M, class... Options>
void expect_jacobians_of_an_output() {
  const auto f = [](std::vector<double> &y, const std::vector<double> &x, const std::array<double, 2> &k) {
    y[0] += x[0] * k[0];
    y[1] = x[1] * x[1] * k[1];
  };
  std::vector<double> y{1, 1};
  const auto [by_x, by_k] = jacobian<M, Options...>(f, y, std::vector<double>{2, 3}, std::array{5.0, 7.0});
  EXPECT_SAME(by_x(0, 0), 5.0);
  EXPECT_SAME(by_x(0, 1), 0.0);
  EXPECT_SAME(by_x(1, 1), 42.0);
  EXPECT_SAME(by_k(0, 0), 2.0);
  EXPECT_SAME(by_k(1, 0), 0.0);
  EXPECT_SAME(by_k(1, 1), 9.0);
  EXPECT_SAME(y[0], 11.0);
  EXPECT_SAME(y[1], 63.0);
}
PLUGIN_TEST(Jacobian, OfAnOutputAndSeveralArguments) {
  expect_jacobians_of_an_output<Forward>();
  expect_jacobians_of_an_output<Forward, Chunk<2>>();
  expect_jacobians_of_an_output<Reverse, Outputs<2>>();
  expect_jacobians_of_an_output<Reverse, Chunk<2>>();
}

PLUGIN_TEST(SecondDerivatives, OfRosenbrocksFunction) {
  const std::vector<double> x{1.5, 2, 0.5}, v{1, -1, 0.5};
  const double expected[3][3] = {{1200 * 2.25 - 800 + 2, -600, 0}, {-600, 200 + 4800 - 200 + 2, -800}, {0, -800, 200}};
  const auto one = hessian(rosenbrock, x);
  const auto two = hessian<Chunk<2>>(rosenbrock, x);
  const auto [product_with_v, gradient_at_x] = hvp_and_gradient(rosenbrock, x, v);
  const auto alone = hvp(rosenbrock, x, v);
  const auto gradient_alone = gradient<Reverse>(rosenbrock, x);
  EXPECT_HOLDS(one.rows() == 3 && one.cols() == 3);
  for (std::size_t i = 0; i != 3; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j != 3; ++j) {
      EXPECT_CLOSE(one(i, j), expected[i][j]);
      EXPECT_CLOSE(two(i, j), expected[i][j]);
      sum += expected[i][j] * v[j];
    }
    EXPECT_CLOSE(product_with_v[i], sum);
    EXPECT_CLOSE(alone[i], sum);
    EXPECT_CLOSE(gradient_at_x[i], gradient_alone[i]);
  }
}

PLUGIN_TEST(SecondDerivatives, OfScalarsSpansAndStructs) {
  const auto cube = [](double x) { return x * x * x; };
  EXPECT_SAME(hvp(cube, 2.0, 1.0), 12.0);
  EXPECT_SAME(hessian(cube, 2.0)(0, 0), 12.0);
  const std::array x{2.0, 3.0}, v{1.0, 0.0};
  const auto in_span = [](std::span<const double> y) { return y[0] * y[0] * y[1]; };
  const auto product_with_v = hvp(in_span, std::span<const double>(x), std::span<const double>(v));
  EXPECT_SAME(product_with_v[0], 6.0);
  EXPECT_SAME(product_with_v[1], 4.0);
  const Model model{2, {3, 4}, "", 7};
  const auto h = hessian(evaluate, model);
  EXPECT_SAME(h(0, 0), 6.0);
  EXPECT_SAME(h(1, 0), 4.0);
  EXPECT_SAME(h(2, 2), 0.0);
}

PLUGIN_TEST(Gradient, HasAllDigitsOfLongDoubles) {
  const auto f = [](const std::vector<long double> &x) { return x[0] * x[0] / 3 + x[1]; };
  const auto in_turns = gradient<Forward>(f, std::vector<long double>{1, 2});
  const auto in_chunks = gradient<Forward, Chunk<2>>(f, std::vector<long double>{1, 2});
  EXPECT_HOLDS(std::abs(in_turns[0] - 2.0L / 3) < 1e-18L);
  EXPECT_HOLDS(std::abs(in_chunks[0] - 2.0L / 3) < 1e-18L);
}

PLUGIN_TEST(Jacobian, OfNoNumbersHasTheRowsAndColumnsOfTheRest) {
  const auto constants = [](const std::vector<double> &) { return std::vector<double>{1, 2}; };
  const auto by_nothing = jacobian<Forward>(constants, std::vector<double>());
  EXPECT_HOLDS(by_nothing.rows() == 2 && by_nothing.cols() == 0);
  const auto backwards = jacobian<Reverse>(constants, std::vector<double>());
  EXPECT_HOLDS(backwards.rows() == 2 && backwards.cols() == 0);
  const auto written = [](std::vector<double> &y, const std::vector<double> &x) {
    y.assign(y.size(), 7.0 + double(x.size()));
  };
  std::vector<double> y{1, 2}, nothing;
  EXPECT_HOLDS(jacobian<Forward>(written, y, nothing).rows() == 2);
  EXPECT_SAME(y[1], 7.0);
}

} // namespace
