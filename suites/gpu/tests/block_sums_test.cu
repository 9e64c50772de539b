// Adjoints of weights that all threads of a block read, which are summed up in the block first: more weights than the
// block has room for, threads that return early, barriers, pointers in structs, buffers that are one. All numbers are
// small integers, so sums are the same in any order.

#include "device_array.hpp"

#include <gtest/gtest.h>

#include <assay/gpu.hpp>

#include <string>
#include <vector>

using namespace assay;
using test::DeviceArray;

namespace {

__host__ __device__ int number_of(int thread, int index) { return 1 + (thread * 7 + index * 3) % 5; }
__host__ __device__ bool is_absent(int thread, int absent) { return absent > 0 && thread % absent == absent - 1; }

/// Adjoints of `count` weights for seeds of 2.
template <class T>
std::vector<T> sums_of(int threads, int count, int absent) {
  std::vector<T> sums(count);
  for (int thread = 0; thread < threads; ++thread)
    for (int index = 0; index < count && !is_absent(thread, absent); ++index)
      sums[index] += static_cast<T>(2 * number_of(thread, index));
  return sums;
}

// ---- A loop over weights, in which threads return early ----

template <class T>
__device__ void product(const T *weights, T *out, int count, int absent) {
  const int thread = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (is_absent(thread, absent))
    return;
  T sum = 0;
  for (int index = 0; index < count; ++index)
    sum += weights[index] * static_cast<T>(number_of(thread, index));
  out[thread] = sum;
}

template <class T>
__global__ void gradient_of_product(const T *weights, T *adjoints, T *out, T *seeds, int count, int absent) {
  autodiff_deferred<Reverse>(product<T>, Duplicated{weights, adjoints}, Duplicated{out, seeds}, Const{count},
                             Const{absent});
}

template <class T>
void test_products() {
  for (const dim3 block : {dim3(256), dim3(64), dim3(32), dim3(1), dim3(70), dim3(16, 8), dim3(1024)})
    for (const int count : {1, 3, 40, 255, 257, 700})
      for (const int absent : {0, 3, 32}) {
        SCOPED_TRACE("block of " + std::to_string(block.x) + " x " + std::to_string(block.y) + ", " +
                     std::to_string(count) + " weights, absent " + std::to_string(absent));
        const int blocks = 3, threads = static_cast<int>(blocks * block.x * block.y);
        const DeviceArray<T> weights(count, 1), adjoints(count, 0), out(threads, 0), seeds(threads, 2);
        gradient_of_product<T>
            <<<blocks, block>>>(weights.memory, adjoints.memory, out.memory, seeds.memory, count, absent);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(adjoints.read(), sums_of<T>(threads, count, absent));
      }
}

TEST(BlockSums, OfFloats) { test_products<float>(); }
TEST(BlockSums, OfDoubles) { test_products<double>(); }

// ---- Rows that are a power of two apart, each block its own ----

__device__ void row_product(const float *weights, float *out, int rows, int stride) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum += weights[row * stride + blockIdx.x] * static_cast<float>(number_of(thread, row));
  out[thread] = sum;
}

__global__ void gradient_of_rows(const float *weights, float *adjoints, float *out, float *seeds, int rows,
                                 int stride) {
  autodiff_deferred<Reverse>(row_product, Duplicated{weights, adjoints}, Duplicated{out, seeds}, Const{rows},
                             Const{stride});
}

TEST(BlockSums, OfRows) {
  constexpr int blocks = 5, block = 128, rows = 20, stride = 4096;
  const DeviceArray<float> weights(rows * stride, 1), adjoints(rows * stride, 0), out(blocks * block, 0),
      seeds(blocks * block, 2);
  gradient_of_rows<<<blocks, block>>>(weights.memory, adjoints.memory, out.memory, seeds.memory, rows, stride);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<float> sums(rows * stride);
  for (int thread = 0; thread < blocks * block; ++thread)
    for (int row = 0; row < rows; ++row)
      sums[row * stride + thread / block] += static_cast<float>(2 * number_of(thread, row));
  EXPECT_EQ(adjoints.read(), sums);
}

// ---- Barriers: between the sums, and passed by threads that returned ----

template <bool Returns>
__device__ void passed_on(const float *weights, float *out, int n) {
  __shared__ float numbers[128];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  numbers[threadIdx.x] = weights[0] * static_cast<float>(number_of(thread, 0));
  __syncthreads();
  const float beside = numbers[threadIdx.x ^ 1];
  if (Returns && thread >= n)
    return;
  out[thread] = beside * weights[1];
}

