// The rules of factorisations of matrices; against what defines them.
#include "bundled.hpp"
#include <assay/rules/cholesky.hpp>
#include <assay/rules/eigensystem.hpp>
#include <assay/rules/exponential.hpp>
#include <assay/rules/inverse.hpp>
#include <assay/rules/logdet.hpp>
#include <assay/rules/lu.hpp>
#include <assay/rules/qr.hpp>
#include <assay/rules/solve.hpp>
#include <assay/rules/sparse_solve.hpp>
#include <assay/rules/svd.hpp>

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

/// Values and both derivatives of a function of a matrix without elements.
template <class F>
void expect_zero_of_nothing(const F &f) {
  const Matrix nothing(0, 0);
  Matrix shadow(0, 0);
  EXPECT_EQ(autodiff<ReverseWithPrimal>(f, Duplicated{nothing, shadow}).primal, 0);
  EXPECT_EQ(autodiff<Forward>(f, Duplicated{nothing, shadow}).derivative, 0);
}
TEST(Factorisations, OfMatricesWithoutElements) {
  expect_zero_of_nothing([](const Matrix &a) { return rules::logdet(a) + rules::inverse(a).sum(); });
  expect_zero_of_nothing([](const Matrix &a) { return rules::cholesky(a).sum() + rules::lu(a).packed.sum(); });
  expect_zero_of_nothing([](const Matrix &a) { return rules::qr(a).r.sum() + rules::svd(a).values.sum(); });
  expect_zero_of_nothing([](const Matrix &a) { return rules::eigensystem(a).values.sum(); });
  expect_zero_of_nothing([](const Matrix &a) { return rules::exponential(a).sum(); });
  const Eigen::VectorXd none(0);
  EXPECT_EQ(rules::solve(Matrix(0, 0), none).size(), 0);
  EXPECT_EQ(rules::sparse_solve(rules::SparseMatrix(0, 0), none).size(), 0);
}
TEST(Factorisations, RefuseMatricesThatAreNotSquare) {
  const Matrix wide = Matrix::Ones(2, 3);
  EXPECT_THROW(rules::inverse(wide), std::invalid_argument);
  EXPECT_THROW(rules::logdet(wide), std::invalid_argument);
  EXPECT_THROW(rules::cholesky(wide), std::invalid_argument);
  EXPECT_THROW(rules::lu(wide), std::invalid_argument);
  EXPECT_THROW(rules::eigensystem(wide), std::invalid_argument);
  EXPECT_THROW(rules::exponential(wide), std::invalid_argument);
  const Eigen::VectorXd two = Eigen::VectorXd::Ones(2), three = Eigen::VectorXd::Ones(3);
  EXPECT_THROW(rules::solve(wide, two), std::invalid_argument);
  EXPECT_THROW(rules::solve(Matrix(Matrix::Identity(2, 2)), three), std::invalid_argument);
  rules::SparseMatrix sparse(2, 2);
  sparse.setIdentity();
  EXPECT_THROW(rules::sparse_solve(sparse, three), std::invalid_argument);
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
  const Matrix wide = tall.transpose();
  compare_modes("qr of more columns than rows", both, wide);
  const auto z = rules::qr(wide);
  EXPECT_EQ(z.q.cols(), wide.rows());
  EXPECT_LT((z.q * z.r - wide).norm(), 1e-14);
}

} // namespace
