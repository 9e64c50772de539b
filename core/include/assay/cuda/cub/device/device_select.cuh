#pragma once
// In place of CUB's header; emulated, selections are loops of the host.
#include "../../detail/cub_on_host.h"

namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Number>
  static cudaError_t Flagged(void *storage, size_t &bytes, In in, Flags flags, Out out, Number number,
                             ::cuda::std::int64_t count, cudaStream_t = nullptr) {
    return select(storage, bytes, in, out, number, count, [&](auto i) -> bool { return flags[i]; });
  }
  template <class Data, class Flags, class Number>
  static cudaError_t Flagged(void *storage, size_t &bytes, Data data, Flags flags, Number number,
                             ::cuda::std::int64_t count, cudaStream_t stream = nullptr) {
    return Flagged(storage, bytes, data, flags, data, number, count, stream);
  }
  template <class In, class Out, class Number, class Predicate>
  static cudaError_t If(void *storage, size_t &bytes, In in, Out out, Number number, ::cuda::std::int64_t count,
                        Predicate predicate, cudaStream_t = nullptr) {
    ASSAY_CUB_OF_HOST(Predicate, assay::cub_on_host::ValueIn<In>);
    return select(storage, bytes, in, out, number, count, [&](auto i) -> bool { return predicate(in[i]); });
  }
  template <class Data, class Number, class Predicate>
  static cudaError_t If(void *storage, size_t &bytes, Data data, Number number, ::cuda::std::int64_t count,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    return If(storage, bytes, data, data, number, count, predicate, stream);
  }
  template <class In, class Flags, class Out, class Number, class Predicate>
  static cudaError_t FlaggedIf(void *storage, size_t &bytes, In in, Flags flags, Out out, Number number,
                               ::cuda::std::int64_t count, Predicate predicate, cudaStream_t = nullptr) {
    ASSAY_CUB_OF_HOST(Predicate, assay::cub_on_host::ValueIn<Flags>);
    return select(storage, bytes, in, out, number, count, [&](auto i) -> bool { return predicate(flags[i]); });
  }
  /// The first of equal numbers that stand one behind the other.
  template <class In, class Out, class Number>
  static cudaError_t Unique(void *storage, size_t &bytes, In in, Out out, Number number, ::cuda::std::int64_t count,
                            cudaStream_t = nullptr) {
    return select(storage, bytes, in, out, number, count,
                  [&](auto i) -> bool { return i == 0 || !(in[i] == in[i - 1]); });
  }

private:
  /// `out` may be `in`.
  template <class In, class Out, class Number, class Chosen>
  static cudaError_t select(void *storage, size_t &bytes, In in, Out out, Number number, ::cuda::std::int64_t count,
                            Chosen chosen) {
    if (assay::cub_on_host::asks_for_storage(storage, bytes))
      return cudaSuccess;
    ::cuda::std::int64_t found = 0;
    for (::cuda::std::int64_t i = 0; i < count; ++i)
      if (chosen(i))
        out[found++] = in[i];
    *number = found;
    return cudaSuccess;
  }
};

} // namespace cub
