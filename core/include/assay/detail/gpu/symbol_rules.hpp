#pragma once
// Rules of copies to and from variables of the device, whose shadows are those of their tables
// `__enzyme_shadow_global`.

#include "assay/detail/gpu/device_variables.hpp"
#include "assay/detail/gpu/host_rule.hpp"
#include "assay/detail/gpu/lane_shadows.hpp"
#include "assay/detail/gpu/memory_rules.hpp"
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace assay::rules::gpu {

[[noreturn]] inline void stop_without_shadow() {
  std::fputs("assay: cudaMemcpyToSymbol copies active numbers to a variable of the device that has no shadow; declare "
             "one beside it by a table __enzyme_shadow_global, or pass the numbers in memory of cudaMalloc\n",
             stderr);
  std::abort();
}

/// The shadow of the copied memory; stops the program where active numbers go to a variable without one.
template <class T>
T *shadow_of_target(const void *symbol, std::size_t offset, int lane, LaneContent content, bool is_active) {
  char *shadow = shadow_of_symbol(symbol, lane, content);
  if (!shadow && is_active)
    stop_without_shadow();
  return shadow ? reinterpret_cast<T *>(shadow + offset) : nullptr;
}

template <class T>
struct CopyToSymbolRule {
  static constexpr bool hides_body = true;
  static constexpr bool has_derivatives = CopyRule<T>::has_derivatives;

  static cudaError_t copy(const void *symbol, const T *from, std::size_t bytes, std::size_t offset,
                          cudaMemcpyKind kind) {
    return ::cudaMemcpyToSymbol(symbol, static_cast<const void *>(from), bytes, offset, kind);
  }
  static cudaError_t copy(const void *symbol, const T *from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                          cudaStream_t stream) {
    return ::cudaMemcpyToSymbolAsync(symbol, static_cast<const void *>(from), bytes, offset, kind, stream);
  }
  static auto forward(const auto &config, auto symbol, auto from, auto bytes, auto offset, auto kind, auto... stream) {
    if constexpr (has_derivatives)
      for (const int lane : config.lanes()) {
        T *shadow = shadow_of_target<T>(symbol.value, offset.value, lane, LaneContent::tangents, from.is_active());
        if (shadow && from.is_active())
          ::cudaMemcpy(static_cast<void *>(shadow), static_cast<const void *>(from.shadow(lane)), bytes.value,
                       cudaMemcpyDefault);
        else if (shadow)
          ::cudaMemset(shadow, 0, bytes.value);
      }
    return without_tangent(config,
                           copy(symbol.value, from.value, bytes.value, offset.value, kind.value, stream.value...));
  }
  static auto augmented_primal(const auto & /*config*/, auto symbol, auto from, auto bytes, auto offset, auto kind,
                               auto... stream) {
    return AugmentedReturn{copy(symbol.value, from.value, bytes.value, offset.value, kind.value, stream.value...),
                           None{}, None{}};
  }
  static void reverse(const auto &config, const auto & /*result*/, None /*tape*/, auto symbol, auto from, auto bytes,
                      auto offset, auto /*kind*/, auto... /*stream*/) {
    ::cudaDeviceSynchronize();
    if constexpr (has_derivatives)
      for (const int lane : config.lanes())
        if (T *shadow = shadow_of_target<T>(symbol.value, offset.value, lane, LaneContent::adjoints, from.is_active()))
          CopyRule<T>::move(shadow, from.is_active() ? const_cast<T *>(from.shadow(lane)) : nullptr, bytes.value);
  }
};

template <class T>
struct CopyFromSymbolRule {
  static constexpr bool hides_body = true;
  static constexpr bool has_derivatives = CopyRule<T>::has_derivatives;

  static cudaError_t copy(T *to, const void *symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
    return ::cudaMemcpyFromSymbol(static_cast<void *>(to), symbol, bytes, offset, kind);
  }
  static cudaError_t copy(T *to, const void *symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                          cudaStream_t stream) {
    return ::cudaMemcpyFromSymbolAsync(static_cast<void *>(to), symbol, bytes, offset, kind, stream);
  }
  /// Integers are the same in the shadow.
  static void copy_integers(const auto &config, auto &to, auto &symbol, std::size_t bytes, std::size_t offset) {
    for (const int lane : config.lanes())
      if (to.is_active())
        copy(to.shadow(lane), symbol.value, bytes, offset, cudaMemcpyDefault);
  }
  static auto forward(const auto &config, auto to, auto symbol, auto bytes, auto offset, auto kind, auto... stream) {
    if constexpr (!has_derivatives)
      copy_integers(config, to, symbol, bytes.value, offset.value);
    for (const int lane : config.lanes()) {
      if (!has_derivatives || !to.is_active())
        continue;
      ::cudaDeviceSynchronize();
      if (const char *shadow = shadow_of_symbol(symbol.value, lane, LaneContent::tangents))
        ::cudaMemcpy(static_cast<void *>(to.shadow(lane)), static_cast<const void *>(shadow + offset.value),
                     bytes.value, cudaMemcpyDefault);
      else
        CopyRule<T>::move(to.shadow(lane), nullptr, bytes.value);
    }
    return without_tangent(config,
                           copy(to.value, symbol.value, bytes.value, offset.value, kind.value, stream.value...));
  }
  static auto augmented_primal(const auto &config, auto to, auto symbol, auto bytes, auto offset, auto kind,
                               auto... stream) {
    if constexpr (!has_derivatives)
      copy_integers(config, to, symbol, bytes.value, offset.value);
    return AugmentedReturn{copy(to.value, symbol.value, bytes.value, offset.value, kind.value, stream.value...), None{},
                           None{}};
  }
  static void reverse(const auto &config, const auto & /*result*/, None /*tape*/, auto to, auto symbol, auto bytes,
                      auto offset, auto /*kind*/, auto... /*stream*/) {
    ::cudaDeviceSynchronize();
    for (const int lane : config.lanes()) {
      if (!has_derivatives || !to.is_active())
        continue;
      char *shadow = shadow_of_symbol(symbol.value, lane, LaneContent::adjoints);
      CopyRule<T>::move(to.shadow(lane), shadow ? reinterpret_cast<T *>(shadow + offset.value) : nullptr, bytes.value);
    }
  }
};

/// The host's stand-in for a variable holds no pointers, so other memory is none of it.
template <class S>
__forceinline__ char *handle_of(S &symbol) {
  return reinterpret_cast<char *>(const_cast<std::remove_cv_t<S> *>(&symbol));
}

template <class T>
__attribute__((noinline)) cudaError_t copy_to_symbol(char *symbol, const T *from, std::size_t bytes, std::size_t offset,
                                                     cudaMemcpyKind kind) {
  ASSAY_DETAIL_RULE_OF_HOST(CopyToSymbolRule<T>, copy_to_symbol<T>);
  return CopyToSymbolRule<T>::copy(symbol, from, bytes, offset, kind);
}
template <class T>
__attribute__((noinline)) cudaError_t copy_to_symbol_async(char *symbol, const T *from, std::size_t bytes,
                                                           std::size_t offset, cudaMemcpyKind kind,
                                                           cudaStream_t stream) {
  ASSAY_DETAIL_RULE_OF_HOST(CopyToSymbolRule<T>, copy_to_symbol_async<T>);
  return CopyToSymbolRule<T>::copy(symbol, from, bytes, offset, kind, stream);
}
template <class T>
__attribute__((noinline)) cudaError_t copy_from_symbol(T *to, char *symbol, std::size_t bytes, std::size_t offset,
                                                       cudaMemcpyKind kind) {
  ASSAY_DETAIL_RULE_OF_HOST(CopyFromSymbolRule<T>, copy_from_symbol<T>);
  return CopyFromSymbolRule<T>::copy(to, symbol, bytes, offset, kind);
}
template <class T>
__attribute__((noinline)) cudaError_t copy_from_symbol_async(T *to, char *symbol, std::size_t bytes, std::size_t offset,
                                                             cudaMemcpyKind kind, cudaStream_t stream) {
  ASSAY_DETAIL_RULE_OF_HOST(CopyFromSymbolRule<T>, copy_from_symbol_async<T>);
  return CopyFromSymbolRule<T>::copy(to, symbol, bytes, offset, kind, stream);
}

} // namespace assay::rules::gpu

