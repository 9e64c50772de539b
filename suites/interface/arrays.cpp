// Arrays of C as arguments: for parameters that are pointers, and for those that are references to arrays.

#include <array>
#include <assay/autodiff.hpp>
#include <gtest/gtest.h>
#include <utility>

namespace {

using namespace assay;

double weighted(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * x[i] * x[i];
  return sum;
}
double product(const double (&x)[3]) {
  return x[0] * x[1] * x[2];
}
void squares(double (&x)[3]) {
  for (double &each : x)
    each *= each;
}
double determinant(double x[2][2]) {
  return x[0][0] * x[1][1] - x[0][1] * x[1][0];
}
void copy_squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}

template <std::size_t N>
void expect_numbers(const double (&seen)[N], const std::array<double, N> &expected) {
  for (std::size_t i = 0; i < N; ++i)
    EXPECT_EQ(seen[i], expected[i]) << i;
}

struct ArraysOfC : testing::Test {
  double x[3] = {1, 2, 3};
  double dx[3] = {};
  double tangent[3] = {1, 0, 2};
};

TEST_F(ArraysOfC, for_pointers) {
  autodiff<Reverse>(weighted, Duplicated{x, dx}, Const{3});
  expect_numbers(dx, {2, 8, 18});
  EXPECT_EQ(autodiff<Forward>(weighted, Duplicated{x, tangent}, Const{3}).derivative, 38);
}

TEST_F(ArraysOfC, of_constants) {
  autodiff<Reverse>(weighted, Duplicated{std::as_const(x), dx}, Const{3});
  expect_numbers(dx, {2, 8, 18});
  const auto result = autodiff<Reverse>([](const double *v, double s) { return v[1] * s; }, Const{x}, Active{2.0});
  EXPECT_EQ(std::get<1>(result.gradient), 2);
}

TEST_F(ArraysOfC, beside_pointers) {
  const double *values = x;
  double *shadow = dx;
  autodiff<Reverse>(weighted, Duplicated{values, dx}, Const{3});
  autodiff<Reverse>(weighted, Duplicated{x, shadow}, Const{3});
  expect_numbers(dx, {4, 16, 36});
}

TEST_F(ArraysOfC, for_references) {
  autodiff<Reverse>(product, Duplicated{x, dx});
  expect_numbers(dx, {6, 3, 2});
  EXPECT_EQ(autodiff<Forward>(product, Duplicated{x, tangent}).derivative, 10);
}

TEST_F(ArraysOfC, that_are_written) {
  double adjoint[3] = {1, 1, 1};
  autodiff<Reverse>(squares, Duplicated{x, adjoint});
  expect_numbers(adjoint, {2, 4, 6});
  double y[3], dy[3] = {1, 10, 100}, z[3] = {1, 2, 3};
  autodiff<Reverse>(copy_squares, Duplicated{z, dx}, DuplicatedNoNeed{y, dy}, Const{3});
  expect_numbers(dx, {2, 40, 600});
}

TEST_F(ArraysOfC, of_arrays) {
  double a[2][2] = {{1, 2}, {3, 4}}, da[2][2] = {};
  autodiff<Reverse>(determinant, Duplicated{a, da});
  expect_numbers(da[0], {4, -3});
  expect_numbers(da[1], {-2, 1});
  double row[2] = {};
  autodiff<Reverse>(weighted, Duplicated{a[1], row}, Const{2});
  expect_numbers(row, {6, 16});
}

TEST_F(ArraysOfC, HaveGradientsOfTheirShape) {
  EXPECT_EQ(gradient<Reverse>(product, x), (std::array{6.0, 3.0, 2.0}));
  EXPECT_EQ(gradient<Forward>(product, x), (std::array{6.0, 3.0, 2.0}));
  EXPECT_EQ((gradient<Forward, Chunk<2>>(product, x)), (std::array{6.0, 3.0, 2.0}));
  double dx[3] = {7, 7, 7};
  gradient(Reverse, dx, product, x);
  expect_numbers(dx, {6, 3, 2});
  std::array<double, 3> beside{};
  EXPECT_EQ(gradient(Reverse, beside, product, x)[0], 6);
  double rows[2][2] = {{1, 2}, {3, 4}};
  const auto of_rows = gradient<ReverseWithPrimal>(determinant, rows);
  EXPECT_EQ(of_rows.primal, -2);
  EXPECT_EQ(of_rows.gradient, (std::array{std::array{4.0, -3.0}, std::array{-2.0, 1.0}}));
  const auto along = [](const double *p) { return std::array{p[0] * p[1], p[2]}; };
  EXPECT_EQ(gradient<Forward>(along, x)[1], (std::array{1.0, 0.0}));
}

TEST_F(ArraysOfC, HaveJacobiansAndSecondDerivatives) {
  const auto into = [](double (&y)[2], const double (&p)[3]) {
    y[0] = p[0] * p[1];
    y[1] = p[2];
  };
  double y[2] = {};
  EXPECT_EQ(jacobian<Forward>(into, y, x)(0, 0), 2);
  EXPECT_EQ((jacobian<Reverse, Outputs<2>, Chunk<2>>(into, y, x)(1, 2)), 1);
  EXPECT_EQ(y[0], 2);
  EXPECT_EQ(jacobian<Reverse>(product, x)(0, 1), 3);
  EXPECT_EQ(hessian<Chunk<2>>(product, x)(0, 2), 2);
  const double direction[3] = {1, 0, 0};
  EXPECT_EQ(hvp(product, x, direction), (std::array{0.0, 3.0, 2.0}));
  EXPECT_EQ(hvp(product, x, (std::array{0.0, 1.0, 0.0}))[0], 3);
}

TEST_F(ArraysOfC, OfStructsShareWhatTheyReferTo) {
  struct Part {
    double factor;
    std::vector<double> *numbers;
  };
  std::vector<double> shared{5, 6};
  const Part parts[2] = {{2, &shared}, {3, &shared}};
  const auto value = [](const Part(&p)[2]) { return p[0].factor * (*p[1].numbers)[1]; };
  const auto g = gradient<Reverse>(value, parts);
  EXPECT_EQ((*g)[0].factor, 6);
  EXPECT_EQ((*(*g)[0].numbers)[1], 2);
  EXPECT_EQ((*g)[0].numbers, (*g)[1].numbers);
}

} // namespace
