// CUB by its one header, and atomic references of the library of C++.
#include <cub/cub.cuh>
#include <cuda/atomic>

/// Sums of four numbers a thread.
__global__ void scanned_fours(const float *x, float *y) {
  using Load = cub::BlockLoad<float, 32, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Scan = cub::BlockScan<float, 32>;
  using Reduce = cub::BlockReduce<float, 32>;
  using Store = cub::BlockStore<float, 32, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    Load::TempStorage load;
    Scan::TempStorage scan;
    Reduce::TempStorage reduce;
    Store::TempStorage store;
  } storage;
  __shared__ float sum;
  float value[4], scanned[4];
  Load(storage.load).Load(x, value);
  __syncthreads();
  Scan(storage.scan).InclusiveSum(value, scanned);
  __syncthreads();
  const float total = Reduce(storage.reduce).Sum(value[0] * value[0]);
  if (threadIdx.x == 0)
    sum = total;
  __syncthreads();
  for (int k = 0; k < 4; ++k)
    scanned[k] = scanned[k] * value[k] + sum;
  Store(storage.store).Store(y, scanned);
}

__global__ void referenced_sums(const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::atomic_ref<double, cuda::thread_scope_device> place(y[i / 4]);
  place.fetch_add(x[i] * x[(i + 1) % 16]);
}

/// Far from each other, in another order than the threads.
__device__ double key_of(double x, int i) {
  return sin(x) + 3 * (i * 7 % 64);
}

/// Keys that are numbers with derivatives, which go where they are sorted to.
__global__ void sorted_keys(const double *x, double *y) {
  using Sort = cub::BlockRadixSort<double, 32, 2>;
  __shared__ Sort::TempStorage storage;
  double keys[2] = {key_of(x[2 * threadIdx.x], 2 * threadIdx.x), key_of(x[2 * threadIdx.x + 1], 2 * threadIdx.x + 1)};
  Sort(storage).Sort(keys);
  y[2 * threadIdx.x] = keys[0] * (threadIdx.x + 1);
  y[2 * threadIdx.x + 1] = keys[1];
}

__global__ void sorted_pairs(const double *x, const float *values, double *y, float *z) {
  using Sort = cub::BlockRadixSort<double, 32, 1, float>;
  __shared__ Sort::TempStorage storage;
  double key[1] = {key_of(x[threadIdx.x], threadIdx.x)};
  float value[1] = {values[threadIdx.x]};
  Sort(storage).SortDescending(key, value);
  y[threadIdx.x] = key[0] * (threadIdx.x + 1);
  z[threadIdx.x] = value[0] * value[0];
}