/// As those of cudaMemcpy: of numbers, which overload resolution takes before the functions for any memory.
template <class S, class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__forceinline__ cudaError_t cudaMemcpyToSymbol(S &symbol, const T *from, std::size_t bytes, std::size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::assay::rules::gpu::copy_to_symbol(assay::rules::gpu::handle_of(symbol), from, bytes, offset, kind);
}
template <class S, class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__forceinline__ cudaError_t cudaMemcpyToSymbolAsync(S &symbol, const T *from, std::size_t bytes, std::size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                    cudaStream_t stream = nullptr) {
  return ::assay::rules::gpu::copy_to_symbol_async(assay::rules::gpu::handle_of(symbol), from, bytes, offset, kind,
                                                   stream);
}
template <class S, class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__forceinline__ cudaError_t cudaMemcpyFromSymbol(T *to, S &symbol, std::size_t bytes, std::size_t offset = 0,
                                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::assay::rules::gpu::copy_from_symbol(to, assay::rules::gpu::handle_of(symbol), bytes, offset, kind);
}
template <class S, class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__forceinline__ cudaError_t cudaMemcpyFromSymbolAsync(T *to, S &symbol, std::size_t bytes, std::size_t offset = 0,
                                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                      cudaStream_t stream = nullptr) {
  return ::assay::rules::gpu::copy_from_symbol_async(to, assay::rules::gpu::handle_of(symbol), bytes, offset, kind,
                                                     stream);
}
