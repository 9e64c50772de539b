#pragma once
// Rules for memory of CUDA's runtime in code of the host: allocations, releases, fills and copies. <assay/gpu/host.hpp>
// registers those of functions that are no templates.

#include "assay/detail/gpu/allocations.hpp"
#include "assay/detail/gpu/host_rule.hpp"
#include "assay/rules.hpp"
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::rules::gpu {

/// The result type of the runtime's functions, or another library's.
template <class Status>
auto without_tangent(const auto &config, Status status) {
  return Duplicated{Status(status), config.each_lane([&](int /*lane*/) { return status; })};
}

/// Memory that is released goes on living until the reverse sweep has passed its allocation.
inline std::vector<void *> &released_memory() {
  static std::vector<void *> memory;
  return memory;
}

/// The kinds of memory that the runtime allocates: how to get it, to clear it and to release it, and whether it is
/// known to have been released.
struct MemoryOfDevice {
  static bool is_there(const void *memory) { return is_allocated(memory); }
  static cudaError_t get(void **memory, std::size_t bytes) { return ::cudaMalloc(memory, bytes); }
  static void clear(void *memory, std::size_t bytes) { ::cudaMemset(memory, 0, bytes); }
  static cudaError_t release(void *memory) { return ::cudaFree(memory); }
};
/// The host may write to it at once: it is cleared by the host.
struct ManagedMemory {
  static bool is_there(const void *memory) { return is_allocated(memory); }
  static cudaError_t get(void **memory, std::size_t bytes, unsigned flags) {
    return ::cudaMallocManaged(memory, bytes, flags);
  }
  static void clear(void *memory, std::size_t bytes) { std::memset(memory, 0, bytes); }
  static cudaError_t release(void *memory) { return ::cudaFree(memory); }
};
struct PinnedMemory {
  static bool is_there(const void * /*memory*/) { return true; }
  static cudaError_t get(void **memory, std::size_t bytes) { return ::cudaMallocHost(memory, bytes); }
  static cudaError_t get(void **memory, std::size_t bytes, unsigned flags) {
    return ::cudaHostAlloc(memory, bytes, flags);
  }
  static void clear(void *memory, std::size_t bytes) { std::memset(memory, 0, bytes); }
  static cudaError_t release(void *memory) { return ::cudaFreeHost(memory); }
};

/// In the order of a stream.
struct MemoryOfStream {
  static bool is_there(const void *memory) { return is_allocated(memory); }
  static cudaError_t get(void **memory, std::size_t bytes, cudaStream_t stream) {
    const cudaError_t error = ::cudaMallocAsync(memory, bytes, stream);
    ::cudaStreamSynchronize(stream);
    return error;
  }
  static void clear(void *memory, std::size_t bytes) { ::cudaMemset(memory, 0, bytes); }
  static cudaError_t release(void *memory) { return ::cudaFree(memory); }
  static cudaError_t release(void *memory, cudaStream_t stream) { return ::cudaFreeAsync(memory, stream); }
};

template <class Memory>
struct AllocationRule {
  static auto allocate(const auto &config, auto &memory, std::size_t bytes, auto... flags) {
    for (const int lane : config.lanes())
      if (memory.is_active() && Memory::get(memory.shadow(lane), bytes, flags...) == cudaSuccess)
        Memory::clear(*memory.shadow(lane), bytes);
    return Memory::get(memory.value, bytes, flags...);
  }
  static auto forward(const auto &config, auto memory, auto bytes, auto... flags) {
    const cudaError_t error = allocate(config, memory, bytes.value, flags.value...);
    return without_tangent(config, error);
  }
  static auto augmented_primal(const auto &config, auto memory, auto bytes, auto... flags) {
    const cudaError_t error = allocate(config, memory, bytes.value, flags.value...);
    std::vector<void *> made{*memory.value};
    for (const int lane : config.lanes())
      if (memory.is_active())
        made.push_back(*memory.shadow(lane));
    return AugmentedReturn{error, None{}, std::move(made)};
  }
  static void reverse(const auto & /*config*/, const auto & /*result*/, const auto &made, auto /*memory*/,
                      auto /*bytes*/, auto... /*flags*/) {
    release_where_the_program_has(made);
  }
  static void release_where_the_program_has(const std::vector<void *> &made) {
    std::vector<void *> &released = released_memory();
    const auto found = std::find(released.begin(), released.end(), made.front());
    if (found != released.end()) {
      released.erase(found);
      for (void *memory : made)
        Memory::release(memory);
    } else if (!Memory::is_there(made.front())) { // its release had no derivative
      for (std::size_t lane = 1; lane < made.size(); ++lane)
        Memory::release(made[lane]);
    }
  }
};

template <class Memory>
struct ReleaseRule {
  static auto forward(const auto &config, auto memory, auto... stream) {
    for (const int lane : config.lanes())
      if (memory.is_active())
        Memory::release(memory.shadow(lane), stream.value...);
    const cudaError_t error = Memory::release(memory.value, stream.value...);
    return without_tangent(config, error);
  }
  static auto augmented_primal(const auto & /*config*/, auto memory, auto... stream) {
    if (!memory.is_active())
      return AugmentedReturn{Memory::release(memory.value, stream.value...), None{}, None{}};
    released_memory().push_back(memory.value);
    return AugmentedReturn{cudaError_t(cudaSuccess), None{}, None{}};
  }
  static void reverse(const auto & /*config*/, const auto & /*result*/, None /*tape*/, auto /*memory*/,
                      auto... /*stream*/) {}
};

/// `stream`: of the functions that do not wait; those of the reverse sweep do.
struct FillRule {
  static cudaError_t fill(void *memory, int byte, std::size_t bytes) { return ::cudaMemset(memory, byte, bytes); }
  static cudaError_t fill(void *memory, int byte, std::size_t bytes, cudaStream_t stream) {
    return ::cudaMemsetAsync(memory, byte, bytes, stream);
  }
  static auto forward(const auto &config, auto memory, auto byte, auto bytes, auto... stream) {
    for (const int lane : config.lanes())
      if (memory.is_active())
        fill(memory.shadow(lane), 0, bytes.value, stream.value...);
    return without_tangent(config, fill(memory.value, byte.value, bytes.value, stream.value...));
  }
  static auto augmented_primal(const auto & /*config*/, auto memory, auto byte, auto bytes, auto... stream) {
    return AugmentedReturn{fill(memory.value, byte.value, bytes.value, stream.value...), None{}, None{}};
  }
  static void reverse(const auto &config, const auto & /*result*/, None /*tape*/, auto memory, auto /*byte*/,
                      auto bytes, auto... /*stream*/) {
    ::cudaDeviceSynchronize();
    for (const int lane : config.lanes())
      if (memory.is_active())
        fill(memory.shadow(lane), 0, bytes.value);
  }
};

/// Classes of one kind of floating-point numbers and nothing else, as float4, are moved as these.
template <class T>
struct NumberIn {
  using type = T;
};
template <class T>
  requires std::is_class_v<T>
struct NumberIn<T> {
  using type = typename assay::detail::SummaryOf<T>::Number;
};
template <class T>
consteval bool is_made_of_numbers() {
  if constexpr (!std::is_class_v<T>)
    return std::is_arithmetic_v<T>;
  else if constexpr (rules::detail::is_without_pointers<T>() && !assay::detail::SummaryOf<T>::integers)
    return std::is_floating_point_v<typename NumberIn<T>::type>;
  else
    return false;
}

/// Two types of which each is as many numbers of one kind as it has room for, as double3 and double.
template <class T, class Other>
consteval bool are_made_of_same_numbers() {
  if constexpr (!std::is_same_v<T, Other> && is_made_of_numbers<T>() && is_made_of_numbers<Other>())
    return std::is_same_v<typename NumberIn<T>::type, typename NumberIn<Other>::type>;
  else
    return false;
}

/// from' += to', to' = 0, wherever each of them lies. Without `from` only the second.
template <class T>
void move_adjoint(T *to, T *from, std::size_t bytes) {
  std::vector<T> moved(bytes / sizeof(T)), sum(moved.size());
  if (from) {
    ::cudaMemcpy(static_cast<void *>(moved.data()), static_cast<const void *>(to), bytes, cudaMemcpyDefault);
    ::cudaMemcpy(static_cast<void *>(sum.data()), static_cast<const void *>(from), bytes, cudaMemcpyDefault);
    for (std::size_t index = 0; index < sum.size(); ++index)
      sum[index] += moved[index];
    ::cudaMemcpy(static_cast<void *>(from), static_cast<const void *>(sum.data()), bytes, cudaMemcpyDefault);
  }
  std::fill(moved.begin(), moved.end(), T(0));
  ::cudaMemcpy(static_cast<void *>(to), static_cast<const void *>(moved.data()), bytes, cudaMemcpyDefault);
}

template <class T>
struct CopyRule {
  using Number = typename NumberIn<T>::type;
  static constexpr bool has_derivatives = std::is_floating_point_v<Number>;
  static void move(T *to, T *from, std::size_t bytes) {
    move_adjoint(reinterpret_cast<Number *>(to), reinterpret_cast<Number *>(from), bytes);
  }
  __forceinline__ static cudaError_t copy(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind) {
    return ::cudaMemcpy(static_cast<void *>(to), static_cast<const void *>(from), bytes, kind);
  }
  __forceinline__ static cudaError_t copy(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind,
                                          cudaStream_t stream) {
    return ::cudaMemcpyAsync(static_cast<void *>(to), static_cast<const void *>(from), bytes, kind, stream);
  }
  /// Integers are the same in the shadow.
  static void copy_integers(const auto &config, auto &to, auto &from, std::size_t bytes, cudaMemcpyKind kind,
                            auto... stream) {
    for (const int lane : config.lanes())
      if (to.is_active())
        copy(to.shadow(lane), from.value, bytes, kind, stream...);
  }
  static void copy_tangents(const auto &config, auto &to, auto &from, std::size_t bytes, cudaMemcpyKind kind,
                            auto... stream) {
    for (const int lane : config.lanes())
      if (to.is_active() && from.is_active()) {
        copy(to.shadow(lane), from.shadow(lane), bytes, kind, stream...);
      } else if (to.is_active()) {
        ::cudaDeviceSynchronize();
        move(to.shadow(lane), nullptr, bytes);
      }
  }
  static auto forward(const auto &config, auto to, auto from, auto bytes, auto kind, auto... stream) {
    if constexpr (has_derivatives)
      copy_tangents(config, to, from, bytes.value, kind.value, stream.value...);
    else
      copy_integers(config, to, from, bytes.value, kind.value, stream.value...);
    return without_tangent(config, copy(to.value, from.value, bytes.value, kind.value, stream.value...));
  }
  static auto augmented_primal(const auto &config, auto to, auto from, auto bytes, auto kind, auto... stream) {
    if constexpr (!has_derivatives)
      copy_integers(config, to, from, bytes.value, kind.value, stream.value...);
    return AugmentedReturn{copy(to.value, from.value, bytes.value, kind.value, stream.value...), None{}, None{}};
  }
  static void reverse(const auto &config, const auto & /*result*/, None /*tape*/, auto to, auto from, auto bytes,
                      auto /*kind*/, auto... /*stream*/) {
    ::cudaDeviceSynchronize();
    for (const int lane : config.lanes())
      if (has_derivatives && to.is_active())
        move(to.shadow(lane), from.is_active() ? const_cast<T *>(from.shadow(lane)) : nullptr, bytes.value);
  }
};

/// Of pointers to numbers: those in the shadow lead to shadows.
template <class T>
struct PointerCopyRule {
  static cudaError_t copy(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind) {
    return ::cudaMemcpy(static_cast<void *>(to), static_cast<const void *>(from), bytes, kind);
  }
  static cudaError_t copy(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return ::cudaMemcpyAsync(static_cast<void *>(to), static_cast<const void *>(from), bytes, kind, stream);
  }
  static void copy_shadows(const auto &config, auto &to, auto &from, std::size_t bytes, cudaMemcpyKind kind,
                           auto... stream) {
    for (const int lane : config.lanes())
      if (to.is_active())
        copy(to.shadow(lane), from.is_active() ? from.shadow(lane) : from.value, bytes, kind, stream...);
  }
  static auto forward(const auto &config, auto to, auto from, auto bytes, auto kind, auto... stream) {
    copy_shadows(config, to, from, bytes.value, kind.value, stream.value...);
    return without_tangent(config, copy(to.value, from.value, bytes.value, kind.value, stream.value...));
  }
  static auto augmented_primal(const auto &config, auto to, auto from, auto bytes, auto kind, auto... stream) {
    copy_shadows(config, to, from, bytes.value, kind.value, stream.value...);
    return AugmentedReturn{copy(to.value, from.value, bytes.value, kind.value, stream.value...), None{}, None{}};
  }
  static void reverse(const auto & /*config*/, const auto & /*result*/, None /*tape*/, auto /*to*/, auto /*from*/,
                      auto /*bytes*/, auto /*kind*/, auto... /*stream*/) {}
};
template <class T>
consteval bool is_pointer_to_numbers() {
  if constexpr (std::is_pointer_v<T>)
    return is_made_of_numbers<std::remove_cv_t<std::remove_pointer_t<T>>>();
  else
    return false;
}

} // namespace assay::rules::gpu

