// Launches of kernels that are differentiated as they are: they take structs that hold pointers and numbers, views
// whose fields are private, and function objects, and share dynamic memory; one has internal linkage and bounds for its
// launches.
#include <assay/autodiff.hpp>
#include <assay/gpu/host.hpp>
#include <cmath>
#include <cstdio>
#include <vector>
using namespace assay;

constexpr int count = 24, rows = 6, columns = 4;

struct Grid {
  int n;
  double width;
};
struct Domain {
  const double *x;
  double *speed, *energy;
  Grid grid;
  double step;
  int *left;
  float scale[2];
};
/// Vectors are aligned as much as they are large.
struct Push {
  double2 now;
  bool is_on;
};
__global__ void advance(Domain d, const Push push, double2 shift, float4 weights, char by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= d.grid.n)
    return;
  d.speed[i] += d.step * (d.x[d.left[i]] - d.x[i]) / d.grid.width + push.now.y * d.scale[1] * push.is_on;
  d.speed[i] += shift.x * weights.z * d.x[(i + by) % d.grid.n] - shift.y * weights.w;
  d.energy[i] = 0.5 * d.speed[i] * d.speed[i] * d.scale[0];
}
ASSAY_LAUNCH(advance);

template <class T>
class View {
public:
  __host__ __device__ View(T *first, int row_count, int column_count)
      : first_(first), rows_(row_count), columns_(column_count) {}
  __device__ T &operator()(int row, int column) const { return first_[row * columns_ + column]; }
  __device__ int columns() const { return columns_; }

private:
  T *first_;
  int rows_, columns_;
};
__global__ void times(View<const double> a, View<const double> b, View<double> c) {
  double sum = 0;
  for (int k = 0; k < a.columns(); ++k)
    sum += a(blockIdx.x, k) * b(k, threadIdx.x);
  c(blockIdx.x, threadIdx.x) = sum;
}
ASSAY_LAUNCH(times);

struct Wave {
  double amplitude, damping;
  __device__ double operator()(double x) const { return amplitude * sin(x) - damping * x * x; }
};
template <class Number, class F>
__global__ void each(Number *c, int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    c[i] = f(c[i]);
}
ASSAY_LAUNCH((each<double, Wave>));

static __global__ void __launch_bounds__(32) sum_in_shared_memory(const double *x, double *total, int n) {
  extern __shared__ double parts[];
  const int t = threadIdx.x;
  parts[t] = 0;
  for (int i = t; i < n; i += 32)
    parts[t] += x[i];
  __syncthreads();
  for (int distance = 16; distance > 0; distance /= 2) {
    if (t < distance)
      parts[t] += parts[t + distance];
    __syncthreads();
  }
  if (t == 0)
    *total = parts[0] * parts[0];
}
ASSAY_LAUNCH(sum_in_shared_memory);

double run(const double *in, double step, double width) {
  std::vector<int> left(count);
  for (int i = 0; i < count; ++i)
    left[i] = (i + count - 1) % count;
  Domain d{};
  double *x, *product, *total;
  cudaMalloc(&x, count * sizeof(double));
  cudaMalloc(&d.speed, count * sizeof(double));
  cudaMalloc(&d.energy, count * sizeof(double));
  cudaMalloc(&d.left, count * sizeof(int));
  cudaMalloc(&product, rows * columns * sizeof(double));
  cudaMalloc(&total, sizeof(double));
  cudaMemcpy(x, in, count * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(d.speed, 0, count * sizeof(double));
  cudaMemcpy(d.left, left.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  d.x = x;
  d.grid = {count, width};
  d.step = step;
  d.scale[0] = 1.5F;
  d.scale[1] = 0.3F;
  for (int round = 0; round < 3; ++round) {
    advance<<<3, 8>>>(d, {make_double2(1, 0.1 * step), true}, make_double2(0.1 * step, width * width),
                      make_float4(0, 0, 0.5F, 0.25F), 3);
    d.step *= 0.9; // launches that were made keep what they were given
  }
  times<<<rows, columns>>>({d.energy, rows, columns}, {x, columns, columns}, {product, rows, columns});
  each<<<1, 8>>>(product, rows * columns, Wave{step, width});
  sum_in_shared_memory<<<1, 32, 32 * sizeof(double)>>>(product, total, rows * columns);
  double result;
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  for (double *memory : {x, d.speed, d.energy, product, total})
    cudaFree(memory);
  cudaFree(d.left);
  return result;
}

extern int enzyme_dup, enzyme_const, enzyme_width;
template <class Result, class... Argument>
Result __enzyme_fwddiff(void *, Argument...);
template <class Result, class... Argument>
Result __enzyme_autodiff(void *, Argument...);
struct Tangents {
  double first, second;
};

/// Each lane as it is alone.
int wrong_lanes(const std::vector<double> &x, const std::vector<double> &gradient) {
  std::vector<double> a(count), b(count), of_a(count), of_b(count);
  for (int i = 0; i < count; ++i)
    a[i] = i % 3, b[i] = 1 - i % 2;
  const auto tangents = __enzyme_fwddiff<Tangents>((void *)run, enzyme_width, 2, enzyme_dup, x.data(), a.data(),
                                                   b.data(), enzyme_const, 0.2, enzyme_const, 0.5);
  __enzyme_autodiff<void>((void *)run, enzyme_width, 2, enzyme_dup, x.data(), of_a.data(), of_b.data(), enzyme_const,
                          0.2, enzyme_const, 0.5);
  double first = 0, second = 0;
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    first += gradient[i] * a[i], second += gradient[i] * b[i];
    wrong += of_a[i] == gradient[i] && of_b[i] == gradient[i] ? 0 : 1;
  }
  const auto differ = [](double left, double right) { return !(std::abs(left - right) <= 1e-12 * std::abs(right)); };
  wrong += differ(tangents.first, first) + differ(tangents.second, second);
  if (wrong != 0)
    std::printf("%d wrong lanes: %g %g, should be %g %g\n", wrong, tangents.first, tangents.second, first, second);
  return wrong;
}

int main() {
  std::vector<double> x(count), direction(count), gradient(count);
  for (int i = 0; i < count; ++i)
    x[i] = std::sin(0.7 * i), direction[i] = std::cos(1.3 * i);
  const auto value = [&](double h) {
    std::vector<double> moved = x;
    for (int i = 0; i < count; ++i)
      moved[i] += h * direction[i];
    return run(moved.data(), 0.2 + 0.7 * h, 0.5 - 0.4 * h);
  };
  const double expected = (value(1e-6) - value(-1e-6)) / 2e-6;
  const double forward =
      autodiff<Forward>(run, Duplicated{x.data(), direction.data()}, Duplicated{0.2, 0.7}, Duplicated{0.5, -0.4})
          .derivative;
  const auto result = autodiff<Reverse>(run, Duplicated{x.data(), gradient.data()}, Active{0.2}, Active{0.5});
  double reverse = 0.7 * get<1>(result.gradient) - 0.4 * get<2>(result.gradient);
  for (int i = 0; i < count; ++i)
    reverse += gradient[i] * direction[i];
  int wrong = wrong_lanes(x, gradient);
  for (const double derivative : {forward, reverse})
    if (!(std::abs(derivative - expected) <= 1e-6 * std::abs(expected))) {
      std::printf("%.10g, should be %.10g\n", derivative, expected);
      ++wrong;
    }
  std::printf("wrong %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
