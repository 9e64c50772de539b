#pragma once
// In place of CUB's header; emulated, sorts of segments are the host's.
#include "../../detail/cub_segments.h"

namespace cub {

struct DeviceSegmentedSort {
  template <class Key, class Value, class Begin, class End>
  static cudaError_t SortPairs(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out, const Value *values_in,
                               Value *values_out, ::cuda::std::int64_t, ::cuda::std::int64_t segments, Begin begin,
                               End end, cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, keys_in, keys_out, values_in, values_out, segments, begin,
                                             end, false);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t SortPairs(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Value> &values,
                               ::cuda::std::int64_t, ::cuda::std::int64_t segments, Begin begin, End end,
                               cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, false);
  }
  template <class Key, class Begin, class End>
  static cudaError_t SortKeys(void *storage, size_t &bytes, const Key *in, Key *out, ::cuda::std::int64_t,
                              ::cuda::std::int64_t segments, Begin begin, End end, cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, in, out, static_cast<const NullType *>(nullptr),
                                             static_cast<NullType *>(nullptr), segments, begin, end, false);
  }
  template <class Key, class Begin, class End>
  static cudaError_t SortKeys(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, ::cuda::std::int64_t,
                              ::cuda::std::int64_t segments, Begin begin, End end, cudaStream_t = nullptr) {
    DoubleBuffer<NullType> values;
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, false);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t SortPairsDescending(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out,
                                         const Value *values_in, Value *values_out, ::cuda::std::int64_t,
                                         ::cuda::std::int64_t segments, Begin begin, End end, cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, keys_in, keys_out, values_in, values_out, segments, begin,
                                             end, true);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t SortPairsDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys,
                                         DoubleBuffer<Value> &values, ::cuda::std::int64_t,
                                         ::cuda::std::int64_t segments, Begin begin, End end, cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, true);
  }
  template <class Key, class Begin, class End>
  static cudaError_t SortKeysDescending(void *storage, size_t &bytes, const Key *in, Key *out, ::cuda::std::int64_t,
                                        ::cuda::std::int64_t segments, Begin begin, End end, cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, in, out, static_cast<const NullType *>(nullptr),
                                             static_cast<NullType *>(nullptr), segments, begin, end, true);
  }
  template <class Key, class Begin, class End>
  static cudaError_t SortKeysDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, ::cuda::std::int64_t,
                                        ::cuda::std::int64_t segments, Begin begin, End end, cudaStream_t = nullptr) {
    DoubleBuffer<NullType> values;
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, true);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t StableSortPairs(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out,
                                     const Value *values_in, Value *values_out, ::cuda::std::int64_t,
                                     ::cuda::std::int64_t segments, Begin begin, End end, cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, keys_in, keys_out, values_in, values_out, segments, begin,
                                             end, false);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t StableSortPairs(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Value> &values,
                                     ::cuda::std::int64_t, ::cuda::std::int64_t segments, Begin begin, End end,
                                     cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, false);
  }
  template <class Key, class Begin, class End>
  static cudaError_t StableSortKeys(void *storage, size_t &bytes, const Key *in, Key *out, ::cuda::std::int64_t,
                                    ::cuda::std::int64_t segments, Begin begin, End end, cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, in, out, static_cast<const NullType *>(nullptr),
                                             static_cast<NullType *>(nullptr), segments, begin, end, false);
  }
  template <class Key, class Begin, class End>
  static cudaError_t StableSortKeys(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, ::cuda::std::int64_t,
                                    ::cuda::std::int64_t segments, Begin begin, End end, cudaStream_t = nullptr) {
    DoubleBuffer<NullType> values;
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, false);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t StableSortPairsDescending(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out,
                                               const Value *values_in, Value *values_out, ::cuda::std::int64_t,
                                               ::cuda::std::int64_t segments, Begin begin, End end,
                                               cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, keys_in, keys_out, values_in, values_out, segments, begin,
                                             end, true);
  }
  template <class Key, class Value, class Begin, class End>
  static cudaError_t StableSortPairsDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys,
                                               DoubleBuffer<Value> &values, ::cuda::std::int64_t,
                                               ::cuda::std::int64_t segments, Begin begin, End end,
                                               cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, true);
  }
  template <class Key, class Begin, class End>
  static cudaError_t StableSortKeysDescending(void *storage, size_t &bytes, const Key *in, Key *out,
                                              ::cuda::std::int64_t, ::cuda::std::int64_t segments, Begin begin, End end,
                                              cudaStream_t = nullptr) {
    return assay::cub_on_host::sort_segments(storage, bytes, in, out, static_cast<const NullType *>(nullptr),
                                             static_cast<NullType *>(nullptr), segments, begin, end, true);
  }
  template <class Key, class Begin, class End>
  static cudaError_t StableSortKeysDescending(void *storage, size_t &bytes, DoubleBuffer<Key> &keys,
                                              ::cuda::std::int64_t, ::cuda::std::int64_t segments, Begin begin, End end,
                                              cudaStream_t = nullptr) {
    DoubleBuffer<NullType> values;
    return assay::cub_on_host::sort_segments_of_buffers(storage, bytes, keys, values, segments, begin, end, true);
  }
};

} // namespace cub
