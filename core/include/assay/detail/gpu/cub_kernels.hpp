#pragma once
// The kernels of CUB's rules beside CUB's own.

#include "assay/detail/gpu/device_numbers.hpp"
#include "assay/gpu/host.hpp"
#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace assay::rules::gpu {

using Place = unsigned long long;

/// A launch with a thread for each of `count` numbers; where these are too many for a grid, a thread has several.
inline unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>(std::min<std::size_t>((count + 255) / 256, 65535));
}
#define ASSAY_DETAIL_FOR_EACH(i, count)                                                                                \
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < (count);                                \
       i += std::size_t(blockDim.x) * gridDim.x)

/// to[i] += from[0]
template <class To, class From>
__global__ void add_one_to_all(To *to, const From *from, std::size_t count) {
  ASSAY_DETAIL_FOR_EACH(i, count)
  to[i] += static_cast<To>(*from);
}
template <class T>
__global__ void copy_backwards(T *to, const T *from, std::size_t count) {
  ASSAY_DETAIL_FOR_EACH(i, count)
  to[i] = from[count - 1 - i];
}
template <class T>
__global__ void add_backwards(T *to, const T *from, std::size_t count) {
  ASSAY_DETAIL_FOR_EACH(i, count)
  to[i] += from[count - 1 - i];
}
template <class T>
__global__ void number(T *places, std::size_t count) {
  ASSAY_DETAIL_FOR_EACH(i, count)
  places[i] = static_cast<T>(i);
}
/// to[i] = from[places[i]]
template <class T>
__global__ void gather(T *to, const T *from, const Place *places, std::size_t count) {
  ASSAY_DETAIL_FOR_EACH(i, count)
  to[i] = from[places[i]];
}
/// to[places[i]] += from[i], where no place is there twice.
template <class T>
__global__ void add_scattered(T *to, const T *from, const Place *places, std::size_t count) {
  ASSAY_DETAIL_FOR_EACH(i, count)
  to[places[i]] += from[i];
}
/// The first i with numbers[i] == *number.
template <class T, class Found>
__global__ void find(Place *place, const T *numbers, const Found *number, std::size_t count) {
  ASSAY_DETAIL_FOR_EACH(i, count)
  if (numbers[i] == *number)
    atomicMin(place, static_cast<Place>(i));
}
/// *to = from[*place]; zero where nothing was found.
template <class To, class From>
__global__ void take(To *to, const From *from, const Place *place, std::size_t count) {
  *to = *place < count ? static_cast<To>(from[*place]) : To(0);
}
template <class To, class From>
__global__ void add_at(To *to, const From *from, const Place *place, std::size_t count) {
  if (*place < count)
    to[*place] += static_cast<To>(*from);
}
/// Where segments begin and end, from any kind of iterators.
template <class Begin, class End>
__global__ void copy_offsets(Place *begins, Place *ends, Begin begin, End end, std::size_t segments) {
  ASSAY_DETAIL_FOR_EACH(i, segments) {
    begins[i] = static_cast<Place>(begin[i]);
    ends[i] = static_cast<Place>(end[i]);
  }
}
/// A block for each segment. Segments may overlap.
template <class To, class From>
__global__ void add_to_segments(To *to, const From *from, const Place *begins, const Place *ends,
                                std::size_t segments) {
  for (std::size_t segment = blockIdx.x; segment < segments; segment += gridDim.x)
    for (Place i = begins[segment] + threadIdx.x; i < ends[segment]; i += blockDim.x)
      atomicAdd(to + i, static_cast<To>(from[segment]));
}
#undef ASSAY_DETAIL_FOR_EACH

/// Both calls of an algorithm: for the bytes of storage that it takes, and with storage.
template <class Call>
cudaError_t with_storage(Call call) {
  std::size_t bytes = 0;
  if (const cudaError_t error = call(nullptr, bytes); error != cudaSuccess)
    return error;
  const DeviceNumbers<char> storage(std::max<std::size_t>(bytes, 1));
  return call(static_cast<void *>(storage.get()), bytes);
}

template <class T>
void clear(T *numbers, std::size_t count) {
  ::cudaMemset(static_cast<void *>(numbers), 0, count * sizeof(T));
}

template <class Pointer>
using PointedTo = std::remove_cv_t<std::remove_pointer_t<Pointer>>;
template <class... Pointer>
constexpr bool lead_to_numbers =
    (std::is_pointer_v<Pointer> && ...) && (std::is_floating_point_v<PointedTo<Pointer>> && ...);

} // namespace assay::rules::gpu
