// Every kind of argument, result and callable that the harness takes.

#include <assay/testing.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace {

using namespace assay;

/// Everything passes; in the plain form there are so many combinations.
template <class Report>
void expect_checked(const Report &report, std::size_t combinations) {
  std::size_t plain = 0;
  for (const testutils::Record &record : report.records)
    plain += record.combination.width == 1 && record.combination.form == testutils::Form::combined;
  for (const testutils::Record &record : report.records)
    EXPECT_EQ(record.verdict, testutils::Verdict::pass) << testutils::failure_message(report.signature, record);
  EXPECT_EQ(plain, combinations);
}

template <class Real>
Real damped(Real x, Real rate) {
  return std::exp(-rate * x) * std::sin(x);
}

TEST(Scalars, FloatDoubleAndLongDouble) {
  expect_checked(check_reverse_all(damped<float>, 0.75F, 0.5F), 3);
  expect_checked(check_reverse_all(damped<double>, 0.75, 0.5), 3);
  expect_checked(check_reverse_all(damped<long double>, 0.75L, 0.5L), 3);
  expect_checked(check_forward_all(damped<float>, 0.75F, 0.5F), 6);
  expect_checked(check_forward_all(damped<long double>, 0.75L, 0.5L), 6);
}

void accumulate(double x, double &sum) {
  sum += x * x * sum;
}

TEST(Scalars, ScalarThatIsChangedThroughItsReference) {
  expect_checked(check_forward_all(accumulate, 1.5, 0.5), 4);
  expect_checked(check_reverse_all(accumulate, 1.5, 0.5), 4);
}

double mixed(float a, double b, int power) {
  return std::pow(b, power) * static_cast<double>(a);
}

TEST(Scalars, FloatDoubleAndAnIntegerTogether) {
  expect_checked(check_forward_all(mixed, 1.25F, 0.75, 3), 6);
  expect_checked(check_reverse_all(mixed, 1.25F, 0.75, 3), 3);
}

double array_norm(const std::array<double, 3> &x) {
  return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

TEST(Containers, ArrayByConstReference) {
  expect_checked(check_forward_all(array_norm, std::array{1.0, 2.0, -0.5}), 2);
  expect_checked(check_reverse_all(array_norm, std::array{1.0, 2.0, -0.5}), 1);
}

std::array<double, 2> polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

TEST(Containers, ArrayAsResult) {
  expect_checked(check_forward_all(polar, 1.5, 0.75), 6);
  expect_checked(check_reverse_all(polar, 1.5, 0.75), 3);
}

double weighted(const std::vector<std::vector<double>> &rows) {
  double sum = 0;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (const double element : rows[row])
      sum += static_cast<double>(row + 1) * element * element;
  return sum;
}

TEST(Containers, VectorOfVectors) {
  const std::vector<std::vector<double>> rows{{1, 2}, {-0.5, 0.25, 3}};
  expect_checked(check_forward_all(weighted, rows), 2);
  expect_checked(check_reverse_all(weighted, rows), 1);
}

void smooth(std::span<float> x) {
  for (std::size_t index = 1; index + 1 < x.size(); ++index)
    x[index] = 0.25F * x[index - 1] + 0.5F * x[index] + 0.25F * x[index + 1];
}

TEST(Containers, SpanOfFloatChangedInPlace) {
  std::vector<float> x{1, 4, 2, -3, 0.5};
  expect_checked(check_forward_all(smooth, std::span(x)), 2);
  expect_checked(check_reverse_all(smooth, std::span(x)), 2);
  EXPECT_EQ(x, (std::vector<float>{1, 4, 2, -3, 0.5}));
}

struct Polynomial {
  double a, b;
  double operator()(double x) const { return a * x * x + b * x; }
};

TEST(Callables, FunctionObjectWithStateThatIsAnArgument) {
  expect_checked(check_forward_all(Polynomial{2, -1}, 0.5), 6);
  expect_checked(check_reverse_all(Polynomial{2, -1}, 0.5), 3);
}

TEST(Callables, GenericLambda) {
  const auto product = [](auto x, auto y) { return x * y * std::numbers::pi; };
  expect_checked(check_forward_all(product, 0.5, 2.0), 6);
  expect_checked(check_reverse_all(product, 0.5, 2.0), 3);
}

TEST(Callables, LambdaThatRefersToAVector) {
  const std::vector<double> weights{1, 2, 3};
  const auto evaluate = [&](double x) { return weights[0] + x * (weights[1] + x * weights[2]); };
  expect_checked(check_forward_all(evaluate, 0.5), 2);
  expect_checked(check_reverse_all(evaluate, 0.5), 1);
}

double of_seven(double a, double b, double c, double d, double e, double f, double g) {
  return a * b + c * d + e * f * g;
}

TEST(Scalars, MoreThanSixAreCheckedTogetherEachWithoutAndEachAlone) {
  expect_checked(check_forward_all(of_seven, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), 30);
  expect_checked(check_reverse_all(of_seven, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), 15);
}

double branches(double x) {
  return x > 1 ? x * x : std::exp(x);
}

ASSAY_GRADIENT_TEST(Branches, branches, gen::real(-2, 2))
ASSAY_GRADIENT_TEST_WITH(FewSamples, (TestOptions{.samples = 2U}), branches, gen::real(-2, 2))
ASSAY_GRADIENT_TEST(FloatPair, damped<float>, gen::real<float>(-2, 2), gen::unit<float>())

} // namespace
