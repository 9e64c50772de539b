// Memory for tapes that the host allocates (<assay/gpu/tape.hpp>).

#include <gtest/gtest.h>

#include <assay/autodiff.hpp>
#include <assay/gpu.hpp>
#include <assay/gpu/host.hpp>
#include <assay/gpu/tape.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace assay;

/// A tape of its own on each level.
__device__ double nested(double x, int levels) {
  double product = x;
  for (int k = 0; k < levels; ++k)
    product = product * x + sin(product);
  return levels > 1 ? product * nested(sin(product), levels / 2) : product;
}

/// How often the loop runs depends on the numbers, so that a tape of the loop grows.
__device__ void body(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double value = x[i];
  for (int k = 0; value < 3 && k < 40 + i; ++k)
    value = 0.3 * value * value + sin(value) * x[k % 5] + 0.2;
  y[i] = value + nested(0.1 * x[i], 6);
}
__global__ void primal(const double *x, double *y, int n) {
  body(x, y, n);
}
ASSAY_LAUNCH(primal, body);
__global__ void gradient(const double *x, double *dx, double *y, double *dy, int n, Tapes tapes) {
  autodiff_deferred<Reverse>(tapes, body, Duplicated{x, dx}, Duplicated{y, dy}, Const{n});
}

namespace {

constexpr int blocks = 3, threads = 32, size = 90;
const dim3 grid(blocks, 1, 1), block(threads, 1, 1);

class DeviceNumbers {
public:
  explicit DeviceNumbers(const std::vector<double> &numbers) : size_(numbers.size()) {
    cudaMalloc(reinterpret_cast<void **>(&memory_), size_ * sizeof(double));
    cudaMemcpy(memory_, numbers.data(), size_ * sizeof(double), cudaMemcpyHostToDevice);
  }
  ~DeviceNumbers() { cudaFree(memory_); }
  operator double *() const { return memory_; }
  std::vector<double> get() const {
    std::vector<double> numbers(size_);
    cudaMemcpy(numbers.data(), memory_, size_ * sizeof(double), cudaMemcpyDeviceToHost);
    return numbers;
  }

private:
  double *memory_ = nullptr;
  std::size_t size_;
};

std::vector<double> points() {
  std::vector<double> x(size);
  for (int i = 0; i < size; ++i)
    x[i] = 0.3 + 0.01 * i;
  return x;
}

std::vector<double> values(const std::vector<double> &at) {
  const DeviceNumbers x(at), y(std::vector<double>(size, 0));
  primal<<<grid, block>>>(x, y, size);
  return y.get();
}

/// The sum over y, by central differences along the direction of all ones.
double difference() {
  constexpr double step = 1e-5;
  std::vector<double> above = points(), below = points();
  for (int i = 0; i < size; ++i) {
    above[i] += step;
    below[i] -= step;
  }
  above = values(above);
  below = values(below);
  double sum = 0;
  for (int i = 0; i < size; ++i)
    sum += (above[i] - below[i]) / (2 * step);
  return sum;
}

/// Of the sum over y; nothing where the launch failed.
std::vector<double> gradient_with(const Tapes &tapes) {
  const DeviceNumbers x(points()), dx(std::vector<double>(size, 0)), y(std::vector<double>(size, 0)),
      dy(std::vector<double>(size, 1));
  gradient<<<grid, block>>>(x, dx, y, dy, size, tapes);
  return cudaDeviceSynchronize() == cudaSuccess ? dx.get() : std::vector<double>();
}

/// Threads add to five of the numbers in an order of the device's own.
void expect_same(const std::vector<double> &numbers, const std::vector<double> &expected) {
  ASSERT_EQ(numbers.size(), expected.size());
  for (std::size_t index = 0; index < numbers.size(); ++index)
    EXPECT_NEAR(numbers[index], expected[index], 1e-13 * std::abs(expected[index])) << index;
}

double total(const std::vector<double> &numbers) {
  double sum = 0;
  for (const double number : numbers)
    sum += number;
  return sum;
}

TEST(TapeMemory, IsTheHeapAtFirstAndEnoughAfterwards) {
  TapeMemory memory;
  const std::vector<double> first = gradient_with(memory.reserve(grid, block));
  EXPECT_NEAR(total(first), difference(), 1e-6 * std::abs(difference()));
  EXPECT_EQ(memory.size(), 0U);
  EXPECT_GT(memory.wanted(), 0U);
  const Tapes enough = memory.reserve(grid, block);
  EXPECT_GT(enough.bytes, 0U);
  EXPECT_GT(enough.piece_bytes, 0U); // the frames of `nested`
  const unsigned long long bytes = enough.bytes + enough.piece_bytes;
  EXPECT_GE(bytes, memory.wanted());
  EXPECT_EQ(memory.size(), bytes * blocks * threads);
  expect_same(gradient_with(enough), first);
  EXPECT_LE(memory.wanted(), bytes);
}

/// As long as no launch has counted, both kinds of memory have what the caller says.
TEST(TapeMemory, HasWhatTheCallerSaysAtFirst) {
  TapeMemory memory;
  const Tapes tapes = memory.reserve(dim3(2), dim3(33), 100);
  EXPECT_EQ(tapes.bytes, 112U);
  EXPECT_EQ(tapes.piece_bytes, 112U);
  EXPECT_EQ(memory.size(), (96U + 66U) * 112U); // words are those of whole warps
}

/// Whether a thread gets memory from the heap.
__global__ void ask_heap(int *answer) {
  auto *memory = static_cast<volatile int *>(malloc(16)); // or the compiler would know the answer
  *answer = memory ? *memory = 1 : 0;
  free(const_cast<int *>(memory));
}
bool has_heap() {
  int *place = nullptr, answer = -1;
  cudaMalloc(reinterpret_cast<void **>(&place), sizeof answer);
  ask_heap<<<1, 1>>>(place);
  cudaMemcpy(&answer, place, sizeof answer, cudaMemcpyDeviceToHost);
  cudaFree(place);
  return answer == 1;
}

bool is_emulated() {
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  return std::string(properties.name) == "Assay emulation on the CPU";
}

TEST(TapeMemory, MakesTheHeapSuperfluous) {
  TapeMemory memory;
  const std::vector<double> expected = gradient_with(memory.reserve(grid, block));
  const Tapes enough = memory.reserve(grid, block);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 0);
  if (is_emulated()) // A device sets up its heap once, for the first launch that uses it.
    EXPECT_FALSE(has_heap());
  expect_same(gradient_with(enough), expected);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, std::size_t(1) << 26);
  EXPECT_TRUE(has_heap());
}

