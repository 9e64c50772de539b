// Blocks and warps of CUB in kernels.
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda/std/complex>

constexpr int threads = 64;

template <class T, cub::BlockReduceAlgorithm Algorithm>
__device__ void add_cubes(const T *x, T *y) {
  using Reduce = cub::BlockReduce<T, threads, Algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  const T value = x[blockIdx.x * threads + threadIdx.x];
  const T sum = Reduce(storage).Sum(value * value * value);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}
__global__ void sum_by_warps(const float *x, float *y) { add_cubes<float, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, y); }
__global__ void sum_of_doubles(const double *x, double *y) {
  add_cubes<double, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, y);
}
__global__ void sum_by_raking(const double *x, double *y) { add_cubes<double, cub::BLOCK_REDUCE_RAKING>(x, y); }

struct Larger {
  __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};
__global__ void largest(const double *x, double *y) {
  using Reduce = cub::BlockReduce<double, threads>;
  __shared__ typename Reduce::TempStorage storage;
  const double value = Reduce(storage).Reduce(2 * x[threadIdx.x], Larger());
  if (threadIdx.x == 0)
    y[0] = value;
}

__global__ void half_warps(const double *x, double *y) {
  using Reduce = cub::WarpReduce<double, 16>;
  __shared__ typename Reduce::TempStorage storage[threads / 16];
  const double sum = Reduce(storage[threadIdx.x / 16]).Sum(x[threadIdx.x] * x[threadIdx.x]);
  if (threadIdx.x % 16 == 0)
    y[threadIdx.x / 16] = sum;
}

__global__ void scan(const float *x, float *y) {
  using Scan = cub::BlockScan<float, threads, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage storage;
  float value = x[threadIdx.x], sum, total;
  Scan(storage).InclusiveSum(value * value, sum, total);
  y[threadIdx.x] = sum * value + total;
}

__global__ void compact(const float *x, const int *keeps, float *y) {
  using Scan = cub::BlockScan<int, threads>;
  __shared__ typename Scan::TempStorage storage;
  int place, total;
  Scan(storage).ExclusiveSum(keeps[threadIdx.x], place, total);
  if (keeps[threadIdx.x])
    y[place] = x[threadIdx.x] * x[threadIdx.x] * total;
}

__global__ void complex_numbers(const double *x, double *y) {
  const cuda::std::complex<double> z(x[threadIdx.x], 1);
  const cuda::std::complex<double> w = z * z + cuda::std::exp(z);
  y[threadIdx.x] = w.real() * w.imag() + cuda::std::abs(w);
}

__global__ void load_and_store(const float *x, float *y) {
  using Load = cub::BlockLoad<float, threads, 2, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<float, threads, 2, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  float values[2];
  Load(storage.load).Load(x, values);
  __syncthreads();
  values[1] *= values[0];
  Store(storage.store).Store(y, values);
}
