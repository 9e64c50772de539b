#pragma once
// In place of CUB's header of all headers: what blocks, warps and threads call. Its algorithms for a whole device need
// a driver; here they say so where they are used.
#include "../cuda_runtime.h"

#if !__has_include(<cub/block/block_reduce.cuh>)
#error "CUB is part of a CUDA toolkit, and none was found: run ./assay setup --cuda, or set CUDA_PATH"
#endif

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/thread/thread_reduce.cuh>
#include <cub/thread/thread_scan.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>

#define ASSAY_CUB_NOT_EMULATED                                                                                         \
  __attribute__((unavailable("algorithms of CUB for a whole device are not emulated: call Thrust's on host vectors")))

namespace cub {
struct ASSAY_CUB_NOT_EMULATED DeviceReduce;
struct ASSAY_CUB_NOT_EMULATED DeviceScan;
struct ASSAY_CUB_NOT_EMULATED DeviceRadixSort;
struct ASSAY_CUB_NOT_EMULATED DeviceSegmentedReduce;
struct ASSAY_CUB_NOT_EMULATED DeviceSelect;
struct ASSAY_CUB_NOT_EMULATED DeviceHistogram;
} // namespace cub

#undef ASSAY_CUB_NOT_EMULATED
