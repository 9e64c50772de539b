#pragma once
// In place of CUB's header; emulated, reductions are loops of the host.
#include "../../detail/cub_on_host.h"
#include <cub/iterator/arg_index_input_iterator.cuh>
#include <cuda/std/limits>

namespace cub {

struct DeviceReduce {
  template <class In, class Out, class N, class Operator, class T>
  static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, N count, Operator apply, T initial,
                            cudaStream_t stream = nullptr) {
    return TransformReduce(storage, bytes, in, out, count, apply, ::cuda::std::identity(), initial, stream);
  }
  template <class In, class Out, class N, class Operator, class Transform, class T>
  static cudaError_t TransformReduce(void *storage, size_t &bytes, In in, Out out, N count, Operator apply,
                                     Transform transform, T initial, cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    using Value = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Transform, ValueIn<In>>>;
    using Total = Accumulator<Operator, T, Value>;
    ASSAY_CUB_OF_HOST(Operator, Total, Value);
    ASSAY_CUB_OF_HOST(Transform, ValueIn<In>);
    if (asks_for_storage(storage, bytes))
      return cudaSuccess;
    Total total = initial;
    for (N i = 0; i < count; ++i)
      total = apply(total, transform(in[i]));
    *out = total;
    return cudaSuccess;
  }
  template <class In, class Out, class N>
  static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t stream = nullptr) {
    using T = assay::cub_on_host::ValueOr<Out, assay::cub_on_host::ValueIn<In>>;
    return Reduce(storage, bytes, in, out, count, ::cuda::std::plus<>(), T{}, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Min(void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t = nullptr) {
    return extremum(storage, bytes, in, out, count, assay::cub_on_host::Less(),
                    ::cuda::std::numeric_limits<assay::cub_on_host::ValueIn<In>>::max());
  }
  template <class In, class Out, class N>
  static cudaError_t Max(void *storage, size_t &bytes, In in, Out out, N count, cudaStream_t = nullptr) {
    return extremum(storage, bytes, in, out, count, assay::cub_on_host::Greater(),
                    ::cuda::std::numeric_limits<assay::cub_on_host::ValueIn<In>>::lowest());
  }
  template <class In, class Extremum, class Index>
  static cudaError_t ArgMin(void *storage, size_t &bytes, In in, Extremum least, Index index,
                            ::cuda::std::int64_t count, cudaStream_t = nullptr) {
    return place(storage, bytes, in, least, index, count, assay::cub_on_host::Less());
  }
  template <class In, class Extremum, class Index>
  static cudaError_t ArgMax(void *storage, size_t &bytes, In in, Extremum most, Index index, ::cuda::std::int64_t count,
                            cudaStream_t = nullptr) {
    return place(storage, bytes, in, most, index, count, assay::cub_on_host::Greater());
  }
  template <class In, class Out>
  static cudaError_t ArgMin(void *storage, size_t &bytes, In in, Out out, int count, cudaStream_t = nullptr) {
    return pair(storage, bytes, in, out, count, assay::cub_on_host::Less());
  }
  template <class In, class Out>
  static cudaError_t ArgMax(void *storage, size_t &bytes, In in, Out out, int count, cudaStream_t = nullptr) {
    return pair(storage, bytes, in, out, count, assay::cub_on_host::Greater());
  }
  /// Of equal keys one behind the other.
  template <class Keys, class Unique, class Values, class Sums, class Runs, class Operator, class N>
  static cudaError_t ReduceByKey(void *storage, size_t &bytes, Keys keys, Unique unique, Values values, Sums sums,
                                 Runs runs, Operator apply, N count, cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    using Total = Accumulator<Operator, ValueIn<Values>, ValueIn<Values>>;
    ASSAY_CUB_OF_HOST(Operator, Total, ValueIn<Values>);
    if (asks_for_storage(storage, bytes))
      return cudaSuccess;
    N run = 0;
    for (N begin = 0; begin < count; ++run) {
      N end = begin + 1;
      while (end < count && keys[end] == keys[begin])
        ++end;
      unique[run] = keys[begin];
      sums[run] = reduced<Total>(values, begin + 1, end, apply, values[begin]);
      begin = end;
    }
    *runs = run;
    return cudaSuccess;
  }

private:
  template <class In, class Out, class N, class Order, class T>
  static cudaError_t extremum(void *storage, size_t &bytes, In in, Out out, N count, Order order, T of_nothing) {
    if (assay::cub_on_host::asks_for_storage(storage, bytes))
      return cudaSuccess;
    if (count > 0)
      *out = assay::cub_on_host::first_least(in, 0, count, order).value;
    else
      *out = of_nothing;
    return cudaSuccess;
  }
  template <class In, class Extremum, class Index, class Order>
  static cudaError_t place(void *storage, size_t &bytes, In in, Extremum extremum, Index index,
                           ::cuda::std::int64_t count, Order order) {
    if (assay::cub_on_host::asks_for_storage(storage, bytes) || count <= 0)
      return cudaSuccess;
    const auto found = assay::cub_on_host::first_least(in, 0, count, order);
    *extremum = found.value;
    *index = found.index;
    return cudaSuccess;
  }
  template <class In, class Out, class Order>
  static cudaError_t pair(void *storage, size_t &bytes, In in, Out out, int count, Order order) {
    using Value = assay::cub_on_host::ValueIn<In>;
    if (assay::cub_on_host::asks_for_storage(storage, bytes) || count <= 0)
      return cudaSuccess;
    const auto found = assay::cub_on_host::first_least(in, 0, count, order);
    assay::cub_on_host::ValueOr<Out, KeyValuePair<int, Value>> result;
    result.key = static_cast<int>(found.index);
    result.value = found.value;
    *out = result;
    return cudaSuccess;
  }
};

} // namespace cub
