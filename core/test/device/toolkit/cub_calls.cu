// Rules of CUB's algorithms for a whole device with the toolkit's headers, in both passes.
#include <assay/autodiff.hpp>
#include <assay/gpu/cub.hpp>
using namespace assay;

ASSAY_CUB(DeviceReduce::Sum, const double *, double *, int);
ASSAY_CUB(DeviceReduce::Max, const double *, double *, int);
ASSAY_CUB(DeviceScan::InclusiveSum, const double *, double *, int);
ASSAY_CUB(DeviceScan::ExclusiveSum, double *, int);
ASSAY_CUB(DeviceSegmentedReduce::Sum, const double *, double *, int *, int *);
ASSAY_CUB(DeviceRadixSort::SortKeys, double, int);
ASSAY_CUB(DeviceRadixSort::SortPairs, int, double, int);

template <class Call>
void with_storage(Call call) {
  void *storage = nullptr;
  std::size_t bytes = 0;
  call(storage, bytes);
  cudaMalloc(&storage, bytes);
  call(storage, bytes);
  cudaFree(storage);
}

// Neither offsets nor keys have shadows, though the program may write to them.
void run(const double *x, double *y, int n, int *offsets, int *keys, int *sorted) {
  with_storage([&](void *s, std::size_t &b) { cub::DeviceReduce::Sum(s, b, x, y, n); });
  with_storage([&](void *s, std::size_t &b) { cub::DeviceReduce::Max(s, b, x, y + 1, n); });
  with_storage([&](void *s, std::size_t &b) { cub::DeviceScan::InclusiveSum(s, b, x, y + 2, n); });
  with_storage([&](void *s, std::size_t &b) { cub::DeviceScan::ExclusiveSum(s, b, y + 2, n); });
  with_storage(
      [&](void *s, std::size_t &b) { cub::DeviceSegmentedReduce::Sum(s, b, x, y + 2 + n, 3, offsets, offsets + 1); });
  with_storage([&](void *s, std::size_t &b) { cub::DeviceRadixSort::SortKeys(s, b, x, y + 5 + n, n); });
  with_storage([&](void *s, std::size_t &b) {
    cub::DeviceRadixSort::SortPairs(s, b, (const int *)keys, sorted, x, y + 5 + 2 * n, n);
  });
}

void gradient(const double *x, double *dx, double *y, double *dy, int n, int *offsets, int *keys, int *sorted) {
  autodiff<Reverse>(run, Duplicated{x, dx}, Duplicated{y, dy}, Const{n}, Const{offsets}, Const{keys}, Const{sorted});
}
void tangents(const double *x, const double *dx, double *y, double *dy, int n, int *offsets, int *keys, int *sorted) {
  autodiff<Forward>(run, Duplicated{x, dx}, Duplicated{y, dy}, Const{n}, Const{offsets}, Const{keys}, Const{sorted});
}
