#pragma once
// Rules of CUB's scans of a whole device: the adjoint is the same scan of the adjoints, from the end.

#include "assay/detail/gpu/cub_linear.hpp"
#include <cub/device/device_scan.cuh>

namespace assay::rules::gpu::cub_rules {

/// `Scan`: the function between two arrays.
template <class T, class N, auto Scan>
struct ScanOfShadows {
  static void tangent(const T *in, T *out, N count, cudaStream_t stream) {
    if (in)
      with_storage([&](void *storage, std::size_t &bytes) { return Scan(storage, bytes, in, out, count, stream); });
    else
      ::cudaMemsetAsync(static_cast<void *>(out), 0, count * sizeof(T), stream);
  }
  /// `in` and `out` may be the same.
  static void adjoint(const T *in, T *out, N count) {
    ::cudaDeviceSynchronize();
    if (count <= 0)
      return;
    if (!in)
      return clear(out, count);
    const DeviceNumbers<T> backwards(count), sums(count);
    copy_backwards<<<blocks_for(count), 256>>>(backwards.get(), static_cast<const T *>(out), count);
    clear(out, count);
    with_storage([&](void *storage, std::size_t &bytes) {
      return Scan(storage, bytes, static_cast<const T *>(backwards.get()), sums.get(), count, cudaStream_t());
    });
    add_backwards<<<blocks_for(count), 256>>>(const_cast<T *>(in), static_cast<const T *>(sums.get()), count);
  }
};

template <class In, class Out, class N>
struct ScanFunction {
  using Type = cudaError_t (*)(void *, std::size_t &, In, Out, N, cudaStream_t);
};
template <class Data, class N>
struct ScanInPlace {
  using Type = cudaError_t (*)(void *, std::size_t &, Data, N, cudaStream_t);
};

/// `Function` is registered, `Scan` is that of pointers to constant numbers.
template <class In, class Out, class N, auto Function, auto Scan>
struct DeviceScanRule : LinearRule<Function, ScanOfShadows<PointedTo<Out>, N, Scan>> {
  static_assert(lead_to_numbers<In, Out> && std::is_same_v<PointedTo<In>, PointedTo<Out>>,
                "ASSAY_CUB: scans have rules for pointers to float, or to double, as input and output");
};

template <class Data, class N, auto Function, auto Scan>
struct DeviceScanInPlaceRule {
  static_assert(lead_to_numbers<Data>, "ASSAY_CUB: scans have rules for pointers to float and double");
  using Shadows = ScanOfShadows<PointedTo<Data>, N, Scan>;
  static constexpr bool hides_body = true;
  static constexpr auto function = Function;

  static auto forward(const auto &config, auto storage, auto bytes, auto data, auto count, auto stream) {
    for (const int lane : config.lanes())
      if (storage.value && data.is_active())
        Shadows::tangent(data.shadow(lane), data.shadow(lane), count.value, stream.value);
    return without_tangent(config, function(storage.value, bytes.value, data.value, count.value, stream.value));
  }
  static auto augmented_primal(const auto & /*config*/, auto storage, auto bytes, auto data, auto count, auto stream) {
    return AugmentedReturn{function(storage.value, bytes.value, data.value, count.value, stream.value), None{},
                           bool(storage.value)};
  }
  static void reverse(const auto &config, const auto & /*status*/, bool was_done, auto /*storage*/, auto /*bytes*/,
                      auto data, auto count, auto /*stream*/) {
    for (const int lane : config.lanes())
      if (was_done && data.is_active())
        Shadows::adjoint(data.shadow(lane), data.shadow(lane), count.value);
  }
  static void uses() {
    Shadows::tangent(nullptr, nullptr, 0, nullptr);
    Shadows::adjoint(nullptr, nullptr, 0);
  }
};

struct DeviceScan {
  template <class T, class N>
  using Function = typename ScanFunction<const T *, T *, N>::Type;

  template <class... Types>
  struct InclusiveSum;
  template <class... Types>
  struct ExclusiveSum;
};
#define ASSAY_DETAIL_SCAN(NAME)                                                                                        \
  template <class In, class Out, class N>                                                                              \
  struct DeviceScan::NAME<In, Out, N>                                                                                  \
      : DeviceScanRule<In, Out, N, static_cast<typename ScanFunction<In, Out, N>::Type>(::cub::DeviceScan::NAME),      \
                       static_cast<Function<PointedTo<Out>, N>>(::cub::DeviceScan::NAME)> {};                          \
  template <class Data, class N>                                                                                       \
  struct DeviceScan::NAME<Data, N>                                                                                     \
      : DeviceScanInPlaceRule<Data, N, static_cast<typename ScanInPlace<Data, N>::Type>(::cub::DeviceScan::NAME),      \
                              static_cast<Function<PointedTo<Data>, N>>(::cub::DeviceScan::NAME)> {}
ASSAY_DETAIL_SCAN(InclusiveSum);
ASSAY_DETAIL_SCAN(ExclusiveSum);
#undef ASSAY_DETAIL_SCAN

} // namespace assay::rules::gpu::cub_rules
