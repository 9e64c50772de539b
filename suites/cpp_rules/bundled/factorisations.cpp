// The rules of factorisations of matrices; against what defines them.
#include "bundled.hpp"
#include <assay/rules/cholesky.hpp>
#include <assay/rules/inverse.hpp>
#include <assay/rules/logdet.hpp>
#include <assay/rules/lu.hpp>
#include <assay/rules/qr.hpp>

using namespace assay;
using bundled::compare_modes;
using bundled::weighed;

namespace {

using Matrix = Eigen::MatrixXd;
using Rows = std::vector<double>;

const Matrix square{{4, 1, 2}, {0.5, 3, -1}, {0.3, 0.7, 5}};
const Matrix tall{{4, 1}, {0.5, 3}, {0.3, 0.7}};
const Rows rows{4, 1, 2, 3};

TEST(Factorisations, Inverse) {
  compare_modes("inverse", [](const Matrix &a) { return weighed(rules::inverse(a)); }, square);
  // d tr(A^-1) / dA = -A^-2, transposed
  const std::array<double, 4> a{2, 1, 1, 1};
  std::array<double, 4> da{};
  autodiff<Reverse>(
      [](const std::array<double, 4> &x) {
        const auto y = rules::inverse(x);
        return y[0] + y[3];
      },
      Duplicated{a, da});
  EXPECT_NEAR(da[0], -2, 1e-14);
  EXPECT_NEAR(da[1], 3, 1e-14);
  EXPECT_NEAR(da[3], -5, 1e-14);
}

TEST(Factorisations, LogDeterminant) {
  compare_modes("logdet", [](const Rows &a) { return rules::logdet(a); }, rows);
  const Rows mirrored{0, 2, 1, 0}; // det = -2
  Rows da(4);
  autodiff<Reverse>([](const Rows &a) { return rules::logdet(a); }, Duplicated{mirrored, da});
  EXPECT_EQ(da, (Rows{0, 0.5, 1, 0}));
  EXPECT_THROW(rules::logdet(Rows{1, 2, 3}), std::invalid_argument);
}

TEST(Factorisations, Cholesky) {
  compare_modes("cholesky", [](const Rows &a) { return weighed(rules::cholesky(a)); }, rows);
  // L L^T = A: the tangents fit, and what stands above the diagonal counts for nothing
  Matrix da = Matrix::Zero(3, 3);
  const Matrix a = square + square.transpose();
  autodiff<Reverse>([](const Matrix &x) { return rules::cholesky(x)(0, 0); }, Duplicated{a, da});
  EXPECT_NEAR(da(0, 0), 0.5 / std::sqrt(8), 1e-15);
  EXPECT_EQ(da(0, 1), 0);
  EXPECT_TRUE(std::isnan(rules::cholesky(Rows{1, 2, 2, 1})[0]));
}

TEST(Factorisations, LU) {
  compare_modes("lu", [](const Matrix &a) { return weighed(rules::lu(a).packed); }, square);
  const auto y = rules::lu(Rows{1, 2, 4, 3}); // the second row is the pivot
  EXPECT_EQ(y.rows, (std::vector<int>{1, 0}));
  Rows da(4);
  const Rows a{1, 2, 4, 3};
  autodiff<Reverse>([](const Rows &x) { return rules::lu(x).packed[2]; }, Duplicated{a, da}); // a_00 / a_10
  EXPECT_NEAR(da[0], 0.25, 1e-15);
  EXPECT_NEAR(da[2], -1.0 / 16, 1e-15);
}

TEST(Factorisations, QR) {
  const auto both = [](const Matrix &a) {
    const auto y = rules::qr(a);
    return weighed(y.q) + 0.5 * weighed(y.r);
  };
  compare_modes("qr", both, tall);
  const auto y = rules::qr(tall);
  EXPECT_LT((y.q * y.r - tall).norm(), 1e-14);
  EXPECT_GT(y.r(0, 0), 0);
}

} // namespace
