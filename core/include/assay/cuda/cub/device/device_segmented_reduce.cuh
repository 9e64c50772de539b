#pragma once
// In place of CUB's header; emulated, reductions of segments are loops of the host.
#include "device_reduce.cuh"

namespace cub {

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Operator, class T>
  static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, ::cuda::std::int64_t segments, Begin begin,
                            End end, Operator apply, T initial, cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    using Total = Accumulator<Operator, T, ValueIn<In>>;
    ASSAY_CUB_OF_HOST(Operator, Total, ValueIn<In>);
    if (asks_for_storage(storage, bytes))
      return cudaSuccess;
    for (::cuda::std::int64_t segment = 0; segment < segments; ++segment)
      out[segment] = reduced<Total>(in, begin[segment], end[segment], apply, initial);
    return cudaSuccess;
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, ::cuda::std::int64_t segments, Begin begin,
                         End end, cudaStream_t stream = nullptr) {
    using T = assay::cub_on_host::ValueOr<Out, assay::cub_on_host::ValueIn<In>>;
    return Reduce(storage, bytes, in, out, segments, begin, end, ::cuda::std::plus<>(), T{}, stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Min(void *storage, size_t &bytes, In in, Out out, ::cuda::std::int64_t segments, Begin begin,
                         End end, cudaStream_t = nullptr) {
    return extrema(storage, bytes, in, out, segments, begin, end, assay::cub_on_host::Less(),
                   ::cuda::std::numeric_limits<assay::cub_on_host::ValueIn<In>>::max());
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Max(void *storage, size_t &bytes, In in, Out out, ::cuda::std::int64_t segments, Begin begin,
                         End end, cudaStream_t = nullptr) {
    return extrema(storage, bytes, in, out, segments, begin, end, assay::cub_on_host::Greater(),
                   ::cuda::std::numeric_limits<assay::cub_on_host::ValueIn<In>>::lowest());
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t ArgMin(void *storage, size_t &bytes, In in, Out out, ::cuda::std::int64_t segments, Begin begin,
                            End end, cudaStream_t = nullptr) {
    return places(storage, bytes, in, out, segments, begin, end, assay::cub_on_host::Less(),
                  ::cuda::std::numeric_limits<assay::cub_on_host::ValueIn<In>>::max());
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t ArgMax(void *storage, size_t &bytes, In in, Out out, ::cuda::std::int64_t segments, Begin begin,
                            End end, cudaStream_t = nullptr) {
    return places(storage, bytes, in, out, segments, begin, end, assay::cub_on_host::Greater(),
                  ::cuda::std::numeric_limits<assay::cub_on_host::ValueIn<In>>::lowest());
  }

private:
  template <class In, class Out, class Begin, class End, class Order, class T>
  static cudaError_t extrema(void *storage, size_t &bytes, In in, Out out, ::cuda::std::int64_t segments, Begin begin,
                             End end, Order order, T of_nothing) {
    if (assay::cub_on_host::asks_for_storage(storage, bytes))
      return cudaSuccess;
    for (::cuda::std::int64_t segment = 0; segment < segments; ++segment)
      if (begin[segment] < end[segment])
        out[segment] = assay::cub_on_host::first_least(in, begin[segment], end[segment], order).value;
      else
        out[segment] = of_nothing;
    return cudaSuccess;
  }
  /// Places count from the beginning of their segment; where one is empty, it is 1.
  template <class In, class Out, class Begin, class End, class Order, class T>
  static cudaError_t places(void *storage, size_t &bytes, In in, Out out, ::cuda::std::int64_t segments, Begin begin,
                            End end, Order order, T of_nothing) {
    if (assay::cub_on_host::asks_for_storage(storage, bytes))
      return cudaSuccess;
    for (::cuda::std::int64_t segment = 0; segment < segments; ++segment) {
      assay::cub_on_host::ValueOr<Out, KeyValuePair<int, T>> result;
      result.key = 1;
      result.value = of_nothing;
      if (begin[segment] < end[segment]) {
        const auto found = assay::cub_on_host::first_least(in, begin[segment], end[segment], order);
        result.key = static_cast<int>(found.index - begin[segment]);
        result.value = found.value;
      }
      out[segment] = result;
    }
    return cudaSuccess;
  }
};

} // namespace cub
