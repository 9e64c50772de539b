// The kernels of suites/gpu at sizes of real use on this machine's device: a table of the time of each and of its
// gradient. Exit code 1: a gradient does not agree with a central difference. Emulated (`assay emulate timings.cu --
// 1024`, which divides the sizes) only the agreement says something; names behind that number select kernels.
// gpu/verify-on-device builds it.
#include "timed_kernel.hpp"

#include <cuda_runtime.h>

// The code of the kernels, for kernels of this program's own.
#pragma push_macro("__global__")
#undef __global__
#define __global__ __device__
namespace attention_ {
#include "../../suites/gpu/kernels/attention.cu"
}
namespace bitonic_sort_ {
#include "../../suites/gpu/kernels/bitonic_sort.cu"
}
namespace black_scholes_ {
#include "../../suites/gpu/kernels/black_scholes.cu"
}
namespace convolution_ {
#include "../../suites/gpu/kernels/convolution.cu"
}
namespace dense_layer_ {
#include "../../suites/gpu/kernels/dense_layer.cu"
}
namespace elementwise_ {
#include "../../suites/gpu/kernels/elementwise.cu"
}
namespace histogram_ {
#include "../../suites/gpu/kernels/histogram.cu"
}
namespace lattice_boltzmann_ {
#include "../../suites/gpu/kernels/lattice_boltzmann.cu"
}
namespace layer_norm_ {
#include "../../suites/gpu/kernels/layer_norm.cu"
}
namespace lu_solve_ {
#include "../../suites/gpu/kernels/lu_solve.cu"
}
namespace matrix_product_ {
#include "../../suites/gpu/kernels/matrix_product.cu"
}
namespace monte_carlo_ {
namespace of_numbers {
#include "../../suites/gpu/kernels/monte_carlo.cu"
}
/// Numbers by value have no shadow here, numbers in memory have.
__device__ void monte_carlo(const double *numbers, double *sums, int paths, int steps, unsigned seed) {
  of_numbers::monte_carlo(numbers[0], numbers[1], numbers[2], numbers[3], sums, paths, steps, seed);
}
} // namespace monte_carlo_
namespace n_body_ {
#include "../../suites/gpu/kernels/n_body.cu"
}
namespace saxpy_ {
#include "../../suites/gpu/kernels/saxpy.cu"
}
namespace scan_ {
#include "../../suites/gpu/kernels/scan.cu"
}
namespace shuffle_reduction_ {
#include "../../suites/gpu/kernels/shuffle_reduction.cu"
}
namespace softmax_rows_ {
#include "../../suites/gpu/kernels/softmax_rows.cu"
}
namespace sparse_matrix_vector_ {
#include "../../suites/gpu/kernels/sparse_matrix_vector.cu"
}
namespace special_functions_ {
#include "../../suites/gpu/kernels/special_functions.cu"
}
namespace stencil_global_ {
#include "../../suites/gpu/kernels/stencil_global.cu"
}
namespace stencil_shared_ {
#include "../../suites/gpu/kernels/stencil_shared.cu"
}
namespace table_look_up_ {
#include "../../suites/gpu/kernels/table_look_up.cu"
}
namespace tree_reduction_ {
#include "../../suites/gpu/kernels/tree_reduction.cu"
}
#pragma pop_macro("__global__")

