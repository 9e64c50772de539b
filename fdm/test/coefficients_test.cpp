// Coefficients against the published tables (Fornberg 1988, "Generation of finite difference formulas on arbitrarily
// spaced grids").
#include <assay/fdm.hpp>
#include <assay/fdm/detail/exact_coefficients.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace assay::fdm {
namespace {

void expect_coefficients(const FiniteDifferenceMethod &method, const std::vector<long double> &published) {
  ASSERT_EQ(method.coefs.size(), published.size());
  for (std::size_t i = 0; i < published.size(); ++i)
    EXPECT_EQ(method.coefs[i], published[i]) << "point " << method.grid[i];
}

TEST(Coefficients, OfCentralFirstDerivativesAreThoseOfTheTables) {
  expect_coefficients(central_fdm(3, 1), {-1.0L / 2, 0, 1.0L / 2});
  expect_coefficients(central_fdm(5, 1), {1.0L / 12, -2.0L / 3, 0, 2.0L / 3, -1.0L / 12});
  expect_coefficients(central_fdm(7, 1), {-1.0L / 60, 3.0L / 20, -3.0L / 4, 0, 3.0L / 4, -3.0L / 20, 1.0L / 60});
  expect_coefficients(central_fdm(9, 1),
                      {1.0L / 280, -4.0L / 105, 1.0L / 5, -4.0L / 5, 0, 4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280});
}

TEST(Coefficients, OfCentralSecondDerivativesAreThoseOfTheTables) {
  expect_coefficients(central_fdm(3, 2), {1, -2, 1});
  expect_coefficients(central_fdm(5, 2), {-1.0L / 12, 4.0L / 3, -5.0L / 2, 4.0L / 3, -1.0L / 12});
  expect_coefficients(central_fdm(7, 2),
                      {1.0L / 90, -3.0L / 20, 3.0L / 2, -49.0L / 18, 3.0L / 2, -3.0L / 20, 1.0L / 90});
  expect_coefficients(central_fdm(9, 2), {-1.0L / 560, 8.0L / 315, -1.0L / 5, 8.0L / 5, -205.0L / 72, 8.0L / 5,
                                          -1.0L / 5, 8.0L / 315, -1.0L / 560});
}

TEST(Coefficients, OfForwardAndBackwardMethodsAreThoseOfTheTables) {
  expect_coefficients(forward_fdm(2, 1), {-1, 1});
  expect_coefficients(forward_fdm(3, 1), {-3.0L / 2, 2, -1.0L / 2});
  expect_coefficients(forward_fdm(5, 1), {-25.0L / 12, 4, -3, 4.0L / 3, -1.0L / 4});
  expect_coefficients(forward_fdm(4, 2), {2, -5, 4, -1});
  expect_coefficients(backward_fdm(3, 1), {1.0L / 2, -2, 3.0L / 2});
  expect_coefficients(backward_fdm(4, 2), {-1, 4, -5, 2});
}

TEST(Coefficients, OfHighDerivativesAreThoseOfTheTables) {
  expect_coefficients(central_fdm(5, 3), {-1.0L / 2, 1, 0, -1, 1.0L / 2});
  expect_coefficients(central_fdm(5, 4), {1, -4, 6, -4, 1});
  expect_coefficients(forward_fdm(5, 4), {1, -4, 6, -4, 1});
}

TEST(Coefficients, OfAnEvenCentralMethodLeaveOutThePointItself) {
  const auto method = central_fdm(4, 1);
  EXPECT_EQ(method.grid, (std::vector<double>{-2, -1, 1, 2}));
  expect_coefficients(method, {1.0L / 12, -2.0L / 3, 2.0L / 3, -1.0L / 12});
}

TEST(Coefficients, OnAnyGridFulfilTheirConditions) {
  const std::vector<double> grid{-1.3, -0.25, 0.1, 0.7, 2.5, 3};
  for (int derivative = 0; derivative < 6; ++derivative) {
    const auto coefs = finite_difference_coefficients(grid, derivative);
    long double factorial = 1;
    for (int k = 0; k < 6; factorial *= ++k) {
      long double sum = 0;
      for (std::size_t i = 0; i < grid.size(); ++i)
        sum += coefs[i] * std::pow(static_cast<long double>(grid[i]), k);
      EXPECT_NEAR(sum, k == derivative ? factorial : 0, 1e-13L) << "derivative " << derivative << ", power " << k;
    }
  }
}

TEST(Coefficients, ErrorMultipliersAreTheSumsOfTheErrorBound) {
  const auto method = central_fdm(3, 1);
  EXPECT_DOUBLE_EQ(method.roundoff_multiplier, 1);
  EXPECT_DOUBLE_EQ(method.truncation_multiplier, 1.0 / 6);
}

TEST(Coefficients, OfTheBoundEstimatorTakeTwoMorePointsForTheNextDerivative) {
  const auto method = central_fdm(5, 1);
  ASSERT_TRUE(method.bound_estimator);
  EXPECT_EQ(method.bound_estimator->order(), 7);
  EXPECT_EQ(method.bound_estimator->derivative, 5);
  EXPECT_FALSE(method.bound_estimator->bound_estimator);
}

TEST(Coefficients, AreRefusedForGridsThatCannotGiveThem) {
  EXPECT_THROW(central_fdm(2, 2), std::invalid_argument);
  EXPECT_THROW(central_fdm(0, 0), std::invalid_argument);
  EXPECT_THROW(forward_fdm(-3, 1), std::invalid_argument);
  EXPECT_THROW(FiniteDifferenceMethod({0, 1, 1}, 1), std::invalid_argument);
  EXPECT_THROW(FiniteDifferenceMethod({0, 1, INFINITY}, 1), std::invalid_argument);
  EXPECT_THROW(central_fdm(3, 1, {.factor = -1}), std::invalid_argument);
}

// Would catch: a system that is solved at every difference, and solutions that pile up or are those of another grid.
TEST(Coefficients, AreSolvedForOnceAndNotKeptWithoutEnd) {
  detail::CoefficientCache<double> cache;
  for (int repetition = 0; repetition < 3; ++repetition)
    EXPECT_EQ(cache.at(std::vector<double>{-1, 0, 1}, 1), (std::vector<double>{-0.5, 0, 0.5}));
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_EQ(cache.at(std::vector<double>{-1, 0, 1}, 2), (std::vector<double>{1, -2, 1}));
  EXPECT_EQ(cache.size(), 2U);
  for (int distance = 1; distance <= 1000; ++distance) {
    const std::vector<double> grid{0, static_cast<double>(distance)};
    EXPECT_EQ(cache.at(grid, 1).back(), 1.0 / distance);
    EXPECT_LE(cache.size(), cache.most);
  }
  EXPECT_EQ(cache.at(std::vector<double>{-1, 0, 1}, 1), (std::vector<double>{-0.5, 0, 0.5}));
}

} // namespace
} // namespace assay::fdm
