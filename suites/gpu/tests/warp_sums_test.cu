// Adjoints of weights that lanes of a warp read together: rows of several weights, of which lanes read one, or groups
// of lanes one each, in blocks of all shapes, with lanes that are not there. All numbers are small integers, so sums
// are the same in any order.

#include "device_array.hpp"

#include <gtest/gtest.h>

#include <assay/gpu.hpp>

#include <string>
#include <vector>

using namespace assay;
using test::DeviceArray;

namespace {

/// Which row of weights a thread reads.
enum class Rows : int { one, of_lanes, of_y, scattered };

struct Shape {
  unsigned blocks, x, y;
  Rows rows;
  int lanes_of_row; ///< For Rows::of_lanes.
  int absent;       ///< Every so many-th thread does nothing; 0 for none.
};

__host__ __device__ int row_of(Rows rows, int lanes, int x, int y) {
  switch (rows) {
  case Rows::one:
    return 0;
  case Rows::of_lanes:
    return x / lanes;
  case Rows::of_y:
    return y;
  case Rows::scattered:
    return (x * 5 + y * 3) % 7;
  }
  return 0;
}
__host__ __device__ int number_of(int thread, int index) { return 1 + (thread * 7 + index * 3) % 5; }

constexpr int most_rows = 64;

template <class T, int N>
__device__ void products(const T *weights, T *out, int rows, int lanes, int absent) {
  const int thread = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (absent > 0 && thread % absent == absent - 1)
    return;
  const T *row = weights + row_of(static_cast<Rows>(rows), lanes, threadIdx.x, threadIdx.y) * N;
  T sum = 0;
#pragma unroll
  for (int index = 0; index < N; ++index)
    sum += row[index] * static_cast<T>(number_of(thread, index));
  out[thread] = sum;
}

template <class T, int N>
__global__ void gradient(const T *weights, T *weight_adjoints, T *out, T *seeds, int rows, int lanes, int absent) {
  autodiff_deferred<Reverse>(products<T, N>, Duplicated{weights, weight_adjoints}, Duplicated{out, seeds}, Const{rows},
                             Const{lanes}, Const{absent});
}

template <class T, int N>
std::vector<T> expected(const Shape &shape) {
  std::vector<T> result(most_rows * N);
  for (unsigned block = 0; block < shape.blocks; ++block)
    for (unsigned y = 0; y < shape.y; ++y)
      for (unsigned x = 0; x < shape.x; ++x) {
        const int thread = static_cast<int>((block * shape.y + y) * shape.x + x);
        if (shape.absent > 0 && thread % shape.absent == shape.absent - 1)
          continue;
        const int row = row_of(shape.rows, shape.lanes_of_row, static_cast<int>(x), static_cast<int>(y));
        for (int index = 0; index < N; ++index)
          result[row * N + index] += static_cast<T>(2 * number_of(thread, index));
      }
  return result;
}

template <class T, int N>
void test(const Shape &shape) {
  const DeviceArray<T> weights(most_rows * N, 1), adjoints(most_rows * N, 0);
  const std::size_t threads = static_cast<std::size_t>(shape.blocks) * shape.x * shape.y;
  const DeviceArray<T> out(threads, 0), seeds(threads, 2);
  gradient<T, N><<<shape.blocks, dim3(shape.x, shape.y)>>>(weights.memory, adjoints.memory, out.memory, seeds.memory,
                                                          static_cast<int>(shape.rows), shape.lanes_of_row, shape.absent);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(adjoints.read(), (expected<T, N>(shape)));
}

template <class T, int N>
void test_all_shapes() {
  for (const auto &[x, y] : {std::pair(32U, 1U), {64U, 1U}, {16U, 1U}, {8U, 1U}, {4U, 1U}, {2U, 1U}, {1U, 1U},
                             {5U, 1U},           {33U, 1U}, {48U, 1U}, {8U, 8U}, {16U, 3U}, {2U, 16U}, {4U, 2U}})
    for (const int absent : {0, 3, 32}) {
      std::vector<std::pair<Rows, int>> rows{{Rows::one, 1}, {Rows::of_y, 1}, {Rows::scattered, 1}};
      for (const int lanes : {1, 2, 3, 4, 8, 16, 32})
        rows.emplace_back(Rows::of_lanes, lanes);
      for (const auto &[kind, lanes] : rows) {
        SCOPED_TRACE("block of " + std::to_string(x) + " x " + std::to_string(y) + ", rows " +
                     std::to_string(static_cast<int>(kind)) + " of " + std::to_string(lanes) + " lanes, absent " +
                     std::to_string(absent));
        test<T, N>({3, x, y, kind, lanes, absent});
      }
    }
}

TEST(WarpSums, OneWeight) { test_all_shapes<double, 1>(); }
TEST(WarpSums, TwoWeights) { test_all_shapes<float, 2>(); }
TEST(WarpSums, ThreeWeights) { test_all_shapes<double, 3>(); }
TEST(WarpSums, FourWeights) { test_all_shapes<double, 4>(); }
TEST(WarpSums, FiveWeights) { test_all_shapes<float, 5>(); }
TEST(WarpSums, SevenWeights) { test_all_shapes<float, 7>(); }
TEST(WarpSums, EightWeights) { test_all_shapes<double, 8>(); }
TEST(WarpSums, ElevenWeights) { test_all_shapes<float, 11>(); }

// ---- Columns: threads of several rows of a block read the same ----

template <class T, int N>
__device__ void columns(const T *weights, T *out, int absent) {
  const int thread = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (absent > 0 && thread % absent == absent - 1)
    return;
  T sum = 0;
#pragma unroll
  for (int index = 0; index < N; ++index)
    sum += weights[index * 64 + threadIdx.x] * static_cast<T>(number_of(thread, index));
  out[thread] = sum;
}

template <class T, int N>
__global__ void gradient_of_columns(const T *weights, T *adjoints, T *out, T *seeds, int absent) {
  autodiff_deferred<Reverse>(columns<T, N>, Duplicated{weights, adjoints}, Duplicated{out, seeds}, Const{absent});
}

template <class T, int N>
void test_columns() {
  for (const dim3 block : {dim3(8, 8), dim3(16, 4), dim3(16, 2), dim3(32, 2), dim3(64, 2), dim3(5, 7), dim3(1, 32)})
    for (const int absent : {0, 3}) {
      SCOPED_TRACE("block of " + std::to_string(block.x) + " x " + std::to_string(block.y) + ", absent " +
                   std::to_string(absent));
      const int blocks = 2, threads = static_cast<int>(blocks * block.x * block.y);
      const DeviceArray<T> weights(64 * N, 1), adjoints(64 * N, 0), out(threads, 0), seeds(threads, 2);
      gradient_of_columns<T, N><<<blocks, block>>>(weights.memory, adjoints.memory, out.memory, seeds.memory, absent);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      std::vector<T> sums(64 * N);
      for (int thread = 0; thread < threads; ++thread)
        if (absent == 0 || thread % absent != absent - 1)
          for (int index = 0; index < N; ++index)
            sums[index * 64 + thread % static_cast<int>(block.x)] += static_cast<T>(2 * number_of(thread, index));
      EXPECT_EQ(adjoints.read(), sums);
    }
}

TEST(WarpSums, OfOneColumn) { test_columns<double, 1>(); }
TEST(WarpSums, OfFourColumns) { test_columns<float, 4>(); }

// ---- Stencils: neighbours read what lies beside each other ----

template <class T, int N, bool Shared>
__device__ void stencil(const T *x, T *out, int n, int absent) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ T tile[256 + N];
  const T *window = x + i;
  if (Shared) {
    for (unsigned t = threadIdx.x; t < blockDim.x + N - 1; t += blockDim.x)
      tile[t] = blockIdx.x * blockDim.x + t < n ? x[blockIdx.x * blockDim.x + t] : T(0);
    __syncthreads();
    window = tile + threadIdx.x;
  }
  if (i + N > n || (absent > 0 && i % absent == absent - 1))
    return;
  T sum = 0;
#pragma unroll
  for (int k = 0; k < N; ++k)
    sum += static_cast<T>(number_of(i, k)) * window[k];
  out[i] = sum;
}

