// Eigen's tensors: contractions, which block and pack like products of matrices, and what is computed element by
// element.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <unsupported/Eigen/CXX11/Tensor>

using Eigen::Tensor;

namespace {

Tensor<double, 2> table(const double *x, int n) {
  Tensor<double, 2> made(2, 3);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column)
      made(row, column) = x[(row + column) % n] * (1 + row);
  return made;
}

double contraction(const double *x, int n) {
  const Tensor<double, 2> one = table(x, n);
  Tensor<double, 2> other(3, 2);
  other.setConstant(x[0]);
  const Eigen::array<Eigen::IndexPair<int>, 1> pairs{Eigen::IndexPair<int>(1, 0)};
  const Tensor<double, 2> product = one.contract(other, pairs);
  return product(0, 0) * product(1, 1);
}

double elements(const double *x, int n) {
  const Tensor<double, 2> one = table(x, n);
  const Tensor<double, 0> sum = (one * one + one.exp() * 0.1).sum();
  const Tensor<double, 1> largest = one.maximum(Eigen::array<int, 1>{0});
  return sum() + largest(0) * largest(2);
}

double pieces(const double *x, int n) {
  const Tensor<double, 2> one = table(x, n);
  const Tensor<double, 1> row = one.chip(1, 0);
  const Tensor<double, 2> corner = one.slice(Eigen::array<Eigen::Index, 2>{0, 1}, Eigen::array<Eigen::Index, 2>{2, 2});
  const Tensor<double, 2> turned = one.shuffle(Eigen::array<int, 2>{1, 0});
  const Tensor<double, 2> wide = corner.broadcast(Eigen::array<int, 2>{1, 2});
  return row(0) * row(2) + turned(2, 0) * wide(1, 3) + corner(0, 1);
}

} // namespace

PLUGIN_TEST(EigenTensors, Contraction) {
  CHECK_FUNCTION(contraction, 0.3, 0.9, 0.5);
}
PLUGIN_TEST(EigenTensors, SecondDerivativeOfContraction) {
  CHECK_SECOND_ORDER(contraction, 0.3, 0.9, 0.5);
}
PLUGIN_TEST(EigenTensors, Elements) {
  CHECK_FUNCTION(elements, 0.3, 0.9, 0.5);
}
PLUGIN_TEST(EigenTensors, Pieces) {
  CHECK_FUNCTION(pieces, 0.3, 0.9, 0.5);
}
