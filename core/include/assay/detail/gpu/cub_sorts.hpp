#pragma once
// Rules of CUB's radix sorts of a whole device: the adjoints of permuted numbers are moved back.

#include "assay/detail/gpu/cub_kernels.hpp"
#include <cub/device/device_radix_sort.cuh>

namespace assay::rules::gpu::cub_rules {

template <class Key, class Value, class N>
using SortPairsFunction = cudaError_t (*)(void *, std::size_t &, const Key *, Key *, const Value *, Value *, N, int,
                                          int, cudaStream_t);
template <class Key, class N>
using SortKeysFunction = cudaError_t (*)(void *, std::size_t &, const Key *, Key *, N, int, int, cudaStream_t);

/// Of sorted numbers: tangents follow them, adjoints go back. Integers are the same in the shadow.
template <class T, class N>
struct Moved {
  static constexpr bool has_derivatives = std::is_floating_point_v<T>;
  static_assert(std::is_arithmetic_v<T>, "ASSAY_CUB: sorts have rules for arrays of numbers");

  static void primal(T *out, const T *in, const Place *places, N count, cudaStream_t stream) {
    if (count > 0)
      gather<<<blocks_for(count), 256, 0, stream>>>(out, in, places, count);
  }
  static void tangents(const auto &config, auto &in, auto &out, const Place *places, N count, cudaStream_t stream) {
    for (const int lane : config.lanes())
      if (out.is_active())
        tangent(out.shadow(lane), in.is_active() ? static_cast<const T *>(in.shadow(lane)) : nullptr, in.value, places,
                count, stream);
  }
  /// In the forward sweep of reverse mode.
  static void integers(const auto &config, auto &in, auto &out, const Place *places, N count, cudaStream_t stream) {
    if constexpr (!has_derivatives)
      tangents(config, in, out, places, count, stream);
  }
  static void adjoints(const auto &config, auto &in, auto &out, const Place *places, N count) {
    for (const int lane : config.lanes())
      if (out.is_active())
        adjoint(in.is_active() ? const_cast<T *>(in.shadow(lane)) : nullptr, out.shadow(lane), places, count);
  }
  static void uses() {
    primal(nullptr, nullptr, nullptr, 0, nullptr);
    tangent(nullptr, nullptr, nullptr, nullptr, 0, nullptr);
    adjoint(nullptr, nullptr, nullptr, 0);
  }

private:
  static void tangent(T *out, const T *in, const T *values, const Place *places, N count, cudaStream_t stream) {
    if (!has_derivatives)
      primal(out, values, places, count, stream);
    else if (in)
      primal(out, in, places, count, stream);
    else
      ::cudaMemsetAsync(static_cast<void *>(out), 0, count * sizeof(T), stream);
  }
  static void adjoint(T *in, T *out, const Place *places, N count) {
    if (!has_derivatives || count <= 0)
      return;
    if (in)
      add_scattered<<<blocks_for(count), 256>>>(in, static_cast<const T *>(out), places, count);
    clear(out, count);
  }
};

/// Sorts the places of the keys with the keys.
template <class Key, class N, auto Sort>
struct SortedPlaces {
  static DeviceNumbers<Place> sort(cudaError_t &status, const Key *in, Key *out, N count, int first_bit, int end_bit,
                                   cudaStream_t stream) {
    DeviceNumbers<Place> places(count);
    const DeviceNumbers<Place> numbers(count);
    if (count > 0)
      number<<<blocks_for(count), 256, 0, stream>>>(numbers.get(), count);
    status = with_storage([&](void *storage, std::size_t &bytes) {
      return Sort(storage, bytes, in, out, static_cast<const Place *>(numbers.get()), places.get(), count, first_bit,
                  end_bit, stream);
    });
    return places;
  }
};

template <class Key, class N, auto Function, auto Sort>
struct SortKeysRule {
  static constexpr bool hides_body = true;
  static constexpr auto function = Function;
  using Places = SortedPlaces<Key, N, Sort>;
  using Keys = Moved<Key, N>;

