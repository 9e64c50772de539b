// Prints how many derivatives of programs that call CUB's algorithms for a whole device differ from differences.
#include <assay/autodiff.hpp>
#include <assay/gpu/host.hpp>
#include <cmath>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>
using namespace assay;

// On a device derivatives are those of rules, which are named; emulated, CUB's algorithms are code like any other.
#ifdef BY_RULES
#include <assay/gpu/cub.hpp>
ASSAY_CUB(DeviceReduce::Sum, const double *, double *, int);
ASSAY_CUB(DeviceReduce::Max, const double *, double *, int);
ASSAY_CUB(DeviceReduce::Min, const double *, double *, int);
ASSAY_CUB(DeviceScan::InclusiveSum, const double *, double *, int);
ASSAY_CUB(DeviceScan::ExclusiveSum, double *, double *, int);
ASSAY_CUB(DeviceScan::InclusiveSum, double *, int);
ASSAY_CUB(DeviceSegmentedReduce::Sum, const double *, double *, int *, int *);
ASSAY_CUB(DeviceRadixSort::SortKeys, double, int);
ASSAY_CUB(DeviceRadixSort::SortPairsDescending, double, double, int);
ASSAY_CUB(DeviceRadixSort::SortPairs, int, double, int);
#endif

constexpr int count = 12, segments = 3;

/// Memory of the device, which is released.
template <class T>
struct Numbers {
  T *at = nullptr;
  explicit Numbers(int size) { cudaMalloc((void **)&at, size * sizeof(T)); }
  ~Numbers() { cudaFree(at); }
  Numbers(const Numbers &) = delete;
};
/// Asks for storage, allocates it, and calls again.
template <class Call>
void with_storage(Call call) {
  void *storage = nullptr;
  std::size_t bytes = 0;
  call(storage, bytes);
  cudaMalloc(&storage, bytes);
  call(storage, bytes);
  cudaFree(storage);
}

/// Storage that lives on from call to call; its size lies beside its address.
struct Storage {
  void *at = nullptr;
  std::size_t bytes = 0;
  Storage(const double *x, double *sum) {
    cub::DeviceReduce::Sum(nullptr, bytes, x, sum, count);
    cudaMalloc(&at, bytes);
  }
  ~Storage() { cudaFree(at); }
};

struct SumOfSquares {
  __host__ __device__ double operator()(double a, double b) const { return std::sqrt(a * a + b * b); }
};
struct Scaled {
  double factor;
  __host__ __device__ double operator()(double a, double b) const { return factor * a * b; }
};
struct Above {
  double bound;
  __host__ __device__ bool operator()(double a) const { return a > bound; }
};

