#pragma once
// In place of CUB's header; emulated, histograms are loops of the host. They count, which has no derivative.
#include "../../detail/cub_on_host.h"

namespace cub {

struct DeviceHistogram {
  template <class Samples, class Counter, class Level, class N>
  static cudaError_t HistogramEven(void *storage, size_t &bytes, Samples samples, Counter *histogram, int levels,
                                   Level lower, Level upper, N count, cudaStream_t = nullptr) {
    return counted(storage, bytes, samples, histogram, levels, count, [&](auto sample) {
      if (!(static_cast<Level>(sample) >= lower && static_cast<Level>(sample) < upper))
        return -1;
      if constexpr (std::is_floating_point_v<Level>)
        return static_cast<int>((static_cast<Level>(sample) - lower) * (Level(levels - 1) / (upper - lower)));
      else
        return static_cast<int>((static_cast<long long>(sample) - lower) * (levels - 1) / (upper - lower));
    });
  }
  template <class Samples, class Counter, class Level, class N>
  static cudaError_t HistogramRange(void *storage, size_t &bytes, Samples samples, Counter *histogram, int levels,
                                    const Level *level, N count, cudaStream_t = nullptr) {
    return counted(storage, bytes, samples, histogram, levels, count, [&](auto sample) {
      int bin = levels - 1;
      while (bin >= 0 && !(level[bin] <= static_cast<Level>(sample)))
        --bin;
      return bin;
    });
  }

private:
  template <class Samples, class Counter, class N, class BinOf>
  static cudaError_t counted(void *storage, size_t &bytes, Samples samples, Counter *histogram, int levels, N count,
                             BinOf bin_of) {
    if (assay::cub_on_host::asks_for_storage(storage, bytes))
      return cudaSuccess;
    for (int bin = 0; bin + 1 < levels; ++bin)
      histogram[bin] = 0;
    for (N i = 0; i < count; ++i)
      if (const int bin = bin_of(samples[i]); bin >= 0 && bin + 1 < levels)
        ++histogram[bin];
    return cudaSuccess;
  }
};

} // namespace cub