/// Copies of numbers, or of structs of them, which overload resolution takes before the function for any memory.
template <class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__attribute__((noinline)) cudaError_t cudaMemcpy(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind) {
  ASSAY_DETAIL_RULE_OF_HOST(::assay::rules::gpu::CopyRule<T>, cudaMemcpy<T>);
  return ::assay::rules::gpu::CopyRule<T>::copy(to, from, bytes, kind);
}
template <class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__attribute__((noinline)) cudaError_t cudaMemcpyAsync(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind,
                                                      cudaStream_t stream = nullptr) {
  ASSAY_DETAIL_RULE_OF_HOST(::assay::rules::gpu::CopyRule<T>, cudaMemcpyAsync<T>);
  return ::assay::rules::gpu::CopyRule<T>::copy(to, from, bytes, kind, stream);
}

/// Of pointers to numbers, likewise.
template <class T>
  requires(assay::rules::gpu::is_pointer_to_numbers<T>())
__attribute__((noinline)) cudaError_t cudaMemcpy(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind) {
  ASSAY_DETAIL_RULE_OF_HOST(::assay::rules::gpu::PointerCopyRule<T>, cudaMemcpy<T>);
  return ::assay::rules::gpu::PointerCopyRule<T>::copy(to, from, bytes, kind);
}
template <class T>
  requires(assay::rules::gpu::is_pointer_to_numbers<T>())
