// The harness as its users write it.

#include <assay/testing.hpp>

#include <cmath>
#include <numeric>

namespace {

using namespace assay;

double mul(double x, double y) {
  return x * y;
}

double norm_squared(const std::vector<double> &x) {
  return std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
}

void scale_in_place(double factor, std::vector<double> &x) {
  for (double &element : x)
    element *= factor;
}

double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t index = 0; index < x.size(); ++index)
    sum += x[index] * y[index];
  return sum;
}

void matrix_vector(std::span<const double> matrix, std::span<const double> x, std::span<double> out, int rows) {
  for (int row = 0; row < rows; ++row) {
    out[row] = 0;
    for (std::size_t column = 0; column < x.size(); ++column)
      out[row] += matrix[row * x.size() + column] * x[column];
  }
}

void multiply_add(const std::vector<float> &x, const std::vector<float> &y, std::vector<float> &sums) {
  for (std::size_t index = 0; index < x.size(); ++index)
    sums[index] += x[index] * y[index];
}

float blend(float a, float b, float t) {
  return a + t * (b - a);
}

TEST(Mul, OneCombination) {
  const double x = 1.5, y = -0.75;
  test_forward<Duplicated>(mul, arg<Duplicated>(x), arg<Const>(y));
  test_forward<DuplicatedNoNeed>(mul, arg<Duplicated>(x), arg<Duplicated>(y));
  test_reverse<Active>(mul, arg<Active>(x), y);
  test_reverse<Active>(mul, arg<Active>(x), arg<Active>(y));
}

TEST(Mul, EveryCombination) {
  const double x = 1.5, y = -0.75;
  test_forward_all(mul, x, y);
  test_reverse_all(mul, x, y);
}

TEST(Containers, VectorByConstReference) {
  const std::vector<double> x{0.5, -1.25, 2, 3};
  test_forward_all(norm_squared, x);
  test_reverse_all(norm_squared, x);
}

TEST(Containers, VectorChangedInPlace) {
  const std::vector<double> x{0.5, -1.25, 2, 3};
  test_forward_all(scale_in_place, 1.75, x);
  test_reverse_all(scale_in_place, 1.75, x);
}

// Functions of the harness have three references as well, and are no candidates.
TEST(Containers, ThreeByReference) {
  const std::vector<float> x{0.5F, -1.25F, 2}, y{1, 2, 0.25F}, sums{3, -1, 2};
  test_forward_all(multiply_add, x, y, sums);
  test_reverse_all(multiply_add, x, y, sums);
}

TEST(Containers, Spans) {
  const std::vector<double> x{0.5, -1.25, 2}, y{1, 2, 0.25};
  test_forward_all(dot, std::span(x), std::span(y));
  test_reverse_all(dot, std::span(x), std::span(y));
}

TEST(Containers, OutputSpanAndAnInteger) {
  const std::vector<double> matrix{1, 2, 3, 4, 5, 6}, x{0.5, -1, 2};
  std::vector<double> out(2);
  test_reverse<Const>(matrix_vector, arg<Duplicated>(std::span(matrix)), std::span(x), arg<Duplicated>(std::span(out)),
                      2);
  test_forward<Const>(matrix_vector, arg<Duplicated>(std::span(matrix)), std::span(x), arg<Duplicated>(std::span(out)),
                      2);
}

TEST(Options, StandInBracesBeforeTheFunction) {
  test_reverse_all({.rtol = 1e-7, .atol = 1e-7, .name = "mul"}, mul, 2.0, 3.0);
  test_forward_all({.fdm = central_fdm(7, 1), .seed = 5}, mul, 2.0, 3.0);
}

TEST(Options, BoundArgumentsAreConstant) {
  const auto shifted = [](double x, double shift) { return std::sin(x) + shift; };
  const testutils::Report report =
      check_reverse_all(TestOptions{.bound = std::tuple{2.5}, .variations = off}, shifted, 0.5);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.checked, 1U);
}

TEST(Callables, Lambda) {
  const double factor = 2.5;
  test_reverse_all([factor](double x) { return factor * std::exp(x); }, 0.5);
  test_forward_all([factor](double x) { return factor * std::exp(x); }, 0.5);
}

ASSAY_GRADIENT_TEST(Product, mul, gen::real(-2, 2), gen::positive())
ASSAY_GRADIENT_TEST(Blend, blend, gen::real<float>(-2, 2), gen::real<float>(-2, 2), gen::unit<float>())
ASSAY_GRADIENT_TEST(NormSquared, norm_squared, gen::vector(gen::real(-2, 2), 1, 6))

} // namespace
