#pragma once
// In place of CUB's header; emulated, sorts of segments are the host's.
#include "../../detail/cub_segments.h"

namespace cub {

struct DeviceSegmentedRadixSort {
  template <class Key, class Value, class Begin, class End>
  static cudaError_t SortPairs(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out, const Value *values_in,
                               Value *values_out, int, int segments, Begin begin, End end, int first_bit = 0,
                               int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, keys_in, keys_out, values_in, values_out, segments, begin,
                                             end, false, first_bit, end_bit);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t SortPairs(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Value> &values, int,
                               int segments, Begin begin, End end, int first_bit = 0, int end_bit = 8 * sizeof(Key),
                               cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, false,
                                                        first_bit, end_bit);
  }
  template <class Key, class Begin, class End>
  static cudaError_t SortKeys(void *storage, size_t &bytes, const Key *in, Key *out, int, int segments, Begin begin,
                              End end, int first_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, in, out, static_cast<const NullType *>(nullptr),
                                             static_cast<NullType *>(nullptr), segments, begin, end, false, first_bit,
                                             end_bit);
  }
  template <class Key, class Begin, class End>
  static cudaError_t SortKeys(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, int, int segments, Begin begin,
                              End end, int first_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    DoubleBuffer<NullType> values;
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, false,
                                                        first_bit, end_bit);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t SortPairsDescending(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out,
                                         const Value *values_in, Value *values_out, int, int segments, Begin begin,
                                         End end, int first_bit = 0, int end_bit = 8 * sizeof(Key),
                                         cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, keys_in, keys_out, values_in, values_out, segments, begin,
                                             end, true, first_bit, end_bit);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t SortPairsDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys,
                                         DoubleBuffer<Value> &values, int, int segments, Begin begin, End end,
                                         int first_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, true,
                                                        first_bit, end_bit);
  }
  template <class Key, class Begin, class End>
  static cudaError_t SortKeysDescending(void *storage, size_t &bytes, const Key *in, Key *out, int, int segments,
                                        Begin begin, End end, int first_bit = 0, int end_bit = 8 * sizeof(Key),
                                        cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, in, out, static_cast<const NullType *>(nullptr),
                                             static_cast<NullType *>(nullptr), segments, begin, end, true, first_bit,
                                             end_bit);
  }
  template <class Key, class Begin, class End>
  static cudaError_t SortKeysDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, int, int segments,
                                        Begin begin, End end, int first_bit = 0, int end_bit = 8 * sizeof(Key),
                                        cudaStream_t = nullptr) {
    DoubleBuffer<NullType> values;
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, true,
                                                        first_bit, end_bit);
  }
};

} // namespace cub
