// Eigen's matrices, dense and sparse, maps of foreign memory, as arguments and results.
#include "refusal.hpp"
#include "support/heap_growth.hpp"
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/eigen.hpp>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace assay;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

namespace {

VectorXd linear(const MatrixXd &A, const VectorXd &x) {
  VectorXd y(A.rows());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    y(i) = 0;
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      y(i) += A(i, j) * x(j);
  }
  return y;
}
double norm_of_map(Eigen::Map<const VectorXd> v) {
  return v.squaredNorm();
}
double norm_of_product(const Sparse &M, const VectorXd &v) {
  return (M * v).squaredNorm();
}
Sparse diagonal(double x) {
  Sparse m(2, 2);
  m.insert(0, 0) = x;
  m.insert(1, 1) = x * x;
  m.makeCompressed();
  return m;
}
/// What holds matrices and containers, as a model does.
struct Layer {
  std::vector<double> weights;
  std::optional<double> bias;
  std::vector<int> indices;
};
struct Model {
  Sparse matrix;
  std::map<int, Layer> layers;
};
double evaluate(const Model &model) {
  double sum = model.matrix.sum();
  for (const auto &[key, layer] : model.layers)
    for (const double weight : layer.weights)
      sum += key * weight * weight * layer.bias.value_or(1);
  return sum;
}

PLUGIN_TEST(Matrices, InObjectsHaveShadowsOfTheirShape) {
  Model model{diagonal(2), {{3, {{1, 2}, 5.0, {7}}}}};
  Model right = make_zero(model);
  right.layers[3].indices.clear(); // holds no numbers
  autodiff<Reverse>(evaluate, Duplicated{model, right});
  EXPECT_CLOSE(right.layers[3].weights[1], 60.0);
  EXPECT_CLOSE(right.matrix.coeff(1, 1), 1.0);
  const auto refused = [&](auto change) {
    Model shadow = make_zero(model);
    change(shadow);
    return refusal([&] { autodiff<Reverse>(evaluate, Duplicated{model, shadow}); });
  };
  EXPECT_HOLDS(refused([](Model &shadow) { shadow.matrix.setZero(); }).find("entry (0, 0)") != std::string::npos);
  EXPECT_HOLDS(refused([](Model &shadow) { shadow.layers.clear(); }) ==
               "assay: a value with 1 elements has a shadow with 0");
  EXPECT_HOLDS(refused([](Model &shadow) { shadow.layers[3].weights.resize(1); }) ==
               "assay: a value with 2 elements has a shadow with 1");
  EXPECT_HOLDS(refused([](Model &shadow) { shadow.layers[3].bias.reset(); }) ==
               "assay: a value with 1 elements has a shadow with 0");
  EXPECT_HOLDS(refused([](Model &) {}).empty());
}

PLUGIN_TEST(Matrices, HaveAdjointsAndJacobians) {
  MatrixXd A(2, 2);
  A << 1, 2, 3, 4;
  VectorXd x(2), seed(2);
  x << 5, 6;
  seed << 1, 10;
  MatrixXd dA = make_zero(A);
  VectorXd dx = make_zero(x);
  const auto result = autodiff<ReverseWithPrimal>(linear, Seed{seed}, Duplicated{A, dA}, Duplicated{x, dx});
  EXPECT_CLOSE(result.primal(1), 39.0);
  EXPECT_CLOSE(dA(1, 0), 50.0);
  EXPECT_CLOSE(dx(0), 31.0);
  const auto [by_A, by_x] = jacobian<Reverse>(linear, A, x);
  EXPECT_CLOSE(by_x(1, 0), 3.0);
  EXPECT_CLOSE(by_A(1, 1), 5.0);
  EXPECT_CLOSE((std::get<1>(jacobian<Forward, Chunk<2>>(linear, A, x))(1, 0)), 3.0);
}

PLUGIN_TEST(Matrices, BehindMaps) {
  const double numbers[] = {1, 2, 3};
  const Eigen::Map<const VectorXd> map(numbers, 3);
  EXPECT_CLOSE(gradient<Reverse>(norm_of_map, map)(2), 6.0);
  EXPECT_CLOSE(gradient<Forward>(norm_of_map, map)(2), 6.0);
}

PLUGIN_TEST(Matrices, OfAnotherShapeThanTheirShadowAreRefused) {
  const MatrixXd A = MatrixXd::Ones(2, 2);
  const VectorXd x = VectorXd::Ones(2);
  VectorXd dx(3);
  EXPECT_HOLDS(refusal([&] {
                 autodiff<Forward>(linear, Const{A}, Duplicated{x, dx});
               }).find("2 by 1 has a shadow of 3 by 1") != std::string::npos);
}

PLUGIN_TEST(SparseMatrices, KeepTheirPatternInTheShadow) {
  Sparse S(3, 3);
  S.insert(0, 0) = 2;
  S.insert(2, 1) = 3;
  S.makeCompressed();
  VectorXd x(3);
  x << 1, 2, 3;
  Sparse dS = make_zero(S);
  VectorXd dx = make_zero(x);
  autodiff<Reverse>(norm_of_product, Duplicated{S, dS}, Duplicated{x, dx});
  EXPECT_HOLDS(dS.nonZeros() == 2);
  EXPECT_CLOSE(dS.coeff(2, 1), 24.0);
  EXPECT_CLOSE(dx(1), 36.0);
  Sparse empty(3, 3);
  EXPECT_HOLDS(refusal([&] {
                 autodiff<Reverse>(norm_of_product, Duplicated{S, empty}, Const{x});
               }).find("entry (0, 0) of a sparse matrix is stored, but not that of its shadow") != std::string::npos);
}

PLUGIN_TEST(SparseMatrices, AsResults) {
  const auto forward = autodiff<Forward>(diagonal, Duplicated{3.0, 1.0});
  EXPECT_CLOSE(forward.derivative.coeff(1, 1), 6.0);
  Sparse seed = diagonal(1);
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>(diagonal, Seed{seed}, Active{3.0}).gradient), 7.0);
}

[[gnu::noinline]] Sparse squares(const std::vector<double> &x) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < 3; ++i)
    entries.emplace_back(i, (i + 1) % 3, x[std::size_t(i)] * x[std::size_t(i)]);
  Sparse s(3, 3);
  s.setFromTriplets(entries.begin(), entries.end());
  return s;
}

// What the function allocates for the indices, and its caller releases, had a shadow that was left on the heap.
PLUGIN_TEST(SparseMatrices, AsResultsLeaveNothingOnTheHeap) {
  EXPECT_NO_GROWTH([] {
    const std::vector<double> x{1, 2, 3};
    std::vector<double> dx(3);
    autodiff<Reverse>(squares, Seed{squares({1, 1, 1})}, Duplicated{x, dx});
    EXPECT_CLOSE(dx[1], 4.0);
    autodiff<Reverse>([](const std::vector<double> &v) { return squares(v).squaredNorm(); }, Duplicated{x, dx});
    EXPECT_CLOSE(dx[1], 36.0);
  });
}

} // namespace
