#pragma once
// The common part of the stand-ins for CUB's algorithms of a whole device. Emulated, memory of the device is memory of
// the host, so that they are loops of the host, which are differentiated like any others.

#include "../cuda_runtime.h"

#if !__has_include(<cub/block/block_reduce.cuh>)
#error "CUB is part of a CUDA toolkit, and none was found: run ./assay setup --cuda, or set CUDA_PATH"
#endif

#include <cub/thread/thread_operators.cuh>
#include <cub/util_type.cuh>
#include <cuda/std/iterator>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

namespace assay::cub_on_host {

/// A call without storage asks how much it takes.
inline bool asks_for_storage(void *storage, size_t &bytes) {
  if (storage)
    return false;
  bytes = 1;
  return true;
}

template <class Iterator>
using ValueIn = typename ::cuda::std::iterator_traits<Iterator>::value_type;
/// Some iterators that are only written to have no values.
template <class Out, class Value>
using ValueOr = ::cuda::std::conditional_t<::cuda::std::is_void_v<ValueIn<Out>>, Value, ValueIn<Out>>;
/// In which an operator adds up.
template <class Operator, class Initial, class Value>
using Accumulator = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Operator, Initial, Value>>;

/// Asked in a function of the host, which the answer is for.
template <class F, class... Arguments>
concept CallableByHost = requires(F f, Arguments... arguments) { f(static_cast<Arguments &&>(arguments)...); };
/// One number behind the other, from `begin` on.
template <class Total, class In, class Operator>
Total reduced(In in, size_t begin, size_t end, Operator apply, Total total) {
  for (size_t i = begin; i < end; ++i)
    total = apply(total, in[i]);
  return total;
}

template <class In>
struct Place {
  ValueIn<In> value;
  size_t index;
};
/// The first of the smallest; `begin` < `end`.
template <class In, class Less>
Place<In> first_least(In in, size_t begin, size_t end, Less less) {
  Place<In> least{in[begin], begin};
  for (size_t i = begin + 1; i < end; ++i)
    if (less(in[i], least.value))
      least = {in[i], i};
  return least;
}

struct Less {
  template <class T>
  __host__ __device__ bool operator()(const T &a, const T &b) const {
    return a < b;
  }
};
struct Greater {
  template <class T>
  __host__ __device__ bool operator()(const T &a, const T &b) const {
    return b < a;
  }
};
struct Equal {
  template <class T>
  __host__ __device__ bool operator()(const T &a, const T &b) const {
    return a == b;
  }
};

} // namespace assay::cub_on_host

#define ASSAY_CUB_OF_HOST(...)                                                                                         \
  static_assert(assay::cub_on_host::CallableByHost<__VA_ARGS__>,                                                       \
                "emulated, algorithms of CUB for a whole device run on the host: write __host__ __device__ at the "    \
                "function object")
