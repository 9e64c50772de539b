// Would catch: an entry of a structured matrix that is not stored and is taken for a number.
#include <assay/eigen.hpp>
#include <assay/make_zero.hpp>
#include <assay/to_vec.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace assay;
using Numbers = std::vector<double>;
using Paths = std::vector<std::string>;

Eigen::Matrix2d counting() {
  Eigen::Matrix2d matrix;
  matrix << 1, 2, 3, 4;
  return matrix;
}

TEST(Eigen, DenseMatricesAreTakenInStorageOrder) {
  EXPECT_EQ(numbers_of(counting()), (Numbers{1, 3, 2, 4}));
  EXPECT_EQ(number_paths(counting(), "m"), (Paths{"m(0, 0)", "m(1, 0)", "m(0, 1)", "m(1, 1)"}));
  const Eigen::VectorXd vector = Eigen::VectorXd::LinSpaced(3, 1, 3);
  EXPECT_EQ(number_paths(vector, "v"), (Paths{"v[0]", "v[1]", "v[2]"}));
  EXPECT_EQ(from_vec(Numbers{4, 5, 6}, vector), Eigen::Vector3d(4, 5, 6));
  EXPECT_EQ(numbers_of(Eigen::Vector2cd(std::complex(1.0, 2.0), 3.0)), (Numbers{1, 2, 3, 0}));
}

TEST(Eigen, SparseMatricesHaveTheNumbersOfTheirPattern) {
  Eigen::SparseMatrix<double> matrix(3, 3);
  matrix.insert(0, 1) = 5;
  matrix.insert(2, 2) = 7;
  EXPECT_EQ(numbers_of(matrix), (Numbers{5, 7}));
  EXPECT_EQ(number_paths(matrix, "s"), (Paths{"s(0, 1)", "s(2, 2)"}));
  const auto zero = make_zero(matrix);
  EXPECT_EQ(zero.nonZeros(), 2) << "the pattern stays";
  EXPECT_EQ(zero.sum(), 0);
}

TEST(Eigen, TrianglesHaveTheNumbersThatTheyStore) {
  Eigen::Matrix2d matrix = counting();
  EXPECT_EQ(numbers_of(matrix.selfadjointView<Eigen::Upper>()), (Numbers{1, 2, 4}));
  EXPECT_EQ(numbers_of(matrix.selfadjointView<Eigen::Lower>()), (Numbers{1, 3, 4}));
  EXPECT_EQ(numbers_of(matrix.triangularView<Eigen::StrictlyUpper>()), (Numbers{2}));
  EXPECT_EQ(numbers_of(matrix.triangularView<Eigen::UnitLower>()), (Numbers{3}));
}

TEST(Eigen, ATriangleIsRebuiltWithAMatrixOfItsOwn) {
  Eigen::Matrix2d matrix = counting();
  auto other = from_vec(Numbers{10, 20, 40}, matrix.selfadjointView<Eigen::Upper>());
  const Eigen::Matrix2d full = other.view();
  EXPECT_EQ(full(1, 0), 20);
  EXPECT_EQ(full(1, 1), 40);
  EXPECT_EQ(matrix, counting());
}

TEST(Eigen, AMapIsRebuiltAsAMatrix) {
  Numbers memory{1, 2, 3, 4};
  const Eigen::Map<Eigen::MatrixXd> map(memory.data(), 2, 2);
  EXPECT_EQ(numbers_of(map), memory);
  const Eigen::MatrixXd zero = make_zero(map);
  EXPECT_EQ(zero, Eigen::MatrixXd::Zero(2, 2));
  EXPECT_EQ(memory, (Numbers{1, 2, 3, 4}));
}

struct Model {
  Eigen::MatrixXd weight;
  Eigen::Vector2d bias;
  Eigen::DiagonalMatrix<double, 2> scale;
  int steps;
};

TEST(Eigen, MatricesAreMembersLikeOthers) {
  const Model model{counting(), {5, 6}, Eigen::DiagonalMatrix<double, 2>(7, 8), 9};
  EXPECT_EQ(numbers_of(model), (Numbers{1, 3, 2, 4, 5, 6, 7, 8}));
  EXPECT_EQ(number_paths(model, "m").at(1), "m.weight(1, 0)");
  EXPECT_EQ(make_zero(model).steps, 9);
}

} // namespace