template <bool Returns>
__global__ void gradient_of_passed_on(const float *weights, float *adjoints, float *out, float *seeds, int n) {
  autodiff_deferred<Reverse>(passed_on<Returns>, Duplicated{weights, adjoints}, Duplicated{out, seeds}, Const{n});
}

template <bool Returns>
void test_barriers() {
  constexpr int blocks = 3, block = 128;
  const int n = Returns ? blocks * block - 50 : blocks * block;
  const DeviceArray<float> weights(2, 1), adjoints(2, 0), out(blocks * block, 0), seeds(blocks * block, 2);
  gradient_of_passed_on<Returns><<<blocks, block>>>(weights.memory, adjoints.memory, out.memory, seeds.memory, n);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  float sum = 0;
  for (int thread = 0; thread < n; ++thread)
    sum += static_cast<float>(2 * number_of(thread ^ 1, 0));
  EXPECT_EQ(adjoints.read(), (std::vector<float>{sum, sum}));
}

TEST(BlockSums, BetweenBarriers) { test_barriers<false>(); }
TEST(BlockSums, OfThreadsThatReturnBehindABarrier) { test_barriers<true>(); }

// ---- Pointers in a struct ----

struct Buffers {
  const double *weights;
  double *out;
  int count;
};

__device__ void product_of(const Buffers &buffers) { product(buffers.weights, buffers.out, buffers.count, 0); }

__global__ void gradient_of_buffers(Buffers buffers, Buffers shadows) {
  autodiff_deferred<Reverse>(product_of, Duplicated{buffers, shadows});
}

TEST(BlockSums, BehindPointersInAStruct) {
  constexpr int blocks = 2, block = 96, count = 9;
  const DeviceArray<double> weights(count, 1), adjoints(count, 0), out(blocks * block, 0), seeds(blocks * block, 2);
  gradient_of_buffers<<<blocks, block>>>({weights.memory, out.memory, count}, {adjoints.memory, seeds.memory, count});
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(adjoints.read(), sums_of<double>(blocks * block, count, 0));
}

// ---- Two pointers into one buffer: what is read by all was written before a barrier ----

/// `to` lies `distance` numbers behind `from`.
__device__ void written_and_read(const double *from, double *to, double *out, int distance) {
  if (threadIdx.x < 2)
    to[threadIdx.x] = 3 * to[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = from[distance] * static_cast<double>(number_of(threadIdx.x, 0)) + from[distance + 1];
}

__global__ void gradient_of_written(const double *from, double *from_adjoints, double *to, double *to_adjoints,
                                    double *out, double *seeds, int distance) {
  autodiff_deferred<Reverse>(written_and_read, Duplicated{from, from_adjoints}, Duplicated{to, to_adjoints},
                             Duplicated{out, seeds}, Const{distance});
}

void test_read_behind_a_barrier(int distance) {
  constexpr int block = 128;
  const DeviceArray<double> numbers(distance + 2, 1), adjoints(distance + 2, 0), out(block, 0), seeds(block, 2);
  gradient_of_written<<<1, block>>>(numbers.memory, adjoints.memory, numbers.memory + distance,
                                    adjoints.memory + distance, out.memory, seeds.memory, distance);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<double> sums(distance + 2);
  for (int thread = 0; thread < block; ++thread)
    sums[distance] += 3 * 2 * number_of(thread, 0);
  sums[distance + 1] = 3 * 2 * block;
  EXPECT_EQ(adjoints.read(), sums);
}

TEST(BlockSums, ReadBehindABarrier) { test_read_behind_a_barrier(0); }
TEST(BlockSums, ReadBehindABarrierByAnotherPointer) { test_read_behind_a_barrier(2); }

// ---- Dynamic shared memory ----

__device__ void scaled(const float *weights, float *out) {
  extern __shared__ float copies[];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  copies[threadIdx.x] = weights[0] * static_cast<float>(number_of(thread, 0));
  __syncthreads();
  out[thread] = copies[threadIdx.x] * 2;
}

__global__ void gradient_of_scaled(const float *weights, float *adjoints, float *out, float *seeds) {
  autodiff_deferred<Reverse>(scaled, Duplicated{weights, adjoints}, Duplicated{out, seeds});
}

TEST(BlockSums, BesideDynamicSharedMemory) {
  constexpr int blocks = 2, block = 128;
  const DeviceArray<float> weights(1, 1), adjoints(1, 0), out(blocks * block, 0), seeds(blocks * block, 1);
  gradient_of_scaled<<<blocks, block, 2 * block * sizeof(float)>>>(weights.memory, adjoints.memory, out.memory,
                                                                   seeds.memory);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(adjoints.read(), sums_of<float>(blocks * block, 1, 0));
}

} // namespace
