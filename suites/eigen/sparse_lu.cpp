// Solutions of sparse systems by triangular factors with pivots.
#include "eigen/sparse_systems.hpp"

namespace {

using namespace assay::suites;

double by_lu(const double *x, int n) {
  return solve<Eigen::SparseLU<Matrix>, Shape::any>(x, n);
}

} // namespace

PLUGIN_TEST(EigenSparseSolvers, TriangularFactors) {
  CHECK_FUNCTION(by_lu, 1.25, -0.75, 2.25);
}