namespace {

using assay::bench::Launch;

/// Uniform between two ends, the same on every run.
template <class T>
std::vector<T> numbers(std::size_t count, double low = -1, double high = 1) {
  std::vector<T> result(count);
  unsigned long long bits = count;
  for (T &number : result) {
    bits = bits * 6364136223846793005ull + 1442695040888963407ull;
    number = static_cast<T>(low + (high - low) * static_cast<double>(bits >> 11) * 0x1p-53);
  }
  return result;
}

std::vector<int> integers(std::size_t count, int below) {
  std::vector<int> result(count);
  const std::vector<double> drawn = numbers<double>(count, 0, below);
  std::copy(drawn.begin(), drawn.end(), result.begin());
  return result;
}

/// Matrices of 4 rows whose diagonals are large, so that nothing is exchanged on the way.
std::vector<double> dominant_matrices(std::size_t count) {
  std::vector<double> result = numbers<double>(16 * count);
  for (std::size_t matrix = 0; matrix < count; ++matrix)
    for (std::size_t row = 0; row < 4; ++row)
      result[16 * matrix + 5 * row] += 5;
  return result;
}

template <class T>
std::vector<T> ascending(std::size_t count, T step) {
  std::vector<T> result(count);
  for (std::size_t index = 0; index < count; ++index)
    result[index] = static_cast<T>(index) * step;
  return result;
}

/// Sizes are divided by it.
int reduction = 1;
int elements(int megas) {
  return static_cast<int>((static_cast<long long>(megas) << 20) / reduction);
}
/// The side of a square of about so many elements, a power of two.
int side(int count) {
  int result = 1;
  while (4LL * result * result <= count)
    result *= 2;
  return result;
}
unsigned blocks(int threads, int block) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

/// Kernels to time; all where there are no names.
std::vector<std::string> names;
bool is_asked_for(const char *name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// The kernel `name`, whose arguments follow the launch.
#define TIME(name, kind, launch, ...)                                                                                  \
  if (is_asked_for(#name))                                                                                             \
  failures += !assay::bench::TimedKernel<&name##_::name, decltype(&name##_::name)>(Launch launch, __VA_ARGS__)         \
                   .report(#name, kind)

int time_streaming_kernels() {
  int failures = 0;
  const int n = elements(16), million = elements(1);
  TIME(saxpy, "streaming", ({blocks(2 * n, 256), 256, 0, 1e-2}), numbers<float>(2 * n), 2.0f, numbers<float>(2 * n),
       2 * n);
  TIME(elementwise, "streaming", ({blocks(n, 256), 256}), numbers<double>(n, 0.1, 2), numbers<double>(n), n);
  TIME(stencil_shared, "streaming", ({blocks(2 * n, 64), 64, 0, 1e-2}), numbers<float>(2 * n), numbers<float>(7),
       numbers<float>(2 * n), 2 * n);
  const int width = side(n), height = n / width;
  TIME(stencil_global, "streaming", ({dim3(blocks(width, 32), blocks(height, 8)), dim3(32, 8)}), numbers<double>(n),
       numbers<double>(n), 0.1, width, height);
  TIME(tree_reduction, "streaming", ({blocks(n, 128), 64}), numbers<double>(n), numbers<double>(blocks(n, 128)), n);
  TIME(shuffle_reduction, "streaming", ({blocks(2 * n, 256), 256, 0, 1e-2}), numbers<float>(2 * n),
       numbers<float>(2 * n), numbers<float>(blocks(2 * n, 256)), 2 * n);
  TIME(histogram, "streaming", ({blocks(n, 256), 256}), numbers<double>(n), integers(n, 16), numbers<double>(16), n);
  TIME(scan, "streaming", ({blocks(n, 128), 64}), numbers<double>(n), numbers<double>(n));
  TIME(softmax_rows, "streaming", ({blocks(n, 1024), 32, 1024}), numbers<double>(n), numbers<double>(n), 1024);
  TIME(layer_norm, "streaming", ({blocks(n, 1024), 32, 1024}), numbers<double>(n), numbers<double>(1024),
       numbers<double>(1024), numbers<double>(n), 1024);
  const int lattice_width = side(2 * million), lattice_height = 2 * million / lattice_width;
  TIME(lattice_boltzmann, "streaming", ({dim3(blocks(lattice_width, 32), blocks(lattice_height, 8)), dim3(32, 8)}),
       numbers<double>(18 * million, 0.5, 1.5), numbers<double>(18 * million), 1.2, lattice_width, lattice_height);
  TIME(sparse_matrix_vector, "streaming", ({blocks(million, 256), 256}), numbers<double>(16 * million),
       integers(16 * million, million), ascending<int>(million + 1, 16), numbers<double>(million),
       numbers<double>(million), million);
  TIME(table_look_up, "streaming", ({blocks(n, 256), 256, 0, 1e-9}), ascending<double>(1025, 1.0 / 1024),
       numbers<double>(1025), numbers<double>(n, 0.01, 0.99), numbers<double>(n), 1025, n);
  TIME(bitonic_sort, "streaming", ({blocks(n, 64), 64, 512, 1e-9}), numbers<double>(n));
  return failures;
}

int time_compute_kernels() {
  int failures = 0;
  const int n = elements(4), million = elements(1);
  TIME(special_functions, "compute", ({blocks(n, 256), 256}), numbers<double>(n, 0.05, 0.95), numbers<double>(n), n);
  TIME(black_scholes, "compute", ({blocks(n, 256), 256, 512}), numbers<double>(n, 50, 150), numbers<double>(n, 60, 140),
       numbers<double>(n, 0.2, 2), numbers<double>(n), numbers<double>(n), 0.03, 0.3, n);
  TIME(lu_solve, "compute", ({blocks(million, 64), 64, 512}), dominant_matrices(million), numbers<double>(4 * million),
       numbers<double>(4 * million), million);
  const int bodies = 4 * side(16 * million);
  TIME(n_body, "compute", ({blocks(bodies, 32), 32, 65536}), numbers<double>(4 * bodies, 0.1, 4),
       numbers<double>(3 * bodies), 0.05, bodies);
  const int matrix = side(million);
  TIME(matrix_product, "compute", ({dim3(blocks(matrix, 8), blocks(matrix, 8)), dim3(8, 8), 8192}),
       numbers<double>(matrix * matrix), numbers<double>(matrix * matrix), numbers<double>(matrix * matrix), matrix,
       matrix, matrix);
  const int queries = 8 * side(million), keys = side(million) / 2;
  TIME(attention, "compute", ({blocks(queries, 16), 16, 65536}), numbers<double>(8 * queries),
       numbers<double>(8 * keys), numbers<double>(8 * keys), numbers<double>(8 * queries), queries, keys);
  const int image = side(million) / 2, filters = 16;
  TIME(convolution, "compute", ({dim3(blocks(image, 32), blocks(image, 8), 16), dim3(32, 8), 0, 1e-2}),
       numbers<float>(16 * image * image, 0.1, 1), numbers<float>(filters * 16 * 9, 0.1, 1),
       numbers<float>(filters, 0.1, 1), numbers<float>(filters * image * image), 16, image, image);
  TIME(dense_layer, "compute", ({blocks(million, 256), 256}), numbers<double>(16 * million), numbers<double>(8 * 16),
       numbers<double>(8), numbers<double>(8 * million), million, 16, 8);
  const int paths = 4 * side(million);
  TIME(monte_carlo, "compute", ({blocks(32 * paths, 32), 32, 16384}), std::vector<double>{100, 100, 0.03, 0.2},
       numbers<double>(paths), 8, 64, 7);
  return failures;
}

} // namespace

int main(int count, char **words) {
  reduction = count > 1 ? std::max(1, std::atoi(words[1])) : 1;
  names.assign(words + std::min(count, 2), words + count);
  cudaDeviceProp properties{};
  assay::bench::expect_success(cudaGetDeviceProperties(&properties, 0), "asking for the device");
  assay::bench::expect_success(cudaDeviceSetLimit(cudaLimitMallocHeapSize, std::size_t{1} << 30), "sizing the heap");
  std::printf("%s\n| kernel | kind | kernel, µs | gradient, µs | ratio | tape, bytes per thread | against a "
              "difference\n|---|---|---|---|---|---|---\n",
              properties.name);
  const int failures = time_streaming_kernels() + time_compute_kernels();
  std::printf("%d gradients differ\n", failures);
  return failures == 0 ? 0 : 1;
}