template <class T, int N, bool Shared>
__global__ void gradient_of_stencil(const T *x, T *x_adjoints, T *out, T *seeds, int n, int absent) {
  autodiff_deferred<Reverse>(stencil<T, N, Shared>, Duplicated{x, x_adjoints}, Duplicated{out, seeds}, Const{n},
                             Const{absent});
}

template <class T, int N, bool Shared>
void test_stencil() {
  for (const unsigned block : {32U, 64U, 256U, 16U, 1U, 40U})
    for (const int absent : {0, 3, 32}) {
      SCOPED_TRACE("block of " + std::to_string(block) + ", absent " + std::to_string(absent));
      const int blocks = 3, n = static_cast<int>(blocks * block);
      const DeviceArray<T> x(n, 1), adjoints(n, 0), out(n, 0), seeds(n, 2);
      gradient_of_stencil<T, N, Shared><<<blocks, block>>>(x.memory, adjoints.memory, out.memory, seeds.memory, n, absent);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      std::vector<T> sums(n);
      for (int i = 0; i + N <= n; ++i)
        if (absent == 0 || i % absent != absent - 1)
          for (int k = 0; k < N; ++k)
            sums[i + k] += static_cast<T>(2 * number_of(i, k));
      EXPECT_EQ(adjoints.read(), sums);
    }
}

TEST(WarpSums, OfThreeNeighbours) { test_stencil<double, 3, false>(); }
TEST(WarpSums, OfSevenNeighbours) { test_stencil<float, 7, false>(); }
TEST(WarpSums, OfTwelveNeighbours) { test_stencil<double, 12, false>(); }
TEST(WarpSums, OfThreeNeighboursInSharedMemory) { test_stencil<float, 3, true>(); }
TEST(WarpSums, OfSevenNeighboursInSharedMemory) { test_stencil<double, 7, true>(); }

// ---- Weights that are not beside each other, and one that is read twice ----

struct Weights {
  double slope;
  float unused;
  double offset, curvature;
};

__device__ void curve(const Weights *weights, double *out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = number_of(thread, 0);
  out[thread] = weights->curvature * x * x + weights->slope * x + weights->offset + weights->slope;
}

__global__ void gradient_of_curve(const Weights *weights, Weights *adjoints, double *out, double *seeds) {
  autodiff_deferred<Reverse>(curve, Duplicated{weights, adjoints}, Duplicated{out, seeds});
}

TEST(WarpSums, OfAStructure) {
  const DeviceArray<Weights> weights(1, {1, 1, 1, 1}), adjoints(1, {0, 0, 0, 0});
  const DeviceArray<double> out(192, 0), seeds(192, 1);
  gradient_of_curve<<<2, 96>>>(weights.memory, adjoints.memory, out.memory, seeds.memory);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  double numbers = 0, squares = 0;
  for (int thread = 0; thread < 192; ++thread) {
    numbers += number_of(thread, 0);
    squares += number_of(thread, 0) * number_of(thread, 0);
  }
  const Weights sums = adjoints.read().front();
  EXPECT_EQ(sums.slope, numbers + 192);
  EXPECT_EQ(sums.offset, 192);
  EXPECT_EQ(sums.curvature, squares);
  EXPECT_EQ(sums.unused, 0);
}

} // namespace
