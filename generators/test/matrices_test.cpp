// Matrices have the properties that their names promise, at every step of shrinking.
#include <assay/generators.hpp>
#include <assay/generators/eigen.hpp>

#include "generators/test/expect_always.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <cmath>
#include <limits>

namespace assay::gen {
namespace {

constexpr double rounding = 1e-13;

Matrix<double> identity(std::size_t n) {
  Matrix<double> result{n, n, std::vector<double>(n * n)};
  for (std::size_t i = 0; i < n; ++i)
    result(i, i) = 1;
  return result;
}

bool is_orthogonal(const Matrix<double> &matrix) {
  const Eigen::MatrixXd q = to_eigen(matrix);
  return (q.transpose() * q - Eigen::MatrixXd::Identity(q.cols(), q.cols())).cwiseAbs().maxCoeff() < rounding;
}

TEST(MatrixGenerator, HasItsExtentsAndElements) {
  expect_always(matrix(2, 3, unit()), [](const Matrix<double> &m) {
    return m.rows == 2 && m.columns == 3 && m.values.size() == 6 && m(1, 2) == m.values[5] && m(0, 1) > 0;
  });
}

TEST(Symmetric, IsItsTransposeExactly) {
  expect_always(symmetric(4, real(-1, 1)), [](const Matrix<double> &m) {
    bool same = true;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        same = same && m(i, j) == m(j, i);
    return same;
  });
}

TEST(Orthogonal, HasOrthonormalColumnsAndShrinksToTheIdentity) {
  expect_always(orthogonal(5), is_orthogonal);
  expect_always(orthogonal(1), is_orthogonal);
  EXPECT_EQ(simplest(orthogonal(3)), identity(3));
}

TEST(Orthogonal, FavoursNoDirection) {
  double mean = 0, square = 0;
  constexpr std::uint32_t draws = 2000;
  for (std::uint32_t index = 0; index < draws; ++index) {
    const double first = draw(orthogonal(3), Stream({.seed = 2, .index = index})).value()(0, 0);
    mean += first / draws;
    square += first * first / draws;
  }
  EXPECT_NEAR(mean, 0, 0.05);
  EXPECT_NEAR(square, 1.0 / 3, 0.03); // Haar: E q^2 = 1 / n
}

TEST(PositiveDefinite, HasItsEigenvaluesAndIsExactlySymmetric) {
  expect_always(positive_definite(4, 1e4), [](const Matrix<double> &m) {
    const Eigen::MatrixXd a = to_eigen(m);
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a).eigenvalues();
    return a == a.transpose() && a.llt().info() == Eigen::Success && std::fabs(values.minCoeff() - 1e-4) < rounding &&
           std::fabs(values.maxCoeff() - 1) < rounding;
  });
  EXPECT_THROW(positive_definite(3, 0.5), std::invalid_argument);
}

TEST(WithCondition, HasThatConditionNumber) {
  expect_always(with_condition(5, 3, 1e6), [](const Matrix<double> &m) {
    const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(to_eigen(m)).singularValues();
    return m.rows == 5 && m.columns == 3 && std::fabs(sigma(0) / sigma(2) / 1e6 - 1) < 1e-9 &&
           std::fabs(sigma(1) - 1e-3) < rounding;
  });
}

TEST(Triangular, IsZeroOnTheOtherSideAndFarFromSingular) {
  expect_always(triangular(4, Triangle::lower, Diagonal::free, real(-1, 1)), [](const Matrix<double> &m) {
    bool holds = true;
    for (std::size_t i = 0; i < 4; ++i) {
      holds = holds && std::fabs(m(i, i)) >= 0.5 && std::fabs(m(i, i)) <= 2;
      for (std::size_t j = i + 1; j < 4; ++j)
        holds = holds && m(i, j) == 0;
    }
    return holds;
  });
  expect_always(triangular(3, Triangle::upper, Diagonal::unit, real(1, 2)), [](const Matrix<double> &m) {
    return m(0, 0) == 1 && m(2, 2) == 1 && m(1, 0) == 0 && m(2, 0) == 0 && m(0, 2) >= 1;
  });
}

TEST(Permutation, HasOneOneInEachRowAndColumn) {
  expect_always(permutation(5), [](const Matrix<double> &m) {
    bool holds = true;
    for (std::size_t i = 0; i < 5; ++i) {
      double row = 0, column = 0;
      for (std::size_t j = 0; j < 5; ++j) {
        row += m(i, j);
        column += m(j, i);
        holds = holds && (m(i, j) == 0 || m(i, j) == 1);
      }
      holds = holds && row == 1 && column == 1;
    }
    return holds;
  });
  EXPECT_EQ(simplest(permutation(4)), identity(4));
}

TEST(Precisions, AllHaveTheSameKinds) {
  const auto single = draw(positive_definite<float>(3), Stream({.seed = 1})).value();
  const auto extended = draw(orthogonal<long double>(3), Stream({.seed = 1})).value();
  EXPECT_TRUE(to_eigen(single).llt().info() == Eigen::Success);
  const auto q = to_eigen(extended);
  EXPECT_LT(double((q.transpose() * q - decltype(q)::Identity(3, 3)).cwiseAbs().maxCoeff()), 1e-17);
}

} // namespace
} // namespace assay::gen