/// The sum of w_i y_i, which tells all numbers apart.
double weighted(const double *on_device, int n) {
  double y[count], sum = 0;
  cudaMemcpy(y, on_device, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += (1 + 0.3 * i) * y[i] * y[i];
  return sum;
}

void sum(const double *x, double *y) {
  with_storage([&](void *storage, std::size_t &bytes) { cub::DeviceReduce::Sum(storage, bytes, x, y, count); });
}
void sums_with_kept_storage(const double *x, double *y) {
  Storage storage(x, y);
  cub::DeviceReduce::Sum(storage.at, storage.bytes, x, y, count);
  cub::DeviceReduce::Sum(storage.at, storage.bytes, x, y + 1, count);
}
void extrema(const double *x, double *y) {
  with_storage([&](void *storage, std::size_t &bytes) { cub::DeviceReduce::Max(storage, bytes, x, y, count); });
  with_storage([&](void *storage, std::size_t &bytes) { cub::DeviceReduce::Min(storage, bytes, x, y + 1, count); });
}
void reduction(const double *x, double *y) {
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceReduce::Reduce(storage, bytes, x, y, count, SumOfSquares(), 0.5);
  });
}
void transformed_reduction(const double *x, double *y) {
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceReduce::TransformReduce(
        storage, bytes, x, y, count, [] __host__ __device__(double a, double b) { return a + b; },
        [] __host__ __device__(double a) { return a * a * a; }, 0.0);
  });
}
void place_of_the_most(const double *x, double *y) {
  Numbers<long long> index(1);
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceReduce::ArgMax(storage, bytes, x, y, index.at, (long long)count);
  });
}
void reduction_by_key(const double *x, double *y) {
  const int keys[count] = {1, 1, 1, 4, 4, 2, 2, 2, 2, 7, 7, 1};
  Numbers<int> on_device(count), unique(count), runs(1);
  cudaMemcpy(on_device.at, keys, sizeof keys, cudaMemcpyHostToDevice);
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceReduce::ReduceByKey(storage, bytes, (const int *)on_device.at, unique.at, x, y, runs.at,
                                   ::cuda::std::plus<>(), count);
  });
}
void scans(const double *x, double *y) {
  Numbers<double> between(count);
  with_storage(
      [&](void *storage, std::size_t &bytes) { cub::DeviceScan::InclusiveSum(storage, bytes, x, between.at, count); });
  with_storage(
      [&](void *storage, std::size_t &bytes) { cub::DeviceScan::ExclusiveSum(storage, bytes, between.at, y, count); });
}
void scan_in_place(const double *x, double *y) {
  cudaMemcpy(y, x, count * sizeof(double), cudaMemcpyDeviceToDevice);
  with_storage([&](void *storage, std::size_t &bytes) { cub::DeviceScan::InclusiveSum(storage, bytes, y, count); });
}
void products(const double *x, double *y) {
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceScan::InclusiveScan(storage, bytes, x, y, Scaled{1.1}, count);
  });
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceScan::ExclusiveScan(storage, bytes, y, y, Scaled{0.9}, 1.5, count);
  });
}
void sorted_keys(const double *x, double *y) {
  with_storage([&](void *storage, std::size_t &bytes) { cub::DeviceRadixSort::SortKeys(storage, bytes, x, y, count); });
}
void sorted_pairs(const double *x, double *y) {
  Numbers<double> keys(count), values(count);
  cub::DeviceTransform::Transform(::cuda::std::make_tuple(x, x + 1), values.at, count - 1, Scaled{2});
  cudaMemcpy(values.at + count - 1, x, sizeof(double), cudaMemcpyDeviceToDevice);
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceRadixSort::SortPairsDescending(storage, bytes, x, keys.at, (const double *)values.at, y, count);
  });
}
void sorted_by_integers(const double *x, double *y) {
  const int keys[count] = {5, 3, 9, 3, -1, 0, 5, 2, 8, 8, -7, 1};
  Numbers<int> on_device(count), sorted(count);
  cudaMemcpy(on_device.at, keys, sizeof keys, cudaMemcpyHostToDevice);
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceRadixSort::SortPairs(storage, bytes, (const int *)on_device.at, sorted.at, x, y, count);
  });
}
void sorted_buffers(const double *x, double *y) {
  Numbers<double> first(count), second(count);
  cudaMemcpy(first.at, x, count * sizeof(double), cudaMemcpyDeviceToDevice);
  cub::DoubleBuffer<double> keys(first.at, second.at);
  with_storage([&](void *storage, std::size_t &bytes) { cub::DeviceRadixSort::SortKeys(storage, bytes, keys, count); });
  cudaMemcpy(y, keys.Current(), count * sizeof(double), cudaMemcpyDeviceToDevice);
}
void merged(const double *x, double *y) {
  cudaMemcpy(y, x, count * sizeof(double), cudaMemcpyDeviceToDevice);
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceMergeSort::SortKeys(storage, bytes, y, count,
                                   [] __host__ __device__(double a, double b) { return std::fabs(a) < std::fabs(b); });
  });
}
void of_segments(const double *x, double *y) {
  const int offsets[segments + 1] = {0, 5, 5, count};
  Numbers<int> on_device(segments + 1);
  cudaMemcpy(on_device.at, offsets, sizeof offsets, cudaMemcpyHostToDevice);
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceSegmentedReduce::Sum(storage, bytes, x, y, segments, on_device.at, on_device.at + 1);
  });
}
void segments_sorted(const double *x, double *y) {
  const int offsets[segments + 1] = {0, 5, 5, count};
  Numbers<int> on_device(segments + 1);
  cudaMemcpy(on_device.at, offsets, sizeof offsets, cudaMemcpyHostToDevice);
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceSegmentedSort::SortKeysDescending(storage, bytes, x, y, count, segments, on_device.at, on_device.at + 1);
  });
}
void selected(const double *x, double *y) {
  Numbers<int> number(1);
  cudaMemset(y, 0, count * sizeof(double));
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceSelect::If(storage, bytes, x, y, number.at, count, Above{0.1});
  });
}
void differences_in_place(const double *x, double *y) {
  cudaMemcpy(y, x, count * sizeof(double), cudaMemcpyDeviceToDevice);
  with_storage([&](void *storage, std::size_t &bytes) {
    cub::DeviceAdjacentDifference::SubtractLeft(storage, bytes, y, count);
  });
  cub::DeviceFor::ForEachN(y, count, [] __host__ __device__(double &a) { a = std::sin(a); });
}

