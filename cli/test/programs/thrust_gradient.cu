// Thrust in differentiated code of the host.
#include <assay/autodiff.hpp>
#include <cmath>
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
using namespace assay;

constexpr int count = 8;

struct Square {
  __host__ __device__ double operator()(double x) const { return x * x; }
};
struct Saxpy {
  double a;
  __host__ __device__ double operator()(double x, double y) const { return a * x + y; }
};

double norm(const double *x, int n) {
  return std::sqrt(thrust::transform_reduce(thrust::device, x, x + n, Square(), 0.0, thrust::plus<double>()));
}

double dot(const thrust::device_vector<double> &x, const thrust::device_vector<double> &y) {
  return thrust::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

double of_sorted_sums(const double *x, int n, double a) {
  thrust::device_vector<double> v(x, x + n), sums(n);
  thrust::transform(v.begin(), v.end(), sums.begin(), v.begin(), Saxpy{a});
  thrust::inclusive_scan(v.begin(), v.end(), sums.begin());
  thrust::sort(sums.begin(), sums.end());
  double total = *thrust::max_element(sums.begin(), sums.end());
  for (int i = 0; i < n; ++i)
    total += (i + 1) * sums[i] * sums[i];
  return total + thrust::reduce(v.begin(), v.end());
}

template <class F>
int wrong(F f, double *x, const double *gradient, int n) {
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const double step = 1e-5, at = x[i];
    x[i] = at + step;
    const double above = f();
    x[i] = at - step;
    const double difference = (above - f()) / (2 * step);
    x[i] = at;
    wrong += !(std::fabs(difference - gradient[i]) < 1e-6 * (1 + std::fabs(difference)));
  }
  return wrong;
}

int main() {
  double x[count], of_norm[count] = {}, of_sums[count] = {}, factor = 0.7;
  for (int i = 0; i < count; ++i)
    x[i] = std::sin(3 * i + 1);
  autodiff<Reverse>(norm, Duplicated{x, of_norm}, Const{count});
  const auto result = autodiff<Reverse>(of_sorted_sums, Duplicated{x, of_sums}, Const{count}, Active{factor});
  const double of_factor = std::get<2>(result.gradient);

  const thrust::device_vector<double> v(x + 1, x + count);
  thrust::device_vector<double> dv(count - 1);
  const thrust::device_vector<double> same(x, x + count - 1);
  thrust::device_vector<double> d_same(count - 1);
  autodiff<Reverse>(dot, Duplicated{same, d_same}, Duplicated{v, dv});
  int wrong_of_dot = 0;
  for (int i = 0; i + 1 < count; ++i)
    wrong_of_dot += d_same[i] != v[i] || dv[i] != same[i];

  std::printf("wrong %d %d %d %d\n", wrong([&] { return norm(x, count); }, x, of_norm, count),
              wrong([&] { return of_sorted_sums(x, count, factor); }, x, of_sums, count),
              wrong([&] { return of_sorted_sums(x, count, factor); }, &factor, &of_factor, 1), wrong_of_dot);
}
