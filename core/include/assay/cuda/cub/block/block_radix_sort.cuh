#pragma once
// CUB's own header, and sorts of floating-point keys that have derivatives. CUB computes with the bits of its keys;
// here bits are sorted that nothing else comes of, and the keys go with them, as values do.
#include "../../cuda_runtime.h"
#include_next <cub/block/block_radix_sort.cuh>

#include <cuda/std/type_traits>

namespace assay::cub_keys {

template <class Key>
using BitsOf = ::cuda::std::conditional_t<sizeof(Key) == 4, unsigned, unsigned long long>;

template <class Key>
__device__ __attribute__((noinline, annotate("enzyme_inactive"))) BitsOf<Key> ordered_bits(Key key) {
  constexpr BitsOf<Key> sign = BitsOf<Key>(1) << (8 * sizeof(Key) - 1);
  BitsOf<Key> bits;
  __builtin_memcpy(&bits, &key, sizeof bits);
  return bits == sign ? sign : bits & sign ? ~bits : bits | sign; // both zeros are equal
}

/// `ByBits`: the sort by bits that takes values of a type along.
template <class Key, class Value, int Items, template <class> class ByBits>
class Sorter {
  using OfKeys = ByBits<Key>;
  using OfValues = ByBits<::cuda::std::conditional_t<::cuda::std::is_same_v<Value, ::cub::NullType>, Key, Value>>;

public:
  union TempStorage {
    typename OfKeys::TempStorage keys;
    typename OfValues::TempStorage values;
  };
  __device__ __forceinline__ Sorter(TempStorage &storage) : storage_(storage) {}

#define ASSAY_CUB_SORT(NAME)                                                                                           \
  __device__ __forceinline__ void NAME(Key(&keys)[Items], int first_bit = 0, int end_bit = 8 * sizeof(Key)) {          \
    BitsOf<Key> bits[Items];                                                                                           \
    for (int i = 0; i < Items; ++i)                                                                                    \
      bits[i] = ordered_bits(keys[i]);                                                                                 \
    OfKeys(storage_.keys).NAME(bits, keys, first_bit, end_bit);                                                        \
  }                                                                                                                    \
  template <class V>                                                                                                   \
  __device__ __forceinline__ void NAME(Key(&keys)[Items], V(&values)[Items], int first_bit = 0,                        \
                                       int end_bit = 8 * sizeof(Key)) {                                                \
    BitsOf<Key> bits[Items];                                                                                           \
    for (int i = 0; i < Items; ++i)                                                                                    \
      bits[i] = ordered_bits(keys[i]);                                                                                 \
    NAME(keys, first_bit, end_bit);                                                                                    \
    __syncthreads(); /* equal bits keep their order, so that the values take the same */                               \
    OfValues(storage_.values).NAME(bits, values, first_bit, end_bit);                                                  \
  }
  ASSAY_CUB_SORT(Sort)
  ASSAY_CUB_SORT(SortDescending)
  ASSAY_CUB_SORT(SortBlockedToStriped)
  ASSAY_CUB_SORT(SortDescendingBlockedToStriped)
#undef ASSAY_CUB_SORT

private:
  TempStorage &storage_;
};

template <class Key, int X, int Items, int RadixBits, bool Memoize, ::cub::BlockScanAlgorithm Scan,
          cudaSharedMemConfig Banks, int Y, int Z>
struct ByBits {
  template <class Taken>
  using Of = ::cub::BlockRadixSort<BitsOf<Key>, X, Items, Taken, RadixBits, Memoize, Scan, Banks, Y, Z>;
};

} // namespace assay::cub_keys

namespace cub {

#define ASSAY_CUB_SORT(KEY)                                                                                            \
  template <int X, int Items, class Value, int RadixBits, bool Memoize, BlockScanAlgorithm Scan,                       \
            cudaSharedMemConfig Banks, int Y, int Z>                                                                   \
  class BlockRadixSort<KEY, X, Items, Value, RadixBits, Memoize, Scan, Banks, Y, Z>                                    \
      : public assay::cub_keys::Sorter<                                                                                \
            KEY, Value, Items,                                                                                         \
            assay::cub_keys::ByBits<KEY, X, Items, RadixBits, Memoize, Scan, Banks, Y, Z>::template Of> {              \
    using Base = assay::cub_keys::Sorter<                                                                              \
        KEY, Value, Items,                                                                                             \
        assay::cub_keys::ByBits<KEY, X, Items, RadixBits, Memoize, Scan, Banks, Y, Z>::template Of>;                   \
                                                                                                                       \
  public:                                                                                                              \
    using Base::Base;                                                                                                  \
  }
ASSAY_CUB_SORT(float);
ASSAY_CUB_SORT(double);
#undef ASSAY_CUB_SORT

} // namespace cub
