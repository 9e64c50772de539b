#pragma once
// In place of CUB's header; emulated, sorts are the host's.
#include "../../detail/cub_orders.h"

namespace cub {

struct DeviceRadixSort {
  template <class Key, class Value, class N>
  static cudaError_t SortPairs(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out, const Value *values_in,
                               Value *values_out, N count, int first_bit = 0, int end_bit = 8 * sizeof(Key),
                               cudaStream_t = nullptr) {
    return sort(storage, bytes, keys_in, keys_out, values_in, values_out, count, false, first_bit, end_bit);
  }
  template <class Key, class Value, class N>
  static cudaError_t SortPairsDescending(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out,
                                         const Value *values_in, Value *values_out, N count, int first_bit = 0,
                                         int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    return sort(storage, bytes, keys_in, keys_out, values_in, values_out, count, true, first_bit, end_bit);
  }
  template <class Key, class N>
  static cudaError_t SortKeys(void *storage, size_t &bytes, const Key *in, Key *out, N count, int first_bit = 0,
                              int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    return sort(storage, bytes, in, out, static_cast<const NullType *>(nullptr), static_cast<NullType *>(nullptr),
                count, false, first_bit, end_bit);
  }
  template <class Key, class N>
  static cudaError_t SortKeysDescending(void *storage, size_t &bytes, const Key *in, Key *out, N count,
                                        int first_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    return sort(storage, bytes, in, out, static_cast<const NullType *>(nullptr), static_cast<NullType *>(nullptr),
                count, true, first_bit, end_bit);
  }

  // ---- with two buffers, of which the second is the current one afterwards

  template <class Key, class Value, class N>
  static cudaError_t SortPairs(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Value> &values,
                               N count, int first_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    return sort_buffers(storage, bytes, keys, values, count, false, first_bit, end_bit);
  }
  template <class Key, class Value, class N>
  static cudaError_t SortPairsDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys,
                                         DoubleBuffer<Value> &values, N count, int first_bit = 0,
                                         int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    return sort_buffers(storage, bytes, keys, values, count, true, first_bit, end_bit);
  }
  template <class Key, class N>
  static cudaError_t SortKeys(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, N count, int first_bit = 0,
                              int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    DoubleBuffer<NullType> values;
    return sort_buffers(storage, bytes, keys, values, count, false, first_bit, end_bit);
  }
  template <class Key, class N>
  static cudaError_t SortKeysDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, N count,
                                        int first_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    DoubleBuffer<NullType> values;
    return sort_buffers(storage, bytes, keys, values, count, true, first_bit, end_bit);
  }

private:
  template <class Key, class Value, class N>
  static cudaError_t sort(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out, const Value *values_in,
                          Value *values_out, N count, bool descending, int first_bit, int end_bit) {
    if (assay::cub_on_host::asks_for_storage(storage, bytes))
      return cudaSuccess;
    const auto order = assay::cub_on_host::radix_order(keys_in, count, descending, first_bit, end_bit);
    assay::cub_on_host::move_in_order(order, keys_in, keys_out);
    if constexpr (!std::is_same_v<Value, NullType>)
      assay::cub_on_host::move_in_order(order, values_in, values_out);
    return cudaSuccess;
  }
  template <class Key, class Value, class N>
  static cudaError_t sort_buffers(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Value> &values,
                                  N count, bool descending, int first_bit, int end_bit) {
    const cudaError_t error =
        sort(storage, bytes, static_cast<const Key *>(keys.Current()), keys.Alternate(),
             static_cast<const Value *>(values.Current()), values.Alternate(), count, descending, first_bit, end_bit);
    if (storage) {
      keys.selector ^= 1;
      values.selector ^= 1;
    }
    return error;
  }
};

} // namespace cub
