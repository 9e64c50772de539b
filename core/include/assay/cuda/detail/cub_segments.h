#pragma once
// Sorts of the segments of arrays, which two of CUB's classes have.

#include "cub_orders.h"

namespace assay::cub_on_host {

/// Elements in no segment stay as they are.
template <class Key, class Value, class Begin, class End>
cudaError_t sort_segments(void *storage, size_t &bytes, const Key *keys_in, Key *keys_out, const Value *values_in,
                          Value *values_out, size_t segments, Begin begin, End end, bool descending, int first_bit = 0,
                          int end_bit = 8 * sizeof(Key)) {
  if (asks_for_storage(storage, bytes))
    return cudaSuccess;
  for (size_t segment = 0; segment < segments; ++segment) {
    const size_t first = begin[segment], count = end[segment] > begin[segment] ? end[segment] - first : 0;
    const auto order = radix_order(keys_in + first, count, descending, first_bit, end_bit);
    move_in_order(order, keys_in + first, keys_out + first);
    if constexpr (!std::is_same_v<Value, ::cub::NullType>)
      move_in_order(order, values_in + first, values_out + first);
  }
  return cudaSuccess;
}

template <class Key, class Value, class... More>
cudaError_t sort_segments_of_buffers(void *storage, size_t &bytes, ::cub::DoubleBuffer<Key> &keys,
                                     ::cub::DoubleBuffer<Value> &values, More... more) {
  const cudaError_t error = sort_segments(storage, bytes, static_cast<const Key *>(keys.Current()), keys.Alternate(),
                                          static_cast<const Value *>(values.Current()), values.Alternate(), more...);
  if (storage) {
    keys.selector ^= 1;
    values.selector ^= 1;
  }
  return error;
}

} // namespace assay::cub_on_host