template <void (*run)(const double *, double *), int results>
double value(const double *x) {
  Numbers<double> on_device(count), numbers(count);
  cudaMemcpy(on_device.at, x, count * sizeof(double), cudaMemcpyHostToDevice);
  run(on_device.at, numbers.at);
  return weighted(numbers.at, results);
}

template <void (*run)(const double *, double *), int results>
int wrong(const char *name) {
  double x[count], gradient[count] = {};
  for (int i = 0; i < count; ++i)
    x[i] = std::sin(3.0 * i + 1) + 0.05 * i;
  autodiff<Reverse>(value<run, results>, Duplicated{(const double *)x, (double *)gradient});
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    double direction[count] = {};
    direction[i] = 1;
    const double tangent =
        autodiff<Forward>(value<run, results>, Duplicated{(const double *)x, (const double *)direction}).derivative;
    const double step = 1e-6, at = x[i];
    x[i] = at + step;
    const double above = value<run, results>(x);
    x[i] = at - step;
    const double difference = (above - value<run, results>(x)) / (2 * step);
    x[i] = at;
    const auto differs = [&](double number) {
      return !(std::fabs(difference - number) < 1e-6 * (1 + std::fabs(difference)));
    };
    if (differs(gradient[i]) || differs(tangent)) {
      std::printf("%s %d: difference %g reverse %g forward %g\n", name, i, difference, gradient[i], tangent);
      ++wrong;
    }
  }
  return wrong;
}

int main() {
  const int found =
      wrong<sum, 1>("sum") + wrong<sums_with_kept_storage, 2>("sums_with_kept_storage") + wrong<extrema, 2>("extrema") +
      wrong<reduction, 1>("reduction") + wrong<transformed_reduction, 1>("transformed_reduction") +
      wrong<place_of_the_most, 1>("place_of_the_most") + wrong<reduction_by_key, 5>("reduction_by_key") +
      wrong<scans, count>("scans") + wrong<scan_in_place, count>("scan_in_place") + wrong<products, count>("products") +
      wrong<sorted_keys, count>("sorted_keys") + wrong<sorted_pairs, count>("sorted_pairs") +
      wrong<sorted_by_integers, count>("sorted_by_integers") + wrong<sorted_buffers, count>("sorted_buffers") +
      wrong<merged, count>("merged") + wrong<of_segments, segments>("of_segments") +
      wrong<segments_sorted, count>("segments_sorted") + wrong<selected, 5>("selected") +
      wrong<differences_in_place, count>("differences_in_place");
  std::printf("wrong %d\n", found);
}
