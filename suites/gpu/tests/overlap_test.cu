// Loops that write where they read: the derivative reads again what nothing overwrote, and asks first whether buffers
// overlap. All numbers are small integers.

#include "device_array.hpp"

#include <gtest/gtest.h>

#include <assay/gpu.hpp>

#include <string>
#include <vector>

using namespace assay;
using test::DeviceArray;

namespace {

constexpr int blocks = 2, block = 64, threads = blocks * block;

/// One operation of a thread: target = factor * source * source, where all are places in one memory.
struct Step {
  int source, target, factor;
};

/// The adjoints of the memory before all steps, from those behind.
std::vector<double> adjoints_before(std::vector<double> memory, std::vector<double> adjoints,
                                    const std::vector<double> &factors, std::vector<double> &of_factors,
                                    const std::vector<Step> &steps) {
  std::vector<double> sources;
  for (const Step &step : steps) {
    sources.push_back(memory[step.source]);
    memory[step.target] = factors[step.factor] * memory[step.source] * memory[step.source];
  }
  for (std::size_t index = steps.size(); index-- > 0;) {
    const Step &step = steps[index];
    const double seed = std::exchange(adjoints[step.target], 0);
    of_factors[step.factor] += seed * sources[index] * sources[index];
    adjoints[step.source] += seed * 2 * factors[step.factor] * sources[index];
  }
  return adjoints;
}

std::vector<double> numbers_below(int count, int limit) {
  std::vector<double> result(count);
  for (int index = 0; index < count; ++index)
    result[index] = 1 + index % (limit - 1);
  return result;
}

/// The kernel on pointers into one buffer, and the same steps by hand.
template <class Launch>
void expect_steps(int count, int number_of_factors, const std::vector<Step> &steps, const Launch &launch) {
  const std::vector<double> memory = numbers_below(count, 4), factors = numbers_below(number_of_factors, 3);
  std::vector<double> seeds(count), of_factors(number_of_factors);
  for (int index = 0; index < count; ++index)
    seeds[index] = index % 3;
  const DeviceArray<double> values(memory), adjoints(seeds), weights(factors), of_weights(of_factors);
  launch(values.memory, adjoints.memory, weights.memory, of_weights.memory);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(adjoints.read(), adjoints_before(memory, seeds, factors, of_factors, steps));
  EXPECT_EQ(of_weights.read(), of_factors);
  std::vector<double> after = memory;
  for (const Step &step : steps)
    after[step.target] = factors[step.factor] * after[step.source] * after[step.source];
  EXPECT_EQ(values.read(), after);
}

// ---- Rows of an array, an element of each for each thread ----

__device__ void square_rows(const double *from, double *to, const double *factors, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < rows; ++row)
    to[row * threads + i] = factors[row] * from[row * threads + i] * from[row * threads + i];
}

__global__ void gradient_of_rows(const double *from, double *from_adjoints, double *to, double *to_adjoints,
                                 const double *factors, double *factor_adjoints, int rows) {
  autodiff_deferred<Reverse>(square_rows, Duplicated{from, from_adjoints}, Duplicated{to, to_adjoints},
                             Duplicated{factors, factor_adjoints}, Const{rows});
}

/// `to` lies that many numbers behind `from`.
void test_rows(int distance) {
  SCOPED_TRACE("distance " + std::to_string(distance));
  constexpr int rows = 3;
  std::vector<Step> steps;
  for (int i = 0; i < threads; ++i)
    for (int row = 0; row < rows; ++row)
      steps.push_back({row * threads + i, distance + row * threads + i, row});
  expect_steps(distance + rows * threads, rows, steps, [&](double *values, double *adjoints, double *factors, double *of) {
    gradient_of_rows<<<blocks, block>>>(values, adjoints, values + distance, adjoints + distance, factors, of, rows);
  });
}

TEST(Overlap, OfBuffersApart) { test_rows(3 * threads); }
TEST(Overlap, OfOneBuffer) { test_rows(0); }
TEST(Overlap, OfBuffersShiftedByARow) { test_rows(threads); }
TEST(Overlap, OfBuffersShiftedByTwoRows) { test_rows(2 * threads); }

