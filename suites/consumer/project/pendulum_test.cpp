#include "pendulum.hpp"
#include <assay/autodiff.hpp>
#include <assay/testing.hpp>
#include <gtest/gtest.h>

using namespace assay;

TEST(Pendulum, GradientMatchesADifferenceQuotient) {
  const auto result = autodiff<Reverse>(swing, Active{0.7}, Active{0.2}, Const{50});
  const double h = 1e-5;
  EXPECT_NEAR(std::get<0>(result.gradient), (swing(0.7 + h, 0.2, 50) - swing(0.7 - h, 0.2, 50)) / (2 * h), 1e-9);
  EXPECT_NEAR(std::get<1>(result.gradient), (swing(0.7, 0.2 + h, 50) - swing(0.7, 0.2 - h, 50)) / (2 * h), 1e-9);
}

TEST(Pendulum, PassesTheHarnessInEveryCombination) {
  test_forward_all(swing, 0.7, 0.2, 50);
  test_reverse_all(swing, 0.7, 0.2, 50);
}
