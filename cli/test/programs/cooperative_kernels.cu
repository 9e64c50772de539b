// Cooperative groups, their asynchronous copies, and those of threads.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

__global__ void double_buffer(const float *x, float *y, int n) {
  __shared__ float buffer[2][64];
  auto block = cg::this_thread_block();
  const int tiles = n / 64;
  float sum = 0;
  cg::memcpy_async(block, buffer[0], x, sizeof(float) * 64);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      cg::memcpy_async(block, buffer[(tile + 1) & 1], 64, x + (tile + 1) * 64, 64);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += buffer[tile & 1][threadIdx.x] * buffer[tile & 1][63 - threadIdx.x];
    block.sync();
  }
  y[threadIdx.x] = sum;
}

__global__ void parts_of_a_warp(const float *x, float *y, int) {
  __shared__ float part[64];
  const int thread = threadIdx.x;
  __pipeline_memcpy_async(&part[thread], &x[thread], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const float value = part[thread];
  auto thirds = cg::labeled_partition(warp, thread % 3);
  auto signs = cg::binary_partition(warp, value > 0.2f);
  y[thread] = cg::reduce(thirds, value * value, cg::plus<float>()) * value +
              cg::inclusive_scan(signs, value) * signs.shfl(value, 0) + cg::reduce(signs, value, cg::less<float>());
}

__global__ void tiles(const float *x, float *y, int n) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = x[i], most = cg::reduce(tile, value, cg::greater<float>()), power = expf(value - most);
  const float share = cg::inclusive_scan(tile, power / cg::reduce(tile, power, cg::plus<float>()));
  if (value > 0) {
    auto together = cg::coalesced_threads();
    const float sum = cg::reduce(together, value * value, cg::plus<float>());
    if (together.thread_rank() == 0)
      atomicAdd(&y[n], sum);
  }
  y[i] = share + 0.1f * cg::exclusive_scan(tile, value * value);
}
