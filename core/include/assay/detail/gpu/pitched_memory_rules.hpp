#pragma once
// Rules for memory in rows of the same distance: cudaMallocPitch, cudaMemcpy2D and cudaMemset2D in code of the host.

#include "assay/detail/gpu/host_rule.hpp"
#include "assay/detail/gpu/memory_rules.hpp"
#include "assay/rules.hpp"
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::rules::gpu {

/// Rows of the shadow have the distance of the program's.
struct PitchedAllocationRule {
  static constexpr bool hides_body = true; // the distance and the memory do not meet
  static cudaError_t allocate(const auto &config, auto &memory, auto &pitch, std::size_t width, std::size_t height) {
    const cudaError_t error = ::cudaMallocPitch(memory.value, pitch.value, width, height);
    for (const int lane : config.lanes()) {
      if (memory.is_active() && error == cudaSuccess &&
          ::cudaMalloc(memory.shadow(lane), *pitch.value * height) == cudaSuccess)
        ::cudaMemset(*memory.shadow(lane), 0, *pitch.value * height);
      if (pitch.is_active())
        *pitch.shadow(lane) = *pitch.value;
    }
    return error;
  }
  static auto forward(const auto &config, auto memory, auto pitch, auto width, auto height) {
    const cudaError_t error = allocate(config, memory, pitch, width.value, height.value);
    return without_tangent(config, error);
  }
  static auto augmented_primal(const auto &config, auto memory, auto pitch, auto width, auto height) {
    const cudaError_t error = allocate(config, memory, pitch, width.value, height.value);
    std::vector<void *> made{*memory.value};
    for (const int lane : config.lanes())
      if (memory.is_active())
        made.push_back(*memory.shadow(lane));
    return AugmentedReturn{error, None{}, std::move(made)};
  }
  static void reverse(const auto & /*config*/, const auto & /*result*/, const auto &made, auto /*memory*/,
                      auto /*pitch*/, auto /*width*/, auto /*height*/) {
    AllocationRule<MemoryOfDevice>::release_where_the_program_has(made);
  }
};

/// `stream`: of the functions that do not wait; those of the reverse sweep do.
struct PitchedFillRule {
  static cudaError_t fill(void *memory, std::size_t pitch, int byte, std::size_t width, std::size_t height) {
    return ::cudaMemset2D(memory, pitch, byte, width, height);
  }
  static cudaError_t fill(void *memory, std::size_t pitch, int byte, std::size_t width, std::size_t height,
                          cudaStream_t stream) {
    return ::cudaMemset2DAsync(memory, pitch, byte, width, height, stream);
  }
  static auto forward(const auto &config, auto memory, auto pitch, auto byte, auto width, auto height, auto... stream) {
    for (const int lane : config.lanes())
      if (memory.is_active())
        fill(memory.shadow(lane), pitch.value, 0, width.value, height.value, stream.value...);
    return without_tangent(config,
                           fill(memory.value, pitch.value, byte.value, width.value, height.value, stream.value...));
  }
  static auto augmented_primal(const auto & /*config*/, auto memory, auto pitch, auto byte, auto width, auto height,
                               auto... stream) {
    return AugmentedReturn{fill(memory.value, pitch.value, byte.value, width.value, height.value, stream.value...),
                           None{}, None{}};
  }
  static void reverse(const auto &config, const auto & /*result*/, None /*tape*/, auto memory, auto pitch,
                      auto /*byte*/, auto width, auto height, auto... /*stream*/) {
    ::cudaDeviceSynchronize();
    for (const int lane : config.lanes())
      if (memory.is_active())
        fill(memory.shadow(lane), pitch.value, 0, width.value, height.value);
  }
};

template <class T>
struct PitchedCopyRule {
  static constexpr bool has_derivatives = CopyRule<T>::has_derivatives;
  __forceinline__ static cudaError_t copy(T *to, std::size_t to_pitch, const T *from, std::size_t from_pitch,
                                          std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return ::cudaMemcpy2D(static_cast<void *>(to), to_pitch, static_cast<const void *>(from), from_pitch, width, height,
                          kind);
  }
  __forceinline__ static cudaError_t copy(T *to, std::size_t to_pitch, const T *from, std::size_t from_pitch,
                                          std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                          cudaStream_t stream) {
    return ::cudaMemcpy2DAsync(static_cast<void *>(to), to_pitch, static_cast<const void *>(from), from_pitch, width,
                               height, kind, stream);
  }
  /// Of integers these are the integers.
  static void copy_shadows(const auto &config, auto &to, auto &to_pitch, auto &from, auto &from_pitch,
                           std::size_t width, std::size_t height, cudaMemcpyKind kind, auto... stream) {
    for (const int lane : config.lanes())
      if (to.is_active() && (!has_derivatives || from.is_active()))
        copy(to.shadow(lane), to_pitch.value, has_derivatives ? from.shadow(lane) : from.value, from_pitch.value, width,
             height, kind, stream...);
      else if (to.is_active())
        ::cudaMemset2D(static_cast<void *>(to.shadow(lane)), to_pitch.value, 0, width, height);
  }
  static auto forward(const auto &config, auto to, auto to_pitch, auto from, auto from_pitch, auto width, auto height,
                      auto kind, auto... stream) {
    copy_shadows(config, to, to_pitch, from, from_pitch, width.value, height.value, kind.value, stream.value...);
    return without_tangent(config, copy(to.value, to_pitch.value, from.value, from_pitch.value, width.value,
                                        height.value, kind.value, stream.value...));
  }
  static auto augmented_primal(const auto &config, auto to, auto to_pitch, auto from, auto from_pitch, auto width,
                               auto height, auto kind, auto... stream) {
    if constexpr (!has_derivatives)
      copy_shadows(config, to, to_pitch, from, from_pitch, width.value, height.value, kind.value, stream.value...);
    return AugmentedReturn{copy(to.value, to_pitch.value, from.value, from_pitch.value, width.value, height.value,
                                kind.value, stream.value...),
                           None{}, None{}};
  }
  static void reverse(const auto &config, const auto & /*result*/, None /*tape*/, auto to, auto to_pitch, auto from,
                      auto from_pitch, auto width, auto height, auto /*kind*/, auto... /*stream*/) {
    ::cudaDeviceSynchronize();
    for (const int lane : config.lanes())
      for (std::size_t row = 0; has_derivatives && to.is_active() && row < height.value; ++row)
        CopyRule<T>::move(in_row(to.shadow(lane), row * to_pitch.value),
                          from.is_active() ? in_row(from.shadow(lane), row * from_pitch.value) : nullptr, width.value);
  }

private:
  static T *in_row(const T *first, std::size_t bytes) {
    return reinterpret_cast<T *>(reinterpret_cast<char *>(const_cast<std::remove_const_t<T> *>(first)) + bytes);
  }
};

} // namespace assay::rules::gpu

