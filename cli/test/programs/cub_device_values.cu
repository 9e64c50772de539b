// Prints what CUB's algorithms for a whole device leave, for numbers of which it is known.
#include <cstdio>
#include <cub/cub.cuh>
#include <limits>

constexpr int count = 10;

template <class Call>
void with_storage(Call call) {
  void *storage = nullptr;
  std::size_t bytes = 0;
  call(storage, bytes);
  cudaMalloc(&storage, bytes);
  call(storage, bytes);
  cudaFree(storage);
}
template <class T>
void print(const char *name, const T *numbers, int n) {
  std::printf("%s", name);
  for (int i = 0; i < n; ++i)
    std::printf(" %g", double(numbers[i]));
  std::printf("\n");
}

int main() {
  float *x, *y;
  int *k, *m, *number;
  cub::KeyValuePair<int, float> *pair;
  cudaMallocManaged(&x, count * sizeof(float));
  cudaMallocManaged(&y, count * sizeof(float));
  cudaMallocManaged(&k, count * sizeof(int));
  cudaMallocManaged(&m, count * sizeof(int));
  cudaMallocManaged(&number, 2 * sizeof(int));
  cudaMallocManaged(&pair, 3 * sizeof(*pair));
  const float numbers[count] = {3, -0.0f, 0, -2.5f, 3, 7, -2.5f, 1, 1, 0.5f};
  const int keys[count] = {2, 2, 0, 0, 0, 5, 5, 2, 2, 2};
  for (int i = 0; i < count; ++i)
    x[i] = numbers[i], k[i] = keys[i];

  with_storage([&](void *s, std::size_t &b) { cub::DeviceReduce::Sum(s, b, x, y, count); });
  with_storage([&](void *s, std::size_t &b) { cub::DeviceReduce::Max(s, b, x, y + 1, count); });
  with_storage([&](void *s, std::size_t &b) { cub::DeviceReduce::Min(s, b, x, y + 2, 0); });
  std::printf("reduce %g %g %d\n", y[0], y[1], y[2] == std::numeric_limits<float>::max());
  with_storage([&](void *s, std::size_t &b) { cub::DeviceReduce::ArgMin(s, b, x, pair, count); });
  std::printf("first of the least %d %g\n", pair->key, pair->value);
  with_storage([&](void *s, std::size_t &b) {
    cub::DeviceReduce::ReduceByKey(s, b, k, m, x, y, number, ::cuda::std::plus<>(), count);
  });
  print("sums by key", y, *number);
  print("keys", m, *number);
  with_storage([&](void *s, std::size_t &b) { cub::DeviceScan::ExclusiveSum(s, b, k, m, count); });
  print("exclusive", m, count);
  with_storage([&](void *s, std::size_t &b) {
    cub::DeviceScan::ExclusiveScan(
        s, b, k, m, [] __host__ __device__(int a, int c) { return a > c ? a : c; }, 1, count);
  });
  print("exclusive maximum", m, count);
  with_storage([&](void *s, std::size_t &b) { cub::DeviceScan::InclusiveSumByKey(s, b, k, x, y, count); });
  print("by key", y, count);
  for (int i = 0; i < count; ++i)
    m[i] = i;
  int *order = nullptr;
  cudaMallocManaged(&order, count * sizeof(int));
  with_storage([&](void *s, std::size_t &b) { cub::DeviceRadixSort::SortPairs(s, b, x, y, m, order, count); });
  print("sorted", y, count);
  print("order", order, count); // -0 and 0 are equal
  with_storage(
      [&](void *s, std::size_t &b) { cub::DeviceRadixSort::SortPairsDescending(s, b, k, m, k, order, count, 1, 3); });
  print("by bits 1 and 2", order, count);
  const int offsets[4] = {0, 3, 3, count};
  int *on_device = nullptr;
  cudaMallocManaged(&on_device, sizeof offsets);
  cudaMemcpy(on_device, offsets, sizeof offsets, cudaMemcpyHostToDevice);
  with_storage(
      [&](void *s, std::size_t &b) { cub::DeviceSegmentedReduce::ArgMax(s, b, x, pair, 3, on_device, on_device + 1); });
  std::printf("places %d %d %d\n", pair[0].key, pair[1].key, pair[2].key);
  with_storage([&](void *s, std::size_t &b) {
    cub::DeviceSelect::If(s, b, x, y, number, count, [] __host__ __device__(float a) { return a > 0; });
  });
  print("positive", y, *number);
  with_storage([&](void *s, std::size_t &b) { cub::DeviceSelect::Unique(s, b, k, m, number, count); });
  print("unique", m, *number);
  with_storage(
      [&](void *s, std::size_t &b) { cub::DeviceHistogram::HistogramEven(s, b, x, m, 5, -4.0f, 4.0f, count); });
  print("even", m, 4);
  const float levels[4] = {-3, 0, 1, 10};
  float *bounds = nullptr;
  cudaMallocManaged(&bounds, sizeof levels);
  cudaMemcpy(bounds, levels, sizeof levels, cudaMemcpyHostToDevice);
  with_storage([&](void *s, std::size_t &b) { cub::DeviceHistogram::HistogramRange(s, b, x, m, 4, bounds, count); });
  print("range", m, 3);
  with_storage([&](void *s, std::size_t &b) { cub::DeviceAdjacentDifference::SubtractRightCopy(s, b, k, m, count); });
  print("differences", m, count);
}
