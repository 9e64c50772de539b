// Sums in shadows where the launch gives each thread places of its own, and where it does not though the code looks
// alike. By emulation the program is watched for races, which a plain sum of two threads at one place is.

#include <gtest/gtest.h>

#include <assay/gpu.hpp>

#include <functional>
#include <vector>

using namespace assay;

namespace {

using Numbers = std::vector<double>;

/// An array on the device with its shadow.
class Array {
public:
  explicit Array(const Numbers &numbers) : count_(numbers.size()) {
    cudaMalloc(reinterpret_cast<void **>(&values), bytes());
    cudaMalloc(reinterpret_cast<void **>(&shadow), bytes());
    cudaMemcpy(values, numbers.data(), bytes(), cudaMemcpyHostToDevice);
    cudaMemset(shadow, 0, bytes());
  }
  Array(const Array &) = delete;
  ~Array() {
    cudaFree(values);
    cudaFree(shadow);
  }
  void seed(const Numbers &numbers) { cudaMemcpy(shadow, numbers.data(), bytes(), cudaMemcpyHostToDevice); }
  Numbers adjoints() const {
    Numbers numbers(count_);
    cudaMemcpy(numbers.data(), shadow, bytes(), cudaMemcpyDeviceToHost);
    return numbers;
  }
  double *values = nullptr, *shadow = nullptr;

private:
  std::size_t bytes() const { return count_ * sizeof(double); }
  std::size_t count_;
};

Numbers numbers(std::size_t count) {
  Numbers result(count);
  for (std::size_t index = 0; index < count; ++index)
    result[index] = 0.5 + 0.01 * static_cast<double>(index * 37 % 101);
  return result;
}

void expect_near(const Numbers &seen, const std::function<double(int)> &expected) {
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (std::size_t index = 0; index < seen.size(); ++index)
    EXPECT_NEAR(seen[index], expected(static_cast<int>(index)), 1e-12) << index;
}

// ---- Products of two arrays ----

__device__ void products(const double *a, const double *b, double *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] * a[i] * b[i];
}
__global__ void gradient_of_products(const double *a, double *da, const double *b, double *db, double *out,
                                     double *dout, int n) {
  autodiff_deferred<Reverse>(products, Duplicated{a, da}, Duplicated{b, db}, Duplicated{out, dout}, Const{n});
}

constexpr int count = 300;

TEST(OwnPlaces, ArraysOfTheirOwn) {
  const Numbers a = numbers(count), b = numbers(count + 9), seeds = numbers(count);
  Array first(a), second(b), out(Numbers(count, 0.0));
  out.seed(seeds);
  gradient_of_products<<<5, 64>>>(first.values, first.shadow, second.values, second.shadow, out.values, out.shadow,
                                  count);
  expect_near(first.adjoints(), [&](int i) { return 2 * a[i] * b[i] * seeds[i]; });
  expect_near(out.adjoints(), [](int) { return 0; });
}

TEST(OwnPlaces, OneArrayIsPartOfTheOther) {
  const Numbers a = numbers(count + 1), seeds = numbers(count);
  Array both(a), out(Numbers(count, 0.0));
  out.seed(seeds);
  gradient_of_products<<<5, 64>>>(both.values, both.shadow, both.values + 1, both.shadow + 1, out.values, out.shadow,
                                  count);
  expect_near(both.adjoints(), [&](int i) {
    return (i < count ? 2 * a[i] * a[i + 1] * seeds[i] : 0) + (i > 0 ? a[i - 1] * a[i - 1] * seeds[i - 1] : 0);
  });
}

TEST(OwnPlaces, OneArrayTwice) {
  const Numbers a = numbers(count), seeds = numbers(count);
  Array both(a), out(Numbers(count, 0.0));
  out.seed(seeds);
  gradient_of_products<<<5, 64>>>(both.values, both.shadow, both.values, both.shadow, out.values, out.shadow, count);
  expect_near(both.adjoints(), [&](int i) { return 3 * a[i] * a[i] * seeds[i]; });
}

// ---- Launches in two dimensions ----

__device__ void squares_by_rows(const double *x, double *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[blockIdx.y * n + i] = x[i] * x[i];
}
__global__ void gradient_by_rows(const double *x, double *dx, double *out, double *dout, int n) {
  autodiff_deferred<Reverse>(squares_by_rows, Duplicated{x, dx}, Duplicated{out, dout}, Const{n});
}

TEST(OwnPlaces, SecondDimensionMeansTheSame) {
  const Numbers x = numbers(count), seeds = numbers(3 * count);
  Array in(x), out(Numbers(3 * count, 0.0));
  out.seed(seeds);
  gradient_by_rows<<<dim3(5, 3), 64>>>(in.values, in.shadow, out.values, out.shadow, count);
  expect_near(in.adjoints(), [&](int i) { return 2 * x[i] * (seeds[i] + seeds[count + i] + seeds[2 * count + i]); });
}

// ---- Two derivatives in one kernel ----

__device__ void squares(const double *x, double *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = x[i] * x[i];
}
__global__ void gradients_of_neighbours(const double *x, double *dx, double *first, double *dfirst, double *second,
                                        double *dsecond, int n) {
  autodiff_deferred<Reverse>(squares, Duplicated{x, dx}, Duplicated{first, dfirst}, Const{n});
  autodiff_deferred<Reverse>(squares, Duplicated{x + 1, dx + 1}, Duplicated{second, dsecond}, Const{n});
}

