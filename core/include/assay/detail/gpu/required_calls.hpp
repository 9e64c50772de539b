#pragma once
// Calls of CUDA that derivatives stand on. Where one fails the program stops with a message: it would go on with wrong
// numbers.

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace assay::rules::gpu {

inline void require(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "assay: %s: %s\n", what, ::cudaGetErrorString(status));
  std::abort();
}

/// A copy, wherever `from` is.
inline void *copy_on_device(const void *from, std::size_t bytes) {
  void *copy = nullptr;
  ::assay::rules::gpu::require(::cudaMalloc(&copy, bytes),
                               "there is no memory for a copy of what a launch may overwrite");
  ::cudaMemcpy(copy, from, bytes, cudaMemcpyDefault);
  return copy;
}

/// Into how many parts the device code of this file divides dynamic shared memory: the array and its shadows. The
/// plugin writes the number here, which is larger where a derivative of the file has several lanes.
[[maybe_unused]] static __device__ unsigned __assay_dynamic_parts = 2; // NOLINT(bugprone-reserved-identifier)

[[maybe_unused]] static unsigned parts_of_shared_memory() {
  static const unsigned parts = [] {
    unsigned number = 0;
    require(::cudaMemcpyFromSymbol(&number, __assay_dynamic_parts, sizeof number, 0, cudaMemcpyDeviceToHost),
            "a variable of the device cannot be read");
    return number;
  }();
  return parts;
}

/// The dynamic shared memory of a derivative. Its parts are multiples of 16 bytes.
[[maybe_unused]] static std::size_t with_shared_shadows(std::size_t bytes) {
  constexpr std::size_t alignment = 16;
  return bytes == 0 ? 0 : parts_of_shared_memory() * ((bytes + alignment - 1) / alignment * alignment);
}

/// More dynamic shared memory than kernels have without asking.
inline void ask_for_shared_memory(const void *kernel, std::size_t bytes) {
  constexpr std::size_t usual = 48 * 1024;
  if (bytes > usual)
    ::cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

inline constexpr const char *cannot_launch =
    "the derivative of a kernel, which has twice its dynamic shared memory and more registers, cannot be launched with "
    "these blocks";

} // namespace assay::rules::gpu
