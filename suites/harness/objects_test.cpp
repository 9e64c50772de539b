// Gradients of functions of structs, complex numbers, matrices and shared memory, as users write such tests.

#include <assay/eigen.hpp>
#include <assay/testing.hpp>

#include <cmath>
#include <complex>
#include <memory>
#include <tuple>

namespace {

using namespace assay;

struct Layer {
  std::vector<double> weight;
  double bias;
  int count;
  const double rate = 0.5;
};

double dense(const Layer &layer, double x) {
  double sum = layer.bias;
  for (int i = 0; i < layer.count; ++i)
    sum += layer.rate * layer.weight[i] * x;
  return std::sin(sum);
}

void decay(Layer &layer, double factor) {
  for (double &weight : layer.weight)
    weight *= factor;
  layer.bias += factor * factor;
}

TEST(Struct, ReadByReference) {
  const Layer layer{{0.5, -1.25, 2}, 0.75, 3};
  test_forward_all(dense, layer, 0.3);
  test_reverse_all(dense, layer, 0.3);
}

TEST(Struct, WrittenByReference) {
  const Layer layer{{0.5, -1.25}, 0.75, 2};
  test_forward_all(decay, layer, 1.5);
  test_reverse_all(decay, layer, 1.5);
}

double forgets_bias(const Layer &layer) {
  return layer.weight[0] * layer.weight[1] + layer.bias;
}

TEST(Struct, AWrongElementIsNamedByItsPath) {
  const Layer layer{{0.5, -1.25}, 0.75, 2};
  const testutils::Report report = check_reverse_all({.fdm = central_fdm(5, 1)}, forgets_bias, layer);
  EXPECT_TRUE(report.ok());
  ASSERT_FALSE(report.records.empty());
  std::vector<std::string> paths;
  for (const testutils::Comparison &row : report.records.front().worst)
    paths.push_back(row.path);
  std::sort(paths.begin(), paths.end());
  EXPECT_EQ(paths, (std::vector<std::string>{"x1.bias", "x1.weight[0]", "x1.weight[1]"}));
}

struct Mixed {
  float coarse;
  double fine;
};

double product(const Mixed &mixed) {
  return static_cast<double>(mixed.coarse) * mixed.fine;
}

TEST(Struct, MembersOfDifferentPrecisionKeepTheirOwn) {
  test_reverse_all(product, Mixed{0.3F, 1.0 / 3});
  test_forward_all(product, Mixed{0.3F, 1.0 / 3});
}

double squared_length(const std::complex<double> &z) {
  return z.real() * z.real() + 3 * z.imag() * z.imag();
}

TEST(Complex, ByReference) {
  test_reverse_all(squared_length, std::complex<double>(0.5, -1.5));
  test_forward_all(squared_length, std::complex<double>(0.5, -1.5));
}

struct Pair {
  std::shared_ptr<std::vector<double>> first, second;
};

double inner(const Pair &pair) {
  double sum = 0;
  for (std::size_t i = 0; i < pair.first->size(); ++i)
    sum += (*pair.first)[i] * (*pair.second)[i];
  return sum;
}

TEST(Sharing, ABufferThatIsReachedTwiceIsOneVariable) {
  const auto buffer = std::make_shared<std::vector<double>>(std::vector<double>{1, 2, 3});
  test_reverse_all(inner, Pair{buffer, buffer});
  test_forward_all(inner, Pair{buffer, buffer});
}

struct Window {
  std::span<double> cells;
  double weight;
};

void blur(const Window &window) {
  for (std::size_t i = 1; i < window.cells.size(); ++i)
    window.cells[i] += window.weight * window.cells[i - 1];
}

TEST(Sharing, MemoryBehindASpanInAStructIsInputAndOutput) {
  std::vector<double> cells{1, 2, 3};
  const Window window{cells, 0.25};
  test_reverse_all(blur, window);
  test_forward_all(blur, window);
  EXPECT_EQ(cells, (std::vector<double>{1, 2, 3}));
}

double quadratic_form(const Eigen::Matrix2d &matrix, const Eigen::Vector2d &x) {
  return x.dot(matrix * x);
}

TEST(Eigen, MatricesOfFixedSize) {
  Eigen::Matrix2d matrix;
  matrix << 1, 2, 3, 4;
  test_reverse_all(quadratic_form, matrix, Eigen::Vector2d(0.5, -1));
  test_forward_all(quadratic_form, matrix, Eigen::Vector2d(0.5, -1));
}

double squared_norm(const Eigen::MatrixXd &matrix) {
  return matrix.squaredNorm();
}

TEST(Eigen, MatricesOfDynamicSize) {
  const Eigen::MatrixXd matrix = Eigen::MatrixXd::Constant(2, 3, 1.5);
  test_reverse_all(squared_norm, matrix);
  test_forward_all(squared_norm, matrix);
}

struct Point {
  double x, y;
};

Point turned(double angle, double length) {
  return {length * std::cos(angle), length * std::sin(angle)};
}

TEST(Struct, AsResult) {
  test_reverse_all(turned, 0.5, 2.0);
  test_forward_all(turned, 0.5, 2.0);
}

} // namespace
