#pragma once
// Derivatives of calls of CUB's algorithms for a whole device in code of the host.
//
//   #include <assay/autodiff.hpp>
//   #include <assay/gpu/cub.hpp>
//   ASSAY_CUB(DeviceReduce::Sum, const double *, double *, int); // at namespace scope: the types of input, output,
//   number
//
//   void total(const double *x, double *sum, int n) { // memory of the device
//     void *storage = nullptr;
//     std::size_t bytes = 0;
//     cub::DeviceReduce::Sum(storage, bytes, x, sum, n);
//     cudaMalloc(&storage, bytes);
//     cub::DeviceReduce::Sum(storage, bytes, x, sum, n);
//     cudaFree(storage);
//   }
//   autodiff<Reverse>(total, Duplicated{x, d_x}, Duplicated{sum, d_sum}, Const{n});
//
//   DeviceReduce::Sum, Max, Min                     input, output, number
//   DeviceScan::InclusiveSum, ExclusiveSum          input, output, number; in place: data, number
//   DeviceSegmentedReduce::Sum                      input, output, begins, ends
//   DeviceRadixSort::SortKeys, SortKeysDescending   type of keys, number
//   DeviceRadixSort::SortPairs, SortPairsDescending type of keys, type of values, number
//
// The types are those of the call. Inputs and outputs are pointers to float or double; keys and values may be integers,
// too. Of equal extrema the first has the derivative. The reverse sweep waits for the device at each call.

#include "assay/detail/gpu/cub_reductions.hpp"
#include "assay/detail/gpu/cub_scans.hpp"
#include "assay/detail/gpu/cub_sorts.hpp"

// The device pass only has to see which kernels are needed.
#ifdef __CUDA_ARCH__
#define ASSAY_CUB(name, ...)                                                                                           \
  [[maybe_unused]] static void (*const ASSAY_DETAIL_NAMED(assay_cub_, __COUNTER__))() =                                \
      &::assay::rules::gpu::cub_rules::name<__VA_ARGS__>::uses
#else
#define ASSAY_CUB(name, ...)                                                                                           \
  ASSAY_RULE(::assay::rules::gpu::cub_rules::name<__VA_ARGS__>,                                                        \
             ::assay::rules::gpu::cub_rules::name<__VA_ARGS__>::function)
#endif
