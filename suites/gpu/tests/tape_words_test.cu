// Where the tapes of the threads of a launch lie in the memory that the host allocates (<assay/gpu/tape.hpp>).

#include <gtest/gtest.h>

#include <assay/gpu.hpp>
#include <assay/gpu/tape.hpp>

#include <cmath>
#include <vector>

using namespace assay;

__device__ int thread_number() {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  return block * blockDim.x * blockDim.y * blockDim.z + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
         threadIdx.x;
}

/// Keeps a number in each iteration.
template <class T>
__device__ void squares(const T *x, T *y, int steps) {
  T value = x[thread_number()];
  for (int k = 0; k < steps; ++k)
    value = T(0.5) * value * value;
  y[thread_number()] = value;
}

/// The same in a nest whose inner loop has another length for each thread and execution.
template <class T>
__device__ void nest(const T *x, T *y, int steps) {
  T value = x[thread_number()];
  for (int k = 0; k < steps; ++k) {
    const int length = (thread_number() + k) % 5;
    for (int j = 0; j < length; ++j)
      value = T(0.4) * value * value + T(0.1) * T(j) * value;
    value += T(0.3) * x[thread_number()];
  }
  y[thread_number()] = value;
}

/// A tape that grows, of numbers, choices and integers.
template <class T>
__device__ void growing(const T *x, T *y, int steps) {
  T value = x[thread_number()];
  int state = thread_number();
  for (int k = 0; value < T(3) && k < steps + thread_number() % 40; ++k) {
    state = (state * 1103 + 12345) & 0x7fff;
    if (value * T(state % 7) > T(1.5))
      value = T(0.2) * value * value + T(0.3);
    else
      value += T(0.05) * T(state % 5) * value * value + T(0.02);
  }
  y[thread_number()] = value;
}

/// Choices alone.
template <class T>
__device__ void choices(const T *x, T *y, int steps) {
  T value = x[thread_number()];
  for (int k = 0; k < steps; ++k)
    value = value > T(0.5) ? T(0.5) * value : T(0.9) - T(1.3) * value;
  y[thread_number()] = value;
}

/// Vectors and structs.
template <class T>
using Three = T __attribute__((ext_vector_type(3)));
template <class T>
struct Pair {
  T first;
  float second;
};
template <class T>
__device__ __attribute__((noinline)) Pair<T> halves(T value) {
  return {value * value, float(value) * 0.5f};
}
template <class T>
__device__ void wide(const T *x, T *y, int steps) {
  const T start = x[thread_number()];
  Three<T> value{start, T(0.5) * start, T(0.25)};
  Pair<T> pair{start, 0.5f};
  for (int k = 0; k < steps; ++k) {
    value = T(0.5) * value * value + T(0.1) * value.zxy;
    pair = halves(T(0.3) * pair.first + T(pair.second) * T(pair.second));
  }
  y[thread_number()] = value.x + value.y * value.z + pair.first * T(pair.second);
}

/// With tapes of its own on each level.
template <class T>
__device__ T level(T x, int levels) {
  T product = x;
  for (int k = 0; k < levels; ++k)
    product = T(0.8) * product * x + T(0.1) * product * product;
  return levels > 1 ? product * level(product + x, levels / 2) + product : product;
}
template <class T>
__device__ void levels(const T *x, T *y, int steps) {
  y[thread_number()] = level(x[thread_number()], steps);
}

template <class T, auto Body>
__global__ void primal(const T *x, T *y, int steps) {
  Body(x, y, steps);
}
template <class T, auto Body>
__global__ void gradient(const T *x, T *dx, T *y, T *dy, int steps, Tapes tapes) {
  autodiff_deferred<Reverse>(tapes, Body, Duplicated{x, dx}, Duplicated{y, dy}, Const{steps});
}

