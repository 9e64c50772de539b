// assay check cooperative_groups.cu --function group_norms --launch '<<<2,64>>>' --arg 'double[128]' --arg 'double[128]' --arg int=128
// Blocks, tiles and the threads that run together: sums, maxima and prefixes by groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void group_norms(const double *x, double *y, int n) {
  __shared__ double squares[64];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  const unsigned i = cg::this_grid().thread_rank(), rank = block.thread_rank();
  squares[rank] = x[i] * x[i];
  block.sync();
  const double neighbour = squares[(rank + 1) % block.size()];
  const double sum = cg::reduce(warp, neighbour, cg::plus<double>());
  const double largest = cg::reduce(eight, x[i], cg::greater<double>());
  const double before = cg::exclusive_scan(eight, x[i]);
  double result = sum * x[i] + largest * before + eight.shfl_xor(x[i], 4) * cg::inclusive_scan(warp, neighbour);
  if (rank % 3 == 0) {
    const cg::coalesced_group third = cg::coalesced_threads();
    result += third.shfl(x[i] * x[i], 0) * third.shfl_down(x[i], 1);
  }
  y[i] = result;
}
