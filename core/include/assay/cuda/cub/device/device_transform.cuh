#pragma once
// In place of CUB's header; emulated, transformations are loops of the host.
#include "../../detail/cub_on_host.h"

namespace cub {

struct DeviceTransform {
  template <class... In, class Out, class N, class Operator>
  static cudaError_t Transform(::cuda::std::tuple<In...> in, Out out, N count, Operator apply, cudaStream_t = nullptr) {
    ASSAY_CUB_OF_HOST(Operator, assay::cub_on_host::ValueIn<In>...);
    for (N i = 0; i < count; ++i)
      out[i] = ::cuda::std::apply([&](auto &...numbers) { return apply(numbers[i]...); }, in);
    return cudaSuccess;
  }
  template <class In, class Out, class N, class Operator>
  static cudaError_t Transform(In in, Out out, N count, Operator apply, cudaStream_t stream = nullptr) {
    return Transform(::cuda::std::make_tuple(in), out, count, apply, stream);
  }
  template <class In, class Out, class N, class Operator>
  static cudaError_t Transform(void *storage, size_t &bytes, In in, Out out, N count, Operator apply,
                               cudaStream_t stream = nullptr) {
    return assay::cub_on_host::asks_for_storage(storage, bytes) ? cudaSuccess
                                                                : Transform(in, out, count, apply, stream);
  }
  template <class... Arguments>
  static cudaError_t TransformStableArgumentAddresses(Arguments... arguments) {
    return Transform(arguments...);
  }
};

} // namespace cub