/// As those of cudaMemcpy.
template <class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__attribute__((noinline)) cudaError_t cudaMemcpy2D(T *to, std::size_t to_pitch, const T *from, std::size_t from_pitch,
                                                   std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  ASSAY_DETAIL_RULE_OF_HOST(::assay::rules::gpu::PitchedCopyRule<T>, cudaMemcpy2D<T>);
  return ::assay::rules::gpu::PitchedCopyRule<T>::copy(to, to_pitch, from, from_pitch, width, height, kind);
}
template <class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__attribute__((noinline)) cudaError_t cudaMemcpy2DAsync(T *to, std::size_t to_pitch, const T *from,
                                                        std::size_t from_pitch, std::size_t width, std::size_t height,
                                                        cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  ASSAY_DETAIL_RULE_OF_HOST(::assay::rules::gpu::PitchedCopyRule<T>, cudaMemcpy2DAsync<T>);
  return ::assay::rules::gpu::PitchedCopyRule<T>::copy(to, to_pitch, from, from_pitch, width, height, kind, stream);
}

/// Between structs of numbers and plain ones of the same type.
template <class To, class From>
  requires(assay::rules::gpu::are_made_of_same_numbers<To, From>())
cudaError_t cudaMemcpy2D(To *to, std::size_t to_pitch, const From *from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  using Number = typename assay::rules::gpu::NumberIn<To>::type;
  return cudaMemcpy2D(reinterpret_cast<Number *>(to), to_pitch, reinterpret_cast<const Number *>(from), from_pitch,
                      width, height, kind);
}
template <class To, class From>
  requires(assay::rules::gpu::are_made_of_same_numbers<To, From>())
cudaError_t cudaMemcpy2DAsync(To *to, std::size_t to_pitch, const From *from, std::size_t from_pitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  using Number = typename assay::rules::gpu::NumberIn<To>::type;
  return cudaMemcpy2DAsync(reinterpret_cast<Number *>(to), to_pitch, reinterpret_cast<const Number *>(from), from_pitch,
                           width, height, kind, stream);
}
