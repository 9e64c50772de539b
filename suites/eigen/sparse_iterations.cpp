// Solutions of sparse systems by iterations.
#include "eigen/sparse_systems.hpp"

namespace {

using namespace assay::suites;

double by_stabilised_gradients(const double *x, int n) {
  return solve<Eigen::BiCGSTAB<Matrix>, Shape::any>(x, n);
}

double by_conjugate_gradients(const double *x, int n) {
  return solve<Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper>, Shape::symmetric>(x, n);
}

} // namespace

PLUGIN_TEST(EigenSparseSolvers, StabilisedGradients) {
  CHECK_FUNCTION(by_stabilised_gradients, 1.25, -0.75, 2.25);
}
PLUGIN_TEST(EigenSparseSolvers, ConjugateGradients) {
  CHECK_FUNCTION(by_conjugate_gradients, 1.25, -0.75, 2.25);
}