__attribute__((noinline)) cudaError_t cudaMemcpyAsync(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind,
                                                      cudaStream_t stream = nullptr) {
  ASSAY_DETAIL_RULE_OF_HOST(::assay::rules::gpu::PointerCopyRule<T>, cudaMemcpyAsync<T>);
  return ::assay::rules::gpu::PointerCopyRule<T>::copy(to, from, bytes, kind, stream);
}

/// Between structs of numbers and plain ones of the same type.
template <class To, class From>
  requires(assay::rules::gpu::are_made_of_same_numbers<To, From>())
cudaError_t cudaMemcpy(To *to, const From *from, std::size_t bytes, cudaMemcpyKind kind) {
  using Number = typename assay::rules::gpu::NumberIn<To>::type;
  return cudaMemcpy(reinterpret_cast<Number *>(to), reinterpret_cast<const Number *>(from), bytes, kind);
}
template <class To, class From>
  requires(assay::rules::gpu::are_made_of_same_numbers<To, From>())
cudaError_t cudaMemcpyAsync(To *to, const From *from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr) {
  using Number = typename assay::rules::gpu::NumberIn<To>::type;
  return cudaMemcpyAsync(reinterpret_cast<Number *>(to), reinterpret_cast<const Number *>(from), bytes, kind, stream);
}
