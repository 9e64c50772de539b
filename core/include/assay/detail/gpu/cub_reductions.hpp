#pragma once
// Rules of CUB's reductions of a whole device.

#include "assay/detail/gpu/cub_linear.hpp"
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>

namespace assay::rules::gpu::cub_rules {

/// y = sum of x: x' += y'.
template <class In, class Out, class N, auto Function>
struct SumOfShadows {
  static void tangent(In in, Out out, N count, cudaStream_t stream) {
    if (in)
      with_storage([&](void *storage, std::size_t &bytes) { return Function(storage, bytes, in, out, count, stream); });
    else
      ::cudaMemsetAsync(static_cast<void *>(out), 0, sizeof *out, stream);
  }
  static void adjoint(In in, Out out, N count) {
    ::cudaDeviceSynchronize();
    if (in && count > 0)
      add_one_to_all<<<blocks_for(count), 256>>>(const_cast<PointedTo<In> *>(in), out, count);
    clear(out, 1);
  }
};

template <class In, class Out, class N,
          auto Function =
              overload<cudaError_t(void *, std::size_t &, In, Out, N, cudaStream_t)>(::cub::DeviceReduce::Sum)>
struct DeviceSum : LinearRule<Function, SumOfShadows<In, Out, N, Function>> {
  static_assert(lead_to_numbers<In, Out>, "ASSAY_CUB: sums have rules for pointers to float and double");
};

/// y = x_p, where p is the first place of the extremum: x'_p += y'.
template <class In, class Out, class N, auto Function>
struct DeviceExtremum {
  static_assert(lead_to_numbers<In, Out>, "ASSAY_CUB: extrema have rules for pointers to float and double");
  static constexpr bool hides_body = true;
  static constexpr auto function = Function;

  static auto forward(const auto &config, auto storage, auto bytes, auto in, auto out, auto count, auto stream) {
    const auto status = function(storage.value, bytes.value, in.value, out.value, count.value, stream.value);
    if (storage.value && out.is_active()) {
      const auto place = found(in.value, out.value, count.value, stream.value);
      for (const int lane : config.lanes())
        tangent(in.is_active() ? in.shadow(lane) : nullptr, out.shadow(lane), place.get(), count.value, stream.value);
    }
    return without_tangent(config, status);
  }
  static auto augmented_primal(const auto & /*config*/, auto storage, auto bytes, auto in, auto out, auto count,
                               auto stream) {
    const auto status = function(storage.value, bytes.value, in.value, out.value, count.value, stream.value);
    return AugmentedReturn{status, None{},
                           storage.value && in.is_active() ? found(in.value, out.value, count.value, stream.value)
                                                           : DeviceNumbers<Place>()};
  }
  static void reverse(const auto &config, const auto & /*status*/, const auto &place, auto storage, auto /*bytes*/,
                      auto in, auto out, auto count, auto /*stream*/) {
    for (const int lane : config.lanes())
      if (storage.value && out.is_active())
        adjoint(in.is_active() ? in.shadow(lane) : nullptr, out.shadow(lane), place.get(), count.value);
  }

  static void uses() {
    const auto place = found(nullptr, nullptr, 0, nullptr);
    tangent(nullptr, nullptr, place.get(), 0, nullptr);
    adjoint(nullptr, nullptr, place.get(), 0);
  }

private:
  static DeviceNumbers<Place> found(In in, Out out, N count, cudaStream_t stream) {
    DeviceNumbers<Place> place(1);
    ::cudaMemsetAsync(static_cast<void *>(place.get()), 0xff, sizeof(Place), stream);
    if (count > 0)
      find<<<blocks_for(count), 256, 0, stream>>>(place.get(), in, out, count);
    return place;
  }
  static void tangent(In in, Out out, const Place *place, N count, cudaStream_t stream) {
    if (in)
      take<<<1, 1, 0, stream>>>(out, in, place, count);
    else
      ::cudaMemsetAsync(static_cast<void *>(out), 0, sizeof *out, stream);
  }
  static void adjoint(In in, Out out, const Place *place, N count) {
    ::cudaDeviceSynchronize();
    if (in)
      add_at<<<1, 1>>>(const_cast<PointedTo<In> *>(in), out, place, count);
    clear(out, 1);
  }
};

/// Where segments lay when their sums were taken.
struct KeptSegments {
  DeviceNumbers<Place> begins, ends;
};

/// y_s = sum of x over segment s: x' += y'_s there.
template <class In, class Out, class Begin, class End, class N = ::cuda::std::int64_t>
struct DeviceSegmentedSum {
  static_assert(lead_to_numbers<In, Out>, "ASSAY_CUB: sums have rules for pointers to float and double");
  static constexpr bool hides_body = true;
  static constexpr auto function = overload<cudaError_t(void *, std::size_t &, In, Out, N, Begin, End, cudaStream_t)>(
      ::cub::DeviceSegmentedReduce::Sum);

