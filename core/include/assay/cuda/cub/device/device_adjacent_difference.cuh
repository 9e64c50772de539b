#pragma once
// In place of CUB's header; emulated, differences of neighbours are loops of the host.
#include "../../detail/cub_on_host.h"

namespace cub {

struct DeviceAdjacentDifference {
  template <class In, class Out, class N, class Operator = ::cuda::std::minus<>>
  static cudaError_t SubtractLeftCopy(void *storage, size_t &bytes, In in, Out out, N count, Operator apply = {},
                                      cudaStream_t = nullptr) {
    ASSAY_CUB_OF_HOST(Operator, assay::cub_on_host::ValueIn<In>, assay::cub_on_host::ValueIn<In>);
    if (assay::cub_on_host::asks_for_storage(storage, bytes) || count <= 0)
      return cudaSuccess;
    for (N i = count - 1; i > 0; --i) // the last first: both may be the same memory
      out[i] = apply(in[i], in[i - 1]);
    out[0] = in[0];
    return cudaSuccess;
  }
  template <class Data, class N, class Operator = ::cuda::std::minus<>>
  static cudaError_t SubtractLeft(void *storage, size_t &bytes, Data data, N count, Operator apply = {},
                                  cudaStream_t stream = nullptr) {
    return SubtractLeftCopy(storage, bytes, data, data, count, apply, stream);
  }
  template <class In, class Out, class N, class Operator = ::cuda::std::minus<>>
  static cudaError_t SubtractRightCopy(void *storage, size_t &bytes, In in, Out out, N count, Operator apply = {},
                                       cudaStream_t = nullptr) {
    ASSAY_CUB_OF_HOST(Operator, assay::cub_on_host::ValueIn<In>, assay::cub_on_host::ValueIn<In>);
    if (assay::cub_on_host::asks_for_storage(storage, bytes) || count <= 0)
      return cudaSuccess;
    for (N i = 0; i + 1 < count; ++i)
      out[i] = apply(in[i], in[i + 1]);
    out[count - 1] = in[count - 1];
    return cudaSuccess;
  }
  template <class Data, class N, class Operator = ::cuda::std::minus<>>
  static cudaError_t SubtractRight(void *storage, size_t &bytes, Data data, N count, Operator apply = {},
                                   cudaStream_t stream = nullptr) {
    return SubtractRightCopy(storage, bytes, data, data, count, apply, stream);
  }
};

} // namespace cub