  static auto forward(const auto &config, auto storage, auto bytes, auto in, auto out, auto count, auto first_bit,
                      auto end_bit, auto stream) {
    if (!storage.value)
      return without_tangent(config, query(bytes.value, count.value));
    cudaError_t status = cudaSuccess;
    const auto places =
        Places::sort(status, in.value, out.value, count.value, first_bit.value, end_bit.value, stream.value);
    Keys::tangents(config, in, out, places.get(), count.value, stream.value);
    return without_tangent(config, status);
  }
  static auto augmented_primal(const auto &config, auto storage, auto bytes, auto in, auto out, auto count,
                               auto first_bit, auto end_bit, auto stream) {
    if (!storage.value)
      return AugmentedReturn{query(bytes.value, count.value), None{}, DeviceNumbers<Place>()};
    cudaError_t status = cudaSuccess;
    auto places = Places::sort(status, in.value, out.value, count.value, first_bit.value, end_bit.value, stream.value);
    Keys::integers(config, in, out, places.get(), count.value, stream.value);
    return AugmentedReturn{std::move(status), None{}, std::move(places)};
  }
  static void reverse(const auto &config, const auto & /*status*/, const auto &places, auto storage, auto /*bytes*/,
                      auto in, auto out, auto count, auto /*first_bit*/, auto /*end_bit*/, auto /*stream*/) {
    ::cudaDeviceSynchronize();
    if (storage.value)
      Keys::adjoints(config, in, out, places.get(), count.value);
  }
  static void uses() {
    cudaError_t status = cudaSuccess;
    Places::sort(status, nullptr, nullptr, 0, 0, 0, nullptr);
    Keys::uses();
  }

private:
  static cudaError_t query(std::size_t &bytes, N count) {
    return function(nullptr, bytes, nullptr, nullptr, count, 0, 8 * sizeof(Key), nullptr);
  }
};

template <class Key, class Value, class N, auto Function, auto Sort>
struct SortPairsRule {
  static constexpr bool hides_body = true;
  static constexpr auto function = Function;
  using Places = SortedPlaces<Key, N, Sort>;
  using Keys = Moved<Key, N>;
  using Values = Moved<Value, N>;

  static auto forward(const auto &config, auto storage, auto bytes, auto keys_in, auto keys_out, auto in, auto out,
                      auto count, auto first_bit, auto end_bit, auto stream) {
    if (!storage.value)
      return without_tangent(config, query(bytes.value, count.value));
    cudaError_t status = cudaSuccess;
    const auto places =
        Places::sort(status, keys_in.value, keys_out.value, count.value, first_bit.value, end_bit.value, stream.value);
    Keys::tangents(config, keys_in, keys_out, places.get(), count.value, stream.value);
    Values::primal(out.value, in.value, places.get(), count.value, stream.value);
    Values::tangents(config, in, out, places.get(), count.value, stream.value);
    return without_tangent(config, status);
  }
  static auto augmented_primal(const auto &config, auto storage, auto bytes, auto keys_in, auto keys_out, auto in,
                               auto out, auto count, auto first_bit, auto end_bit, auto stream) {
    if (!storage.value)
      return AugmentedReturn{query(bytes.value, count.value), None{}, DeviceNumbers<Place>()};
    cudaError_t status = cudaSuccess;
    auto places =
        Places::sort(status, keys_in.value, keys_out.value, count.value, first_bit.value, end_bit.value, stream.value);
    Values::primal(out.value, in.value, places.get(), count.value, stream.value);
    Keys::integers(config, keys_in, keys_out, places.get(), count.value, stream.value);
    Values::integers(config, in, out, places.get(), count.value, stream.value);
    return AugmentedReturn{std::move(status), None{}, std::move(places)};
  }
  static void reverse(const auto &config, const auto & /*status*/, const auto &places, auto storage, auto /*bytes*/,
                      auto keys_in, auto keys_out, auto in, auto out, auto count, auto /*first_bit*/, auto /*end_bit*/,
                      auto /*stream*/) {
    ::cudaDeviceSynchronize();
    if (!storage.value)
      return;
    Keys::adjoints(config, keys_in, keys_out, places.get(), count.value);
    Values::adjoints(config, in, out, places.get(), count.value);
  }
  static void uses() {
    cudaError_t status = cudaSuccess;
    Places::sort(status, nullptr, nullptr, 0, 0, 0, nullptr);
    Keys::uses();
    Values::uses();
  }

private:
  static cudaError_t query(std::size_t &bytes, N count) {
    return function(nullptr, bytes, nullptr, nullptr, nullptr, nullptr, count, 0, 8 * sizeof(Key), nullptr);
  }
};

/// With the types that CUB's own functions deduce.
struct DeviceRadixSort {
#define ASSAY_DETAIL_SORT(ORDER)                                                                                       \
  template <class Key, class N>                                                                                        \
  using SortKeys##ORDER =                                                                                              \
      SortKeysRule<Key, N, static_cast<SortKeysFunction<Key, N>>(::cub::DeviceRadixSort::SortKeys##ORDER),             \
                   static_cast<SortPairsFunction<Key, Place, N>>(::cub::DeviceRadixSort::SortPairs##ORDER)>;           \
  template <class Key, class Value, class N>                                                                           \
  using SortPairs##ORDER =                                                                                             \
      SortPairsRule<Key, Value, N,                                                                                     \
                    static_cast<SortPairsFunction<Key, Value, N>>(::cub::DeviceRadixSort::SortPairs##ORDER),           \
                    static_cast<SortPairsFunction<Key, Place, N>>(::cub::DeviceRadixSort::SortPairs##ORDER)>
  ASSAY_DETAIL_SORT();
  ASSAY_DETAIL_SORT(Descending);
#undef ASSAY_DETAIL_SORT
};

} // namespace assay::rules::gpu::cub_rules
