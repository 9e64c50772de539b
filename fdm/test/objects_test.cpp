// Gradients and products of functions of structs and containers, against closed forms.
#include <assay/eigen.hpp>
#include <assay/fdm.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

namespace assay::fdm {
namespace {

const auto method = central_fdm(5, 1);

struct Layer {
  std::vector<double> weight;
  double bias;
  int power;
  const double scale = 2;
};

double loss(const Layer &layer, double x) {
  return layer.scale * layer.weight[0] * layer.weight[1] * x + std::pow(layer.bias, layer.power);
}

TEST(GradOfObjects, HasTheShapeOfTheArguments) {
  const Layer layer{{2, 3}, 0.5, 3};
  const auto result = grad(method, loss, layer, 1.5);
  const auto &[by_layer, by_x] = result.value;
  EXPECT_TRUE(result.reliable());
  EXPECT_NEAR(by_layer.weight[0], 9, 1e-10);
  EXPECT_NEAR(by_layer.weight[1], 6, 1e-10);
  EXPECT_NEAR(by_layer.bias, 0.75, 1e-11);
  EXPECT_EQ(by_layer.power, 3);
  EXPECT_NEAR(by_x, 12, 1e-10);
  EXPECT_LT(std::get<0>(result.error).bias, 1e-9);
}

TEST(GradOfObjects, OfOneArgumentIsNoTuple) {
  const auto norm = [](const std::array<float, 2> &x) { return x[0] * x[0] + 3 * x[1]; };
  const std::array<float, 2> by_x = grad(method, norm, std::array{1.5F, 2.0F}).value;
  EXPECT_NEAR(by_x[0], 3, 1e-3);
  EXPECT_NEAR(by_x[1], 3, 1e-3);
}

TEST(GradOfObjects, TakesSharedMemoryAsOneVariable) {
  const auto buffer = std::make_shared<std::vector<double>>(std::vector<double>{3});
  using Buffer = std::shared_ptr<std::vector<double>>;
  const auto product = [](const Buffer &a, const Buffer &b) { return (*a)[0] * (*b)[0]; };
  const auto [by_a, by_b] = grad(method, product, buffer, buffer).value;
  EXPECT_EQ(by_a, by_b);
  EXPECT_NEAR((*by_a)[0], 6, 1e-10);
}

TEST(GradOfObjects, ByAComplexNumberHasBothParts) {
  const auto f = [](std::complex<double> z) { return z.real() * z.real() * z.imag(); };
  const std::complex<double> by_z = grad(method, f, std::complex(2.0, 3.0)).value;
  EXPECT_NEAR(by_z.real(), 12, 1e-10);
  EXPECT_NEAR(by_z.imag(), 4, 1e-10);
}

TEST(GradOfObjects, OfASymmetricMatrixIsThatOfItsTriangle) {
  Eigen::Matrix2d matrix;
  matrix << 1, 2, -7, 4; // The lower triangle is not looked at.
  const auto sum = [](const auto &triangle) {
    auto copy = triangle;
    return Eigen::Matrix2d(copy.view()).sum();
  };
  const OwnedTriangle<Eigen::SelfAdjointView<Eigen::Matrix2d, Eigen::Upper>> upper{matrix};
  EXPECT_EQ(numbers_of(upper).size(), 3U);
  const auto by_matrix = grad(method, sum, upper).value;
  EXPECT_NEAR(by_matrix.matrix(0, 0), 1, 1e-10);
  EXPECT_NEAR(by_matrix.matrix(0, 1), 2, 1e-10);
}

std::vector<double> polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

TEST(JacobianOfObjects, IsSplitByArgument) {
  const auto [by_radius, by_angle] = jacobian(method, polar, 2.0, 0.5);
  EXPECT_EQ(by_radius.rows, 2U);
  EXPECT_EQ(by_radius.columns, 1U);
  EXPECT_NEAR(by_radius(1, 0).value, std::sin(0.5), 1e-11);
  EXPECT_NEAR(by_angle(0, 0).value, -2 * std::sin(0.5), 1e-11);
}

TEST(JacobianOfObjects, OfOneArgumentIsOneMatrix) {
  const auto squares = [](const std::vector<double> &x) { return std::vector<double>{x[0] * x[0], x[0] * x[1]}; };
  const auto matrix = jacobian(method, squares, std::vector<double>{2, 3});
  EXPECT_NEAR(matrix(0, 0).value, 4, 1e-11);
  EXPECT_EQ(matrix(0, 1).value, 0);
  EXPECT_NEAR(matrix(1, 0).value, 3, 1e-11);
  EXPECT_NEAR(matrix(1, 1).value, 2, 1e-11);
}

TEST(JvpOfObjects, HasTheShapeOfTheResult) {
  const auto result = jvp(method, polar, std::pair{2.0, 0.25}, std::pair{0.5, -1.0});
  EXPECT_NEAR(result.value[0], 0.25 * std::cos(0.5) + 2 * std::sin(0.5), 1e-10);
  EXPECT_NEAR(result.value[1], 0.25 * std::sin(0.5) - 2 * std::cos(0.5), 1e-10);
  EXPECT_LT(result.error[0], 1e-8);
  const double slope = jvp(method, [](double x) { return x * x; }, std::pair{3.0, 2.0}).value;
  EXPECT_NEAR(slope, 12, 1e-10);
}

TEST(JPrimeVp, HasTheShapeOfTheArguments) {
  const std::vector<double> seed{0.5, -2};
  const auto [by_radius, by_angle] = j_prime_vp(method, polar, seed, 2.0, 0.5).value;
  EXPECT_NEAR(by_radius, 0.5 * std::cos(0.5) - 2 * std::sin(0.5), 1e-11);
  EXPECT_NEAR(by_angle, -std::sin(0.5) - 4 * std::cos(0.5), 1e-11);
}

TEST(JPrimeVp, IsTheTransposeOfJvp) {
  const double along =
      jvp(method, loss, std::pair{Layer{{2, 3}, 0.5, 3}, Layer{{1, -1}, 2, 3}}, std::pair{1.5, 0.5}).value;
  const auto back = j_prime_vp(method, loss, 1.0, Layer{{2, 3}, 0.5, 3}, 1.5).value;
  const Layer &by_layer = std::get<0>(back);
  EXPECT_NEAR(along, by_layer.weight[0] - by_layer.weight[1] + 2 * by_layer.bias + 0.5 * std::get<1>(back), 1e-9);
}

TEST(ShapesOfObjects, ThatDoNotFitAreRefused) {
  EXPECT_THROW(j_prime_vp(method, polar, std::vector<double>{1}, 2.0, 0.5), std::invalid_argument);
  const auto first = [](const std::vector<double> &x) { return x[0]; };
  EXPECT_THROW(jvp(method, first, std::pair{std::vector<double>{1, 2}, std::vector<double>{1}}), std::invalid_argument);
}

} // namespace
} // namespace assay::fdm
