#pragma once
// In place of CUB's header; emulated, scans are loops of the host.
#include "../../detail/cub_on_host.h"

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Operator, class T, class N>
  static cudaError_t ExclusiveScan(void *storage, size_t &bytes, In in, Out out, Operator apply, T initial, N count,
                                   cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    using Total = Accumulator<Operator, Initial<T>, ValueIn<In>>;
    ASSAY_CUB_OF_HOST(Operator, Total, ValueIn<In>);
    if (asks_for_storage(storage, bytes))
      return cudaSuccess;
    Total total = start(initial);
    for (N i = 0; i < count; ++i) {
      const Total next = apply(total, in[i]);
      out[i] = total;
      total = next;
    }
    return cudaSuccess;
  }
  template <class Data, class Operator, class T, class N>
  static cudaError_t ExclusiveScan(void *storage, size_t &bytes, Data data, Operator apply, T initial, N count,
                                   cudaStream_t stream = nullptr) {
    return ExclusiveScan(storage, bytes, data, data, apply, initial, count, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t ExclusiveSum(void *storage, size_t &bytes, In in, Out out, N count,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveScan(storage, bytes, in, out, ::cuda::std::plus<>(), assay::cub_on_host::ValueIn<In>{}, count,
                         stream);
  }
  template <class Data, class N>
  static cudaError_t ExclusiveSum(void *storage, size_t &bytes, Data data, N count, cudaStream_t stream = nullptr) {
    return ExclusiveSum(storage, bytes, data, data, count, stream);
  }
  template <class In, class Out, class Operator, class T, class N>
  static cudaError_t InclusiveScanInit(void *storage, size_t &bytes, In in, Out out, Operator apply, T initial, N count,
                                       cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    using Total = Accumulator<Operator, T, ValueIn<In>>;
    ASSAY_CUB_OF_HOST(Operator, Total, ValueIn<In>);
    if (asks_for_storage(storage, bytes))
      return cudaSuccess;
    Total total = initial;
    for (N i = 0; i < count; ++i) {
      total = apply(total, in[i]);
      out[i] = total;
    }
    return cudaSuccess;
  }
  template <class In, class Out, class Operator, class N>
  static cudaError_t InclusiveScan(void *storage, size_t &bytes, In in, Out out, Operator apply, N count,
                                   cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    using Total = Accumulator<Operator, ValueIn<In>, ValueIn<In>>;
    ASSAY_CUB_OF_HOST(Operator, Total, ValueIn<In>);
    if (asks_for_storage(storage, bytes) || count <= 0)
      return cudaSuccess;
    Total total = in[0];
    out[0] = total;
    for (N i = 1; i < count; ++i) {
      total = apply(total, in[i]);
      out[i] = total;
    }
    return cudaSuccess;
  }
  template <class Data, class Operator, class N>
  static cudaError_t InclusiveScan(void *storage, size_t &bytes, Data data, Operator apply, N count,
                                   cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, data, data, apply, count, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t InclusiveSum(void *storage, size_t &bytes, In in, Out out, N count,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, in, out, ::cuda::std::plus<>(), count, stream);
  }
  template <class Data, class N>
  static cudaError_t InclusiveSum(void *storage, size_t &bytes, Data data, N count, cudaStream_t stream = nullptr) {
    return InclusiveSum(storage, bytes, data, data, count, stream);
  }

  // ---- of equal keys one behind the other

  template <class Keys, class In, class Out, class Operator, class T, class N, class Same = ::cuda::std::equal_to<>>
  static cudaError_t ExclusiveScanByKey(void *storage, size_t &bytes, Keys keys, In in, Out out, Operator apply,
                                        T initial, N count, Same same = Same(), cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    using Total = Accumulator<Operator, T, ValueIn<In>>;
    ASSAY_CUB_OF_HOST(Operator, Total, ValueIn<In>);
    ASSAY_CUB_OF_HOST(Same, ValueIn<Keys>, ValueIn<Keys>);
    if (asks_for_storage(storage, bytes))
      return cudaSuccess;
    Total total = initial;
    for (N i = 0; i < count; ++i) {
      if (i > 0 && !same(keys[i - 1], keys[i]))
        total = initial;
      const Total next = apply(total, in[i]);
      out[i] = total;
      total = next;
    }
    return cudaSuccess;
  }
  template <class Keys, class In, class Out, class N, class Same = ::cuda::std::equal_to<>>
  static cudaError_t ExclusiveSumByKey(void *storage, size_t &bytes, Keys keys, In in, Out out, N count,
                                       Same same = Same(), cudaStream_t stream = nullptr) {
    return ExclusiveScanByKey(storage, bytes, keys, in, out, ::cuda::std::plus<>(), assay::cub_on_host::ValueIn<In>{},
                              count, same, stream);
  }
  template <class Keys, class In, class Out, class Operator, class N, class Same = ::cuda::std::equal_to<>>
  static cudaError_t InclusiveScanByKey(void *storage, size_t &bytes, Keys keys, In in, Out out, Operator apply,
                                        N count, Same same = Same(), cudaStream_t = nullptr) {
    using namespace assay::cub_on_host;
    using Total = Accumulator<Operator, ValueIn<In>, ValueIn<In>>;
    ASSAY_CUB_OF_HOST(Operator, Total, ValueIn<In>);
    ASSAY_CUB_OF_HOST(Same, ValueIn<Keys>, ValueIn<Keys>);
    if (asks_for_storage(storage, bytes) || count <= 0)
      return cudaSuccess;
    Total total = in[0];
    out[0] = total;
    for (N i = 1; i < count; ++i) {
      if (same(keys[i - 1], keys[i]))
        total = apply(total, in[i]);
      else
        total = in[i];
      out[i] = total;
    }
    return cudaSuccess;
  }
  template <class Keys, class In, class Out, class N, class Same = ::cuda::std::equal_to<>>
  static cudaError_t InclusiveSumByKey(void *storage, size_t &bytes, Keys keys, In in, Out out, N count,
                                       Same same = Same(), cudaStream_t stream = nullptr) {
    return InclusiveScanByKey(storage, bytes, keys, in, out, ::cuda::std::plus<>(), count, same, stream);
  }

private:
  template <class T>
  struct InitialOf {
    using type = T;
  };
  template <class T, class Iterator>
  struct InitialOf<FutureValue<T, Iterator>> {
    using type = T;
  };
  template <class T>
  using Initial = typename InitialOf<T>::type;
  template <class T>
  static const T &start(const T &value) {
    return value;
  }
  /// Only known when the scan runs.
  template <class T, class Iterator>
  static T start(FutureValue<T, Iterator> value) {
    return value;
  }
};

} // namespace cub
