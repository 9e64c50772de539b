#include "bench/kernel.hpp"

namespace assay::bench {

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> kernels{
      rosenbrock(),
      dense_layer(),
      heat_stencil(),
      newton(),
      n_body(),
      sum_of_squares(),
      matrix_product(),
      horner(),
      log_sum_exp(),
      reaction_steps(),
      branches(),
      indirect(),
      gaussian_mixture(),
      recurrent_cell(),
      perceptron(),
      brusselator(),
      softmax_regression(),
      bundle_adjustment(),
      option_prices(),
      heat_in_place(),
      sparse_iteration(),
      cholesky(),
      lu(),
      lu_of_rows(),
      transformer_state(),
      formula_text(),
      tridiagonal(),
      fft(),
      matrix_product_200(),
      matrix_product_restrict(),
      formula_by_engine(),
      formula_by_rule(),
  };
#ifdef ASSAY_BENCH_HAS_EIGEN
  kernels.push_back(small_matrices());
  for (const Kernel &kernel : bundled_rules())
    kernels.push_back(kernel);
#endif
  return kernels;
}

} // namespace assay::bench
