#include "bench/kernel.hpp"

namespace assay::bench {

std::vector<Kernel> all_kernels() {
  return {rosenbrock(),     dense_layer(), heat_stencil(), newton(),         n_body(),   sum_of_squares(),
          matrix_product(), horner(),      log_sum_exp(),  reaction_steps(), branches(), indirect()};
}

} // namespace assay::bench