namespace {

template <class T>
class DeviceNumbers {
public:
  explicit DeviceNumbers(const std::vector<T> &numbers) : size_(numbers.size()) {
    cudaMalloc(reinterpret_cast<void **>(&memory_), size_ * sizeof(T));
    cudaMemcpy(memory_, numbers.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~DeviceNumbers() { cudaFree(memory_); }
  operator T *() const { return memory_; }
  std::vector<T> get() const { return copy_of(memory_, size_); }
  static std::vector<T> copy_of(const void *memory, std::size_t size) {
    std::vector<T> numbers(size);
    cudaMemcpy(numbers.data(), memory, size * sizeof(T), cudaMemcpyDeviceToHost);
    return numbers;
  }

private:
  T *memory_ = nullptr;
  std::size_t size_;
};

struct Launch {
  dim3 grid, block;
  int threads() const { return grid.x * grid.y * grid.z * block.x * block.y * block.z; }
};
const Launch launches[] = {{dim3(2), dim3(64)},
                           {dim3(3), dim3(20)},
                           {dim3(2, 3), dim3(5, 3, 2)},
                           {dim3(1), dim3(1)},
                           {dim3(2, 1, 2), dim3(3, 11)}};

template <class T>
std::vector<T> points(const Launch &launch) {
  std::vector<T> x(launch.threads());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = T(0.3) + T(i % 29) / T(32);
  return x;
}

template <class T, auto Body>
std::vector<T> values(const Launch &launch, const std::vector<T> &at, int steps) {
  const DeviceNumbers<T> x(at), y(std::vector<T>(at.size(), 0));
  primal<T, Body><<<launch.grid, launch.block>>>(x, y, steps);
  return y.get();
}

template <class T, auto Body>
std::vector<T> gradient_with(const Launch &launch, const Tapes &tapes, int steps) {
  const std::vector<T> zeros(launch.threads(), 0);
  const DeviceNumbers<T> x(points<T>(launch)), dx(zeros), y(zeros), dy(std::vector<T>(launch.threads(), 1));
  gradient<T, Body><<<launch.grid, launch.block>>>(x, dx, y, dy, steps, tapes);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return dx.get();
}

/// Against central differences.
template <class T, auto Body>
void check_derivative(const Launch &launch, const std::vector<T> &derivative, int steps) {
  std::vector<T> above = points<T>(launch), below = above;
  const T step = std::is_same_v<T, double> ? T(1e-6) : T(1e-3);
  for (std::size_t i = 0; i < above.size(); ++i) {
    above[i] += step;
    below[i] -= step;
  }
  const std::vector<T> y = values<T, Body>(launch, above, steps), z = values<T, Body>(launch, below, steps);
  const double tolerance = std::is_same_v<T, double> ? 1e-5 : 2e-2;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double difference = (double(y[i]) - z[i]) / (double(above[i]) - below[i]);
    EXPECT_NEAR(derivative[i], difference, tolerance * (1 + std::abs(difference))) << i;
  }
}

enum class Differences { near, jump };

/// On the heap, with memory that is too short, and with enough.
template <class T, auto Body>
void check(int steps, Differences differences = Differences::near) {
  for (const Launch &launch : launches) {
    const std::vector<T> on_heap = gradient_with<T, Body>(launch, {}, steps);
    TapeMemory memory;
    for (const std::size_t bytes : {16, 48, 144, 512, 2048, 0})
      EXPECT_EQ((gradient_with<T, Body>(launch, memory.reserve(launch.grid, launch.block, bytes), steps)), on_heap)
          << bytes;
    if (differences == Differences::near)
      check_derivative<T, Body>(launch, on_heap, steps);
  }
}

TEST(TapeWords, OfSquares) {
  check<double, squares<double>>(7);
  check<float, squares<float>>(7);
}
TEST(TapeWords, OfNests) {
  check<double, nest<double>>(9);
  check<float, nest<float>>(9);
}
TEST(TapeWords, OfTapesThatGrow) {
  check<double, growing<double>>(60);
  check<float, growing<float>>(60);
}
TEST(TapeWords, OfChoices) {
  check<double, choices<double>>(20);
  check<float, choices<float>>(20, Differences::jump); // over kinks
}
TEST(TapeWords, OfVectorsAndStructs) {
  check<double, wide<double>>(8);
  check<float, wide<float>>(8);
}
TEST(TapeWords, OfFunctionsThatCallEachOther) {
  check<double, levels<double>>(6);
  check<float, levels<float>>(6);
}

/// The words that 32 threads access at the same time follow one another.
TEST(TapeWords, OfNeighboursAreNeighbours) {
  constexpr std::size_t lanes = 32;
  constexpr int steps = 5;
  for (const Launch &launch : launches) {
    TapeMemory memory;
    gradient_with<double, squares<double>>(launch, memory.reserve(launch.grid, launch.block), steps);
    const Tapes tapes = memory.reserve(launch.grid, launch.block);
    ASSERT_GE(tapes.bytes, steps * sizeof(double));
    gradient_with<double, squares<double>>(launch, tapes, steps);
    const std::size_t threads = launch.threads(), rows = tapes.bytes / sizeof(double);
    const std::vector<double> words =
        DeviceNumbers<double>::copy_of(tapes.memory, (threads + lanes - 1) / lanes * lanes * rows);
    std::vector<double> value = points<double>(launch);
    for (int k = 0; k < steps; ++k) {
      std::size_t row = 0; // which one has this step
      while (row < rows && words[row * lanes] != value[0])
        ++row;
      ASSERT_LT(row, rows) << k;
      for (std::size_t i = 0; i < threads; ++i)
        EXPECT_EQ(words[(i / lanes * rows + row) * lanes + i % lanes], value[i]) << i << ' ' << k;
      for (double &number : value)
        number = 0.5 * number * number;
    }
  }
}

} // namespace
