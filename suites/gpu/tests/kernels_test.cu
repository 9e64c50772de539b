// Kernels of this suite in an ordinary GoogleTest program.

#include <gtest/gtest.h>

#include <assay/gpu.hpp>

#include <vector>

namespace {
#include "../kernels/saxpy.cu"
#include "../kernels/shuffle_reduction.cu"
#include "../kernels/tree_reduction.cu"
namespace rows {
#include "../kernels/softmax_rows.cu"
}
namespace look_up {
#include "../kernels/table_look_up.cu"
}
namespace rule {
#include "../kernels/registered_rule.cu"
}
} // namespace

using namespace assay;

template <class Number>
static std::vector<Number> numbers(std::size_t count, double first = 0.3) {
  std::vector<Number> values(count);
  for (std::size_t index = 0; index < count; ++index)
    values[index] =
        static_cast<Number>(first + 0.37 * static_cast<double>(index * 7 % 11) - 0.01 * static_cast<double>(index));
  return values;
}

TEST(Saxpy, Gradients) {
  const std::vector<float> x = numbers<float>(250), y = numbers<float>(250);
  test_kernel_forward_all(saxpy, launch(4, 64), x, 2.0f, y, 250);
  test_kernel_reverse_all(saxpy, launch(4, 64), x, 2.0f, y, 250);
}

TEST(TreeReduction, Gradients) {
  test_kernel_reverse_all({.names = {"x", "sums", "n"}}, tree_reduction, launch(2, 64), numbers<double>(200),
                          std::vector<double>(2), 200);
}

TEST(ShuffleReduction, Gradients) {
  test_kernel_reverse_all(shuffle_reduction, launch(1, 96), numbers<float>(90), numbers<float>(90),
                          std::vector<float>(1), 90);
}

TEST(SoftmaxRows, OneCombinationOfEachMode) {
  const std::vector<double> in = numbers<double>(2 * 40);
  test_kernel_reverse(rows::softmax_rows, launch(2, 32), arg<Duplicated>(in), arg<Duplicated>(std::vector<double>(80)),
                      40);
  test_kernel_forward(rows::softmax_rows, launch(2, 32), arg<Duplicated>(in),
                      arg<DuplicatedNoNeed>(std::vector<double>(80)), 40);
}

TEST(TableLookUp, TableAlone) {
  std::vector<double> knots(9);
  for (std::size_t index = 0; index < knots.size(); ++index)
    knots[index] = 0.5 * static_cast<double>(index);
  const std::vector<double> table = numbers<double>(9), x{0.2, 0.7, 1.1, 1.8, 2.3, 3.1, 3.9};
  test_kernel_reverse(look_up::table_look_up, launch(1, 32), knots, arg<Duplicated>(table), arg<Const>(x),
                      arg<Duplicated>(std::vector<double>(7)), 9, 7);
}

TEST(RegisteredRule, Tangent) {
  test_kernel_forward_all(rule::apply, launch(2, 16), numbers<double>(32, -1), std::vector<double>(32));
}

// ---- As users write kernels ----

namespace {

struct Filter {
  float weights[3];
  int stride;
};

__global__ void filtered(const float *in, Filter filter, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += filter.weights[k] * in[(i + k * filter.stride) % n];
  out[i] = sum * sum;
}

__device__ void cube(const double *in, double *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * in[i] * in[i];
}

template <class T>
__global__ void reversed_in_shared_memory(const T *in, T *out) {
  extern __shared__ __align__(16) char bytes[];
  T *shared = reinterpret_cast<T *>(bytes);
  shared[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void lengths(const float4 *points, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const float4 p = points[y * width + x];
  out[y * width + x] = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z) * p.w;
}

} // namespace

TEST(Users, StructByValue) {
  const Filter filter{{0.5f, 1.25f, -0.75f}, 2};
  test_kernel_reverse_all({.names = {"in", "filter", "out", "n"}}, filtered, launch(1, 32), numbers<float>(20), filter,
                          std::vector<float>(20), 20);
}

TEST(Users, DeviceFunctionInEachThread) {
  const double in[] = {0.5, 1, 2, 3, -1};
  std::array<double, 5> out{};
  test_kernel_forward_all(each_thread<cube>, launch(1, 8), in, out, 5);
}

TEST(Users, TemplateWithDynamicSharedMemory) {
  test_kernel_reverse_all(reversed_in_shared_memory<double>, launch(1, 32, 32 * sizeof(double)), numbers<double>(32),
                          std::vector<double>(32));
}

TEST(Users, VectorsAndTwoDimensions) {
  std::vector<float4> points(15);
  for (std::size_t index = 0; index < points.size(); ++index)
    points[index] = {0.5f + 0.1f * index, 1.0f, 2.0f - 0.1f * index, 0.3f};
  test_kernel_reverse_all(lengths, launch(dim3(2, 2), dim3(4, 4)), points, std::vector<float>(15), 5, 3);
}