  static auto forward(const auto &config, auto storage, auto bytes, auto in, auto out, auto segments, auto begin,
                      auto end, auto stream) {
    for (const int lane : config.lanes())
      if (storage.value && out.is_active())
        tangent(in.is_active() ? in.shadow(lane) : nullptr, out.shadow(lane), segments.value, begin.value, end.value,
                stream.value);
    return without_tangent(config, function(storage.value, bytes.value, in.value, out.value, segments.value,
                                            begin.value, end.value, stream.value));
  }
  static auto augmented_primal(const auto & /*config*/, auto storage, auto bytes, auto in, auto out, auto segments,
                               auto begin, auto end, auto stream) {
    const auto status =
        function(storage.value, bytes.value, in.value, out.value, segments.value, begin.value, end.value, stream.value);
    return AugmentedReturn{status, None{},
                           storage.value && in.is_active()
                               ? kept_offsets(segments.value, begin.value, end.value, stream.value)
                               : KeptSegments()};
  }
  static void reverse(const auto &config, const auto & /*status*/, const auto &kept, auto storage, auto /*bytes*/,
                      auto in, auto out, auto segments, auto /*begin*/, auto /*end*/, auto /*stream*/) {
    for (const int lane : config.lanes())
      if (storage.value && out.is_active())
        adjoint(in.is_active() ? in.shadow(lane) : nullptr, out.shadow(lane), segments.value, kept);
  }

  static void uses() {
    tangent(nullptr, nullptr, 0, Begin(), End(), nullptr);
    adjoint(nullptr, nullptr, 0, kept_offsets(0, Begin(), End(), nullptr));
  }

private:
  static void tangent(In in, Out out, N segments, Begin begin, End end, cudaStream_t stream) {
    if (in)
      with_storage([&](void *storage, std::size_t &bytes) {
        return function(storage, bytes, in, out, segments, begin, end, stream);
      });
    else
      ::cudaMemsetAsync(static_cast<void *>(out), 0, segments * sizeof *out, stream);
  }
  static KeptSegments kept_offsets(N segments, Begin begin, End end, cudaStream_t stream) {
    KeptSegments kept{DeviceNumbers<Place>(segments), DeviceNumbers<Place>(segments)};
    if (segments > 0)
      copy_offsets<<<blocks_for(segments), 256, 0, stream>>>(kept.begins.get(), kept.ends.get(), begin, end, segments);
    return kept;
  }
  static void adjoint(In in, Out out, N segments, const KeptSegments &kept) {
    ::cudaDeviceSynchronize();
    if (in && segments > 0)
      add_to_segments<<<std::min<N>(segments, 65535), 128>>>(const_cast<PointedTo<In> *>(in), out, kept.begins.get(),
                                                             kept.ends.get(), segments);
    clear(out, segments);
  }
};

struct DeviceReduce {
  template <class In, class Out, class N>
  using Sum = DeviceSum<In, Out, N>;
  template <class In, class Out, class N>
  using Max = DeviceExtremum<In, Out, N,
                             static_cast<cudaError_t (*)(void *, std::size_t &, In, Out, N, cudaStream_t)>(
                                 ::cub::DeviceReduce::Max)>;
  template <class In, class Out, class N>
  using Min = DeviceExtremum<In, Out, N,
                             static_cast<cudaError_t (*)(void *, std::size_t &, In, Out, N, cudaStream_t)>(
                                 ::cub::DeviceReduce::Min)>;
};
struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End>
  using Sum = DeviceSegmentedSum<In, Out, Begin, End>;
};

} // namespace assay::rules::gpu::cub_rules
