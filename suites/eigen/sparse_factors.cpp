// Solutions of sparse systems by orthogonal and by symmetric factors.
#include "eigen/sparse_systems.hpp"

namespace {

using namespace assay::suites;

double by_qr(const double *x, int n) {
  return solve<Eigen::SparseQR<Matrix, Eigen::COLAMDOrdering<int>>, Shape::any>(x, n);
}

double by_ldlt(const double *x, int n) {
  return solve<Eigen::SimplicialLDLT<Matrix>, Shape::symmetric>(x, n);
}

} // namespace

PLUGIN_TEST(EigenSparseSolvers, OrthogonalFactors) {
  CHECK_FUNCTION(by_qr, 1.25, -0.75, 2.25);
}
PLUGIN_TEST(EigenSparseSolvers, SymmetricFactors) {
  CHECK_FUNCTION(by_ldlt, 1.25, -0.75, 2.25);
}