// ---- A store outside of loops, before, behind and between those in loops ----

template <int Place>
__device__ void square_rows_and_one(const double *from, double *to, const double *factors, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto square = [&](int row) {
    to[row * threads + i] = factors[row] * from[row * threads + i] * from[row * threads + i];
  };
  if (Place == 0)
    square(0);
  for (int row = 0; row < rows; ++row)
    square(row);
  if (Place == 1)
    square(0);
  for (int row = rows; row-- > 0;)
    square(row);
  if (Place == 2)
    square(0);
}

template <int Place>
__global__ void gradient_of_rows_and_one(const double *from, double *from_adjoints, double *to, double *to_adjoints,
                                         const double *factors, double *factor_adjoints, int rows) {
  autodiff_deferred<Reverse>(square_rows_and_one<Place>, Duplicated{from, from_adjoints}, Duplicated{to, to_adjoints},
                             Duplicated{factors, factor_adjoints}, Const{rows});
}

template <int Place>
void test_rows_and_one(int distance) {
  SCOPED_TRACE("distance " + std::to_string(distance));
  constexpr int rows = 2;
  std::vector<Step> steps;
  const auto square = [&](int i, int row) { steps.push_back({row * threads + i, distance + row * threads + i, row}); };
  for (int i = 0; i < threads; ++i) {
    if (Place == 0)
      square(i, 0);
    for (int row = 0; row < rows; ++row)
      square(i, row);
    if (Place == 1)
      square(i, 0);
    for (int row = rows; row-- > 0;)
      square(i, row);
    if (Place == 2)
      square(i, 0);
  }
  expect_steps(distance + rows * threads, rows, steps, [&](double *values, double *adjoints, double *factors, double *of) {
    gradient_of_rows_and_one<Place>
        <<<blocks, block>>>(values, adjoints, values + distance, adjoints + distance, factors, of, rows);
  });
}

TEST(Overlap, BehindAStoreOutsideOfLoops) {
  test_rows_and_one<0>(threads);
  test_rows_and_one<0>(2 * threads);
}
TEST(Overlap, AroundAStoreOutsideOfLoops) {
  test_rows_and_one<1>(threads);
  test_rows_and_one<1>(2 * threads);
}
TEST(Overlap, BeforeAStoreOutsideOfLoops) {
  test_rows_and_one<2>(threads);
  test_rows_and_one<2>(2 * threads);
}

// ---- Indices of few bits that wrap around ----

template <class Index>
__device__ void square_around(const double *from, double *to, const double *factors, int first, int count) {
  if (threadIdx.x + blockIdx.x > 0)
    return;
  Index source = static_cast<Index>(first);
  for (int k = 0; k < count; ++k, ++source)
    to[k] = factors[0] * from[source] * from[source];
}

template <class Index>
__global__ void gradient_around(const double *from, double *from_adjoints, double *to, double *to_adjoints,
                                const double *factors, double *factor_adjoints, int first, int count) {
  autodiff_deferred<Reverse>(square_around<Index>, Duplicated{from, from_adjoints}, Duplicated{to, to_adjoints},
                             Duplicated{factors, factor_adjoints}, Const{first}, Const{count});
}

template <class Index>
void test_around(int origin, int distance, int first, int count) {
  std::vector<Step> steps;
  for (int k = 0; k < count; ++k)
    steps.push_back({origin + static_cast<Index>(first + k), origin + distance + k, 0});
  expect_steps(600, 1, steps, [&](double *values, double *adjoints, double *factors, double *of) {
    gradient_around<Index><<<blocks, block>>>(values + origin, adjoints + origin, values + origin + distance,
                                              adjoints + origin + distance, factors, of, first, count);
  });
}

TEST(Overlap, OfUnsignedBytes) { test_around<unsigned char>(0, 2, 250, 10); }
TEST(Overlap, OfSignedBytes) { test_around<signed char>(200, -126, 122, 12); }
TEST(Overlap, OfBytesThatDoNotWrap) { test_around<unsigned char>(0, 300, 5, 10); }

} // namespace
