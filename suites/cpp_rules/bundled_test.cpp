// The rules of <assay/rules/...>, each through test_rule or against a closed form.
#include <array>
#include <assay/autodiff.hpp>
#include <assay/rules/integral.hpp>
#include <assay/rules/logsumexp.hpp>
#include <assay/rules/norm.hpp>
#include <assay/rules/root.hpp>
#include <assay/rules/softmax.hpp>
#include <assay/rules/solve.hpp>
#include <assay/rules/sort.hpp>
#include <gtest/gtest.h>

using namespace assay;

namespace {

TEST(BundledRules, Logsumexp) {
  const std::vector<double> x{1000, 1001};
  std::vector<double> dx(2);
  autodiff<Reverse>(rules::logsumexp<std::vector<double>>, Duplicated{x, dx});
  EXPECT_NEAR(dx[0], 1 / (1 + std::exp(1)), 1e-14);
  EXPECT_NEAR(dx[0] + dx[1], 1, 1e-14);
  EXPECT_NEAR(
      autodiff<Forward>(rules::logsumexp<std::vector<double>>, Duplicated{x, std::vector<double>{1, 1}}).derivative, 1,
      1e-14);
}

TEST(BundledRules, Softmax) {
  const auto f = [](const std::vector<double> &v) {
    const auto y = rules::softmax(v);
    return y[0] + 2 * y[1];
  };
  std::vector<double> x{0.3, 1.1, -0.5};
  std::vector<double> dx(3);
  autodiff<Reverse>(f, Duplicated{x, dx});
  const auto y = rules::softmax(x);
  const double mean = y[0] + 2 * y[1];
  EXPECT_NEAR(dx[0], y[0] * (1 - mean), 1e-15);
  EXPECT_NEAR(dx[1], y[1] * (2 - mean), 1e-15);
  EXPECT_NEAR(dx[2], y[2] * -mean, 1e-15);
  EXPECT_NEAR(autodiff<Forward>(f, Duplicated{x, std::vector<double>{0, 1, 0}}).derivative, dx[1], 1e-15);
}

TEST(BundledRules, NormAtZero) {
  std::array<double, 2> x{0, 0};
  std::array<double, 2> dx{0, 0};
  autodiff<Reverse>(rules::norm<std::array<double, 2>>, Duplicated{x, dx});
  EXPECT_EQ(dx[0], 0);
  x = {3, 4};
  autodiff<Reverse>(rules::norm<std::array<double, 2>>, Duplicated{x, dx});
  EXPECT_NEAR(dx[1], 0.8, 1e-15);
  EXPECT_NEAR(
      autodiff<Forward>(rules::norm<std::array<double, 2>>, Duplicated{x, std::array<double, 2>{1, 0}}).derivative, 0.6,
      1e-15);
}

TEST(BundledRules, Sort) {
  const auto f = [](const std::vector<double> &v) {
    const auto y = rules::sorted(v);
    return y[0] + 10 * y[1] + 100 * y[2];
  };
  const std::vector<double> x{3, 1, 2};
  std::vector<double> dx(3);
  autodiff<Reverse>(f, Duplicated{x, dx});
  EXPECT_EQ(dx, (std::vector<double>{100, 1, 10}));
  EXPECT_EQ(autodiff<Forward>(f, Duplicated{x, std::vector<double>{0, 0, 1}}).derivative, 10);
}

struct SquareRoot {
  double operator()(double x, double p) const { return x * x - p; }
};

TEST(BundledRules, Root) {
  const SquareRoot f;
  const auto g = autodiff<ReverseWithPrimal>(rules::root<SquareRoot>, Const{f}, Const{1.0}, Active{2.0});
  EXPECT_NEAR(g.primal, std::sqrt(2), 1e-15);
  EXPECT_NEAR(get<2>(g.gradient), 0.5 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(autodiff<Forward>(rules::root<SquareRoot>, Const{f}, Const{1.0}, Duplicated{2.0, 1.0}).derivative,
              0.5 / std::sqrt(2), 1e-15);
}

struct Cosine {
  double operator()(double x) const { return std::cos(x); }
};

TEST(BundledRules, Integral) {
  const Cosine f;
  const auto g = autodiff<Reverse>(rules::integral<Cosine>, Const{f}, Active{0.5}, Active{1.5}, Const{4}).gradient;
  EXPECT_EQ(get<1>(g), -std::cos(0.5));
  EXPECT_EQ(get<2>(g), std::cos(1.5));
}

TEST(BundledRules, Solve) {
  rules::Matrix a(2, 2);
  a << 4, 1, 2, 3;
  rules::Vector b(2);
  b << 1, 2;
  rules::Matrix da = rules::Matrix::Zero(2, 2);
  rules::Vector db = rules::Vector::Zero(2);
  const auto f = [](const rules::Matrix &m, const rules::Vector &v) {
    const rules::Vector x = rules::solve(m, v);
    return x[0] + 2 * x[1];
  };
  autodiff<Reverse>(f, Duplicated{a, da}, Duplicated{b, db});
  // x = (0.1, 0.6); w = A^-T (1, 2) = (-0.1, 0.7)
  EXPECT_NEAR(db[0], -0.1, 1e-15);
  EXPECT_NEAR(db[1], 0.7, 1e-15);
  EXPECT_NEAR(da(0, 0), 0.01, 1e-15);
  EXPECT_NEAR(da(1, 0), -0.07, 1e-15);
  EXPECT_NEAR(da(0, 1), 0.06, 1e-15);
  rules::Matrix ta = rules::Matrix::Zero(2, 2);
  ta(0, 1) = 1;
  EXPECT_NEAR(autodiff<Forward>(f, Duplicated{a, ta}, Const{b}).derivative, 0.06, 1e-15);
}

} // namespace
