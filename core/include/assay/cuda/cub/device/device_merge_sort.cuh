#pragma once
// In place of CUB's header; emulated, sorts are the host's.
#include "../../detail/cub_orders.h"

namespace cub {

struct DeviceMergeSort {
  template <class KeysIn, class ValuesIn, class Keys, class Values, class N, class Before>
  static cudaError_t SortPairsCopy(void *storage, size_t &bytes, KeysIn keys_in, ValuesIn values_in, Keys keys_out,
                                   Values values_out, N count, Before before, cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    ASSAY_CUB_OF_HOST(Before, ValueIn<KeysIn>, ValueIn<KeysIn>);
    if (asks_for_storage(storage, bytes))
      return cudaSuccess;
    const auto order = order_of(count, [&](size_t a, size_t b) { return before(keys_in[a], keys_in[b]); });
    move_in_order(order, values_in, values_out);
    move_in_order(order, keys_in, keys_out);
    return cudaSuccess;
  }
  template <class KeysIn, class Keys, class N, class Before>
  static cudaError_t SortKeysCopy(void *storage, size_t &bytes, KeysIn in, Keys out, N count, Before before,
                                  cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    ASSAY_CUB_OF_HOST(Before, ValueIn<KeysIn>, ValueIn<KeysIn>);
    if (asks_for_storage(storage, bytes))
      return cudaSuccess;
    move_in_order(order_of(count, [&](size_t a, size_t b) { return before(in[a], in[b]); }), in, out);
    return cudaSuccess;
  }
  template <class Keys, class Values, class N, class Before>
  static cudaError_t SortPairs(void *storage, size_t &bytes, Keys keys, Values values, N count, Before before,
                               cudaStream_t stream = nullptr) {
    return SortPairsCopy(storage, bytes, keys, values, keys, values, count, before, stream);
  }
  template <class Keys, class Values, class N, class Before>
  static cudaError_t StableSortPairs(void *storage, size_t &bytes, Keys keys, Values values, N count, Before before,
                                     cudaStream_t stream = nullptr) {
    return SortPairsCopy(storage, bytes, keys, values, keys, values, count, before, stream);
  }
  template <class Keys, class N, class Before>
  static cudaError_t SortKeys(void *storage, size_t &bytes, Keys keys, N count, Before before,
                              cudaStream_t stream = nullptr) {
    return SortKeysCopy(storage, bytes, keys, keys, count, before, stream);
  }
  template <class Keys, class N, class Before>
  static cudaError_t StableSortKeys(void *storage, size_t &bytes, Keys keys, N count, Before before,
                                    cudaStream_t stream = nullptr) {
    return SortKeysCopy(storage, bytes, keys, keys, count, before, stream);
  }
  template <class KeysIn, class Keys, class N, class Before>
  static cudaError_t StableSortKeysCopy(void *storage, size_t &bytes, KeysIn in, Keys out, N count, Before before,
                                        cudaStream_t stream = nullptr) {
    return SortKeysCopy(storage, bytes, in, out, count, before, stream);
  }
};

} // namespace cub
