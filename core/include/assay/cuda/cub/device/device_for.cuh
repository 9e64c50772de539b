#pragma once
// In place of CUB's header; emulated, each call of the function object follows the one before, on the host.
#include "../../detail/cub_on_host.h"

namespace cub {

struct DeviceFor {
  template <class N, class Operator>
  static cudaError_t Bulk(N count, Operator apply, cudaStream_t = nullptr) {
    ASSAY_CUB_OF_HOST(Operator, N);
    for (N i = 0; i < count; ++i)
      apply(i);
    return cudaSuccess;
  }
  template <class Iterator, class N, class Operator>
  static cudaError_t ForEachN(Iterator first, N count, Operator apply, cudaStream_t = nullptr) {
    ASSAY_CUB_OF_HOST(Operator, decltype(first[0]));
    for (N i = 0; i < count; ++i)
      apply(first[i]);
    return cudaSuccess;
  }
  template <class Iterator, class Operator>
  static cudaError_t ForEach(Iterator first, Iterator last, Operator apply, cudaStream_t stream = nullptr) {
    return ForEachN(first, last - first, apply, stream);
  }
  template <class Iterator, class N, class Operator>
  static cudaError_t ForEachCopyN(Iterator first, N count, Operator apply, cudaStream_t stream = nullptr) {
    return ForEachN(first, count, apply, stream);
  }
  template <class Iterator, class Operator>
  static cudaError_t ForEachCopy(Iterator first, Iterator last, Operator apply, cudaStream_t stream = nullptr) {
    return ForEachN(first, last - first, apply, stream);
  }

  // ---- with storage, of which they need none

  template <class N, class Operator>
  static cudaError_t Bulk(void *storage, size_t &bytes, N count, Operator apply, cudaStream_t stream = nullptr) {
    return assay::cub_on_host::asks_for_storage(storage, bytes) ? cudaSuccess : Bulk(count, apply, stream);
  }
  template <class Iterator, class N, class Operator>
  static cudaError_t ForEachN(void *storage, size_t &bytes, Iterator first, N count, Operator apply,
                              cudaStream_t stream = nullptr) {
    return assay::cub_on_host::asks_for_storage(storage, bytes) ? cudaSuccess : ForEachN(first, count, apply, stream);
  }
  template <class Iterator, class Operator>
  static cudaError_t ForEach(void *storage, size_t &bytes, Iterator first, Iterator last, Operator apply,
                             cudaStream_t stream = nullptr) {
    return assay::cub_on_host::asks_for_storage(storage, bytes) ? cudaSuccess : ForEach(first, last, apply, stream);
  }
};

} // namespace cub