TEST(OwnPlaces, TwoDerivativesMeet) {
  const Numbers x = numbers(count + 1), seeds = numbers(count);
  Array in(x), first(Numbers(count, 0.0)), second(Numbers(count, 0.0));
  first.seed(seeds);
  second.seed(seeds);
  gradients_of_neighbours<<<5, 64>>>(in.values, in.shadow, first.values, first.shadow, second.values, second.shadow,
                                     count);
  expect_near(in.adjoints(),
              [&](int i) { return 2 * x[i] * ((i < count ? seeds[i] : 0) + (i > 0 ? seeds[i - 1] : 0)); });
}

// ---- Rows of blocks ----

/// A block has two numbers of each thread in its row, or rows overlap, as the launch says.
__device__ void halves_of_row(const double *x, double *out, int row, int half) {
  const int t = threadIdx.x;
  const double *own = x + blockIdx.x * row;
  out[blockIdx.x * blockDim.x + t] = own[t] * own[t + half];
}
__global__ void gradient_of_halves(const double *x, double *dx, double *out, double *dout, int row, int half) {
  autodiff_deferred<Reverse>(halves_of_row, Duplicated{x, dx}, Duplicated{out, dout}, Const{row}, Const{half});
}

void check_halves(int blocks, int threads, int row, int half) {
  const Numbers x = numbers(static_cast<std::size_t>((blocks - 1) * row + threads + half)),
                seeds = numbers(blocks * threads);
  Array in(x), out(Numbers(seeds.size(), 0.0));
  out.seed(seeds);
  gradient_of_halves<<<blocks, threads>>>(in.values, in.shadow, out.values, out.shadow, row, half);
  Numbers expected(x.size());
  for (int block = 0; block < blocks; ++block)
    for (int t = 0; t < threads; ++t) {
      const int at = block * row + t;
      expected[at] += seeds[block * threads + t] * x[at + half];
      expected[at + half] += seeds[block * threads + t] * x[at];
    }
  expect_near(in.adjoints(), [&](int i) { return expected[i]; });
}

TEST(OwnPlaces, TwoOfEachThreadInARow) {
  check_halves(4, 32, 64, 32);
}
TEST(OwnPlaces, HalvesOfARowOverlap) {
  check_halves(4, 32, 64, 16);
}
TEST(OwnPlaces, RowsOverlap) {
  check_halves(4, 32, 40, 32);
}
TEST(OwnPlaces, RowsAreOne) {
  check_halves(3, 32, 0, 32);
}

/// A loop over the row, behind which the next one begins; or not, where `length` is more than the row.
__device__ void scaled_rows(const double *x, double *out, int row, int length) {
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    out[blockIdx.x * length + i] = x[blockIdx.x * row + i] * x[blockIdx.x * row + i];
}
__global__ void gradient_of_rows(const double *x, double *dx, double *out, double *dout, int row, int length) {
  autodiff_deferred<Reverse>(scaled_rows, Duplicated{x, dx}, Duplicated{out, dout}, Const{row}, Const{length});
}
__device__ void exact_rows(const double *x, double *out, int row) {
  scaled_rows(x, out, row, row);
}
__global__ void gradient_of_exact_rows(const double *x, double *dx, double *out, double *dout, int row) {
  autodiff_deferred<Reverse>(exact_rows, Duplicated{x, dx}, Duplicated{out, dout}, Const{row});
}

TEST(OwnPlaces, LoopsOverRows) {
  const Numbers x = numbers(4 * 50), seeds = numbers(4 * 50);
  Array in(x), out(Numbers(x.size(), 0.0));
  out.seed(seeds);
  gradient_of_exact_rows<<<4, 32>>>(in.values, in.shadow, out.values, out.shadow, 50);
  expect_near(in.adjoints(), [&](int i) { return 2 * x[i] * seeds[i]; });
}

TEST(OwnPlaces, LoopsBeyondTheirRow) {
  const int blocks = 4, row = 50, length = 60;
  const Numbers x = numbers((blocks - 1) * row + length), seeds = numbers(blocks * length);
  Array in(x), out(Numbers(seeds.size(), 0.0));
  out.seed(seeds);
  gradient_of_rows<<<blocks, 32>>>(in.values, in.shadow, out.values, out.shadow, row, length);
  expect_near(in.adjoints(), [&](int i) {
    double sum = 0;
    for (int block = 0; block < blocks; ++block)
      if (i >= block * row && i < block * row + length)
        sum += 2 * x[i] * seeds[block * length + i - block * row];
    return sum;
  });
}

// ---- Steps of all threads ----

__device__ void strided(const double *x, const double *weights, double *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = x[i] * x[i] * weights[i % 3];
}
__global__ void strided_gradient(const double *x, double *dx, const double *weights, double *dweights, double *out,
                                 double *dout, int n) {
  autodiff_deferred<Reverse>(strided, Duplicated{x, dx}, Duplicated{weights, dweights}, Duplicated{out, dout},
                             Const{n});
}

TEST(OwnPlaces, StepsOfAllThreads) {
  const Numbers x = numbers(count), weights = numbers(3), seeds = numbers(count);
  Array in(x), factors(weights), out(Numbers(count, 0.0));
  out.seed(seeds);
  strided_gradient<<<2, 32>>>(in.values, in.shadow, factors.values, factors.shadow, out.values, out.shadow, count);
  expect_near(in.adjoints(), [&](int i) { return 2 * x[i] * weights[i % 3] * seeds[i]; });
  expect_near(factors.adjoints(), [&](int k) {
    double sum = 0;
    for (int i = k; i < count; i += 3)
      sum += x[i] * x[i] * seeds[i];
    return sum;
  });
}

} // namespace
