// Gradients, Jacobians and products with them, against closed forms.
#include <assay/fdm.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

namespace assay::fdm {
namespace {

const auto method = central_fdm(5, 1);

template <class T>
T rosenbrock(std::span<const T> x) {
  T sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += 100 * (x[i + 1] - x[i] * x[i]) * (x[i + 1] - x[i] * x[i]) + (1 - x[i]) * (1 - x[i]);
  return sum;
}

std::vector<double> rosenbrock_gradient(std::span<const double> x) {
  std::vector<double> gradient(x.size());
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double valley = x[i + 1] - x[i] * x[i];
    gradient[i] += -400 * x[i] * valley - 2 * (1 - x[i]);
    gradient[i + 1] += 200 * valley;
  }
  return gradient;
}

/// Polar coordinates to Cartesian ones, and a third output of a very different scale.
void polar(std::span<const double> x, std::span<double> y) {
  y[0] = x[0] * std::cos(x[1]);
  y[1] = x[0] * std::sin(x[1]);
  y[2] = 1e6 * std::exp(5 * x[0]);
}

TEST(Grad, OfRosenbrockIsItsGradient) {
  const std::vector<double> x{-1.2, 1.0, 0.3, 2.0};
  const auto estimates = grad<double>(method, rosenbrock<double>, x);
  const auto exact = rosenbrock_gradient(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_TRUE(estimates[i].reliable());
    EXPECT_NEAR(estimates[i].value, exact[i], 1e-9) << i;
    EXPECT_LE(std::fabs(estimates[i].value - exact[i]), estimates[i].error) << i;
  }
}

TEST(Grad, InFloatIsAsAccurateAsFloatAllows) {
  const std::vector<float> x{-1.2F, 1.0F};
  const auto estimates = grad<float>(method, rosenbrock<float>, x);
  const auto exact = rosenbrock_gradient(std::vector<double>{-1.2F, 1.0});
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(estimates[i].value, exact[i], 2e-3) << i;
}

TEST(Jacobian, HasOneRowForEachOutput) {
  const std::vector<double> x{2.0, 0.5};
  const auto matrix = jacobian<double>(method, polar, x, 3);
  EXPECT_EQ(matrix.rows, 3U);
  EXPECT_EQ(matrix.columns, 2U);
  EXPECT_NEAR(matrix(0, 0).value, std::cos(0.5), 1e-11);
  EXPECT_NEAR(matrix(0, 1).value, -2 * std::sin(0.5), 1e-11);
  EXPECT_NEAR(matrix(1, 0).value, std::sin(0.5), 1e-11);
  EXPECT_NEAR(matrix(1, 1).value, 2 * std::cos(0.5), 1e-11);
  EXPECT_NEAR(matrix(2, 0).value / (5e6 * std::exp(10.0)), 1, 1e-10);
  EXPECT_EQ(matrix(2, 1).value, 0);
}

TEST(Jvp, IsTheJacobianTimesTheDirection) {
  const std::vector<double> x{2.0, 0.5};
  const std::vector<double> direction{-4.2, 7.31};
  const auto estimates = jvp<double>(method, polar, x, direction, 3);
  const std::vector<double> exact{std::cos(0.5) * -4.2 - 2 * std::sin(0.5) * 7.31,
                                  std::sin(0.5) * -4.2 + 2 * std::cos(0.5) * 7.31, 5e6 * std::exp(10.0) * -4.2};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_TRUE(estimates[i].reliable()) << i;
    EXPECT_LE(std::fabs(estimates[i].value - exact[i]), estimates[i].error) << i;
    EXPECT_NEAR(estimates[i].value / exact[i], 1, 1e-10) << i;
  }
}

TEST(Jvp, AlongNothingIsZeroWithoutError) {
  const std::vector<double> x{2.0, 0.5};
  const std::vector<double> direction{0.0, 0.0};
  for (const auto &estimate : jvp<double>(method, polar, x, direction, 3)) {
    EXPECT_EQ(estimate.value, 0);
    EXPECT_EQ(estimate.error, 0);
    EXPECT_TRUE(estimate.reliable());
  }
}

TEST(Jvp, ScalesWithTheDirectionExactly) {
  const std::vector<double> x{2.0, 0.5};
  const auto small = jvp<double>(method, polar, x, std::vector<double>{1.5, -0.75}, 3);
  const auto large = jvp<double>(method, polar, x, std::vector<double>{1.5 * 1024, -0.75 * 1024}, 3);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(small[i].value * 1024, large[i].value);
}

TEST(Jvp, StaysInsideTheDomain) {
  const std::vector<double> x{1e-6, 1.0};
  const std::vector<double> direction{3.0, -2.0};
  const std::vector<Domain> domains{{.lower = 0}, {.lower = 0, .upper = 2}};
  const auto f = [](std::span<const double> at, std::span<double> y) {
    EXPECT_GE(at[0], 0);
    EXPECT_GE(at[1], 0);
    EXPECT_LE(at[1], 2);
    y[0] = std::log(at[0]) * at[1];
  };
  const auto estimate = jvp<double>(method, f, x, direction, 1, domains).front();
  const double exact = 3.0 / 1e-6 - 2 * std::log(1e-6);
  EXPECT_TRUE(estimate.reliable());
  EXPECT_NEAR(estimate.value / exact, 1, 1e-6);
}

TEST(LineReach, IsTheNearestEdgeInEachDirection) {
  const std::vector<double> x{1.0, 5.0};
  const std::vector<double> direction{-2.0, 1.0};
  const std::vector<Domain> domains{{.lower = 0, .upper = 10}, {.upper = 8}};
  const auto reach = line_reach<double>(x, direction, domains);
  EXPECT_NEAR(reach.above, 0.5, 1e-12);
  EXPECT_NEAR(reach.below, 4.5, 1e-12);
}

TEST(JTransposeVp, IsTheTransposedJacobianTimesTheCotangent) {
  const std::vector<double> x{2.0, 0.5};
  const std::vector<double> cotangent{0.5, -2.0, 0.0};
  const auto estimates = j_transpose_vp<double>(method, polar, x, cotangent);
  EXPECT_NEAR(estimates[0].value, 0.5 * std::cos(0.5) - 2 * std::sin(0.5), 1e-11);
  EXPECT_NEAR(estimates[1].value, 0.5 * -2 * std::sin(0.5) - 2 * 2 * std::cos(0.5), 1e-11);
}

TEST(Directional, IsTheGradientTimesTheDirection) {
  const std::vector<double> x{-1.2, 1.0};
  const std::vector<double> direction{0.3, -0.4};
  const auto exact = rosenbrock_gradient(x);
  const auto estimate = directional<double>(method, rosenbrock<double>, x, direction);
  EXPECT_NEAR(estimate.value, exact[0] * 0.3 - exact[1] * 0.4, 1e-9);
}

} // namespace
} // namespace assay::fdm