TEST(TapeMemory, IsHelpedOutByTheHeapWhereItIsTooSmall) {
  TapeMemory memory;
  const std::vector<double> expected = gradient_with({});
  for (const std::size_t bytes : {16, 48, 256, 1024}) {
    SCOPED_TRACE(bytes);
    expect_same(gradient_with(memory.reserve(grid, block, bytes)), expected);
  }
}

TEST(TapeMemory, IsKeptBetweenRegisteredLaunches) {
  const auto run = [](const double *in, double *out) {
    double *x = nullptr, *y = nullptr;
    cudaMalloc(reinterpret_cast<void **>(&x), size * sizeof(double));
    cudaMalloc(reinterpret_cast<void **>(&y), size * sizeof(double));
    cudaMemcpy(x, in, size * sizeof(double), cudaMemcpyHostToDevice);
    primal<<<grid, block>>>(x, y, size);
    cudaMemcpy(out, y, size * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
  };
  const auto gradient_of_run = [&] {
    std::vector<double> in = points(), d_in(size, 0), out(size, 0), d_out(size, 1);
    autodiff<Reverse>(run, Duplicated{in.data(), d_in.data()}, Duplicated{out.data(), d_out.data()});
    return d_in;
  };
  const std::vector<double> first = gradient_of_run();
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 0);
  expect_same(gradient_of_run(), first);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, std::size_t(1) << 26);
  EXPECT_NEAR(total(first), difference(), 1e-6 * std::abs(difference()));
}

} // namespace
