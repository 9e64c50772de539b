// Would catch: points that lack the structure or leave the range that was asked for.

#include "testutils/test/hand_subject.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace {

using namespace assay::testutils;
using assay::gen::Structure;
using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// Usual points and those where rules branch.
std::vector<Values> points_of(const Parameter &parameter) {
  Signature signature;
  signature.function = "f";
  signature.parameters = {parameter};
  std::vector<Values> points;
  for (unsigned sample = 0; sample < 16; ++sample) {
    points.push_back(random_inputs(signature, {}, sample).front());
    points.push_back(edge_inputs(signature, {}, sample).front());
  }
  return points;
}

Parameter of(Structure structure, std::vector<std::size_t> extents, double scale = 1) {
  Parameter parameter = assay::testutils::buffer("x", std::move(extents));
  parameter.domain.structure = structure;
  parameter.domain.scale = scale;
  return parameter;
}

TEST(Structure, PositiveDefiniteMatricesHaveACholeskyFactor) {
  for (const double scale : {1.0, 1e-6})
    for (const Values &a : points_of(of(Structure::positive_definite, {5, 5}, scale))) {
      const Rows matrix(a.data(), 5, 5);
      EXPECT_EQ(matrix, matrix.transpose());
      EXPECT_EQ(Eigen::MatrixXd(matrix).llt().info(), Eigen::Success);
      EXPECT_LE(matrix.cwiseAbs().maxCoeff(), scale * (1 + 1e-12));
    }
}

TEST(Structure, OneExtentIsASquareMatrixAndThreeAreSeveral) {
  for (const Values &a : points_of(of(Structure::symmetric, {9})))
    EXPECT_EQ(a[1], a[3]);
  for (const Values &a : points_of(of(Structure::symmetric, {2, 3, 3})))
    EXPECT_EQ(a[9 + 1], a[9 + 3]);
}

TEST(Structure, OrthogonalMatricesHaveOrthonormalColumns) {
  for (const Values &a : points_of(of(Structure::orthogonal, {6, 4}))) {
    const Eigen::MatrixXd q = Rows(a.data(), 6, 4);
    EXPECT_LT((q.transpose() * q - Eigen::MatrixXd::Identity(4, 4)).norm(), 1e-13);
  }
}

TEST(Structure, TrianglesHaveZerosOnOneSideAndADiagonalAwayFromZero) {
  for (const Values &a : points_of(of(Structure::lower, {3, 3})))
    EXPECT_TRUE(a[1] == 0 && a[2] == 0 && a[5] == 0 && std::abs(a[4]) >= 0.5);
  for (const Values &a : points_of(of(Structure::upper, {3, 3})))
    EXPECT_TRUE(a[3] == 0 && a[6] == 0 && a[7] == 0 && std::abs(a[4]) >= 0.5);
}

TEST(Structure, RowsAreSimplicesSortedOrOfLengthOne) {
  for (const Values &a : points_of(of(Structure::stochastic, {2, 3}))) {
    EXPECT_NEAR(a[0] + a[1] + a[2], 1, 1e-14);
    EXPECT_NEAR(a[3] + a[4] + a[5], 1, 1e-14);
    EXPECT_TRUE(std::ranges::all_of(a, [](double p) { return p > 0; }));
  }
  for (const Values &a : points_of(of(Structure::sorted, {5})))
    EXPECT_TRUE(std::ranges::is_sorted(a));
  for (const Values &a : points_of(of(Structure::unit_vector, {4})))
    EXPECT_NEAR(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3], 1, 1e-14);
}

TEST(Structure, NoElementsAreNoPoint) {
  for (const Structure structure : {Structure::positive_definite, Structure::orthogonal, Structure::simplex})
    for (const Values &a : points_of(of(structure, {0, 0})))
      EXPECT_TRUE(a.empty());
}

TEST(Domain, QuantisedNumbersAreMultiples) {
  Parameter parameter = assay::testutils::buffer("x", {8});
  parameter.domain.step = 0.25;
  for (const Values &x : points_of(parameter))
    for (const double value : x)
      EXPECT_EQ(std::fmod(value, 0.25), 0);
}

TEST(Domain, LogarithmicOnesReachAllMagnitudes) {
  Parameter parameter = assay::testutils::buffer("x", {64});
  parameter.domain = {1e-12, 1e12};
  parameter.domain.logarithmic = true;
  const Values x = points_of(parameter).front();
  EXPECT_LT(*std::ranges::min_element(x), 1e-6);
  EXPECT_GT(*std::ranges::max_element(x), 1e6);
}

// Would catch: a width or a ratio of the limits that overflows, after which no number is drawn.
TEST(Domain, MayReachFromTheLeastToTheGreatestNumber) {
  Parameter parameter = assay::testutils::buffer("x", {64});
  parameter.domain = {1e-300, 1e300};
  parameter.domain.logarithmic = true;
  const Values spread = points_of(parameter).front();
  EXPECT_LT(*std::ranges::min_element(spread), 1e-150);
  EXPECT_GT(*std::ranges::max_element(spread), 1e150);
  parameter.domain = {-1.7e308, 1.7e308};
  const Values even = points_of(parameter).front();
  for (const double value : even)
    EXPECT_TRUE(std::isfinite(value) && value != 0) << value;
}

TEST(Domain, IntegersAreDrawnWithBothEnds) {
  Parameter parameter = assay::testutils::buffer("index", {64}, ElementType::integer);
  parameter.domain = {-2, 3};
  std::set<double> seen;
  for (const Values &x : points_of(parameter))
    seen.insert(x.begin(), x.end());
  EXPECT_EQ(seen, (std::set<double>{-2, -1, 0, 1, 2, 3}));
}

} // namespace
