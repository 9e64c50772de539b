// Barriers and pipelines of libcu++.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

/// Tiles that are copied while the one before is summed up.
__global__ void staged(const float *x, float *y, int tiles) {
  __shared__ cuda::barrier<cuda::thread_scope_block> filled[2];
  __shared__ float buffer[2][32];
  auto block = cg::this_thread_block();
  const int i = threadIdx.x;
  if (i == 0) {
    init(&filled[0], blockDim.x);
    init(&filled[1], blockDim.x);
  }
  block.sync();
  cuda::memcpy_async(block, buffer[0], x, sizeof buffer[0], filled[0]);
  float sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int at = tile & 1;
    if (tile + 1 < tiles)
      cuda::memcpy_async(block, buffer[1 - at], x + 32 * (tile + 1), cuda::aligned_size_t<4>(sizeof buffer[0]),
                         filled[1 - at]);
    filled[at].arrive_and_wait();
    sum += buffer[at][i] * buffer[at][31 - i];
    block.sync();
  }
  y[i] = sum;
}

/// Each warp has a barrier of its own.
__global__ void by_warps(const double *x, double *y) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier of_warp[2];
  __shared__ double s[64];
  const int i = threadIdx.x, warp = i / 32;
  if (i < 2)
    init(of_warp + i, 32);
  __syncthreads();
  s[i] = x[i] * x[i];
  barrier::arrival_token token = of_warp[warp].arrive();
  const double own = sin(x[i]);
  of_warp[warp].wait(static_cast<barrier::arrival_token &&>(token));
  y[i] = own * s[32 * warp + (i + 7) % 32];
}

__global__ void piped(const float *x, float *y, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ float buffer[2][32];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int i = threadIdx.x;
  float sum = 0;
  for (int tile = 0, fetched = 0; tile < tiles; ++tile) {
    for (; fetched < tiles && fetched < tile + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[fetched & 1], x + 32 * fetched, sizeof buffer[0], pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 0.5f + buffer[tile & 1][(i * 3) % 32] * buffer[tile & 1][i];
    pipe.consumer_release();
  }
  y[i] = sum;
}
