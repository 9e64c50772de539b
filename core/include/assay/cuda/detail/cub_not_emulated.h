#pragma once
// Algorithms of CUB for a whole device for which nothing stands in say so where they are used.

#define ASSAY_CUB_NOT_EMULATED                                                                                         \
  __attribute__((unavailable("this algorithm of CUB for a whole device is not emulated: call Thrust's in its place")))

namespace cub {
struct ASSAY_CUB_NOT_EMULATED DevicePartition;
struct ASSAY_CUB_NOT_EMULATED DeviceRunLengthEncode;
struct ASSAY_CUB_NOT_EMULATED DeviceMerge;
struct ASSAY_CUB_NOT_EMULATED DeviceCopy;
struct ASSAY_CUB_NOT_EMULATED DeviceMemcpy;
} // namespace cub

#undef ASSAY_CUB_NOT_EMULATED
