#pragma once
// Allocations that CUDA's driver knows of.

#include <cstddef>
#include <cstdint>

/// Of the emulation of devices; null on a device.
extern "C" __attribute__((weak)) int assay_gpu_find_allocation(std::uintptr_t *base, std::size_t *bytes,
                                                               std::uintptr_t address);

namespace assay::rules::gpu {

/// Where the allocation that `pointer` leads into begins, and its size.
inline bool find_allocation(const void *pointer, std::uintptr_t &base, std::size_t &bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (assay_gpu_find_allocation != nullptr)
    return assay_gpu_find_allocation(&base, &bytes, address) == 0;
  using Find = int (*)(std::uintptr_t *, std::size_t *, std::uintptr_t);
  void *function = nullptr;
  cudaDriverEntryPointQueryResult result{};
  return cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 12000, 0, &result) == cudaSuccess &&
         function && reinterpret_cast<Find>(function)(&base, &bytes, address) == 0;
}

inline bool is_allocated(const void *pointer) {
  std::uintptr_t base = 0;
  std::size_t bytes = 0;
  return find_allocation(pointer, base, bytes);
}

} // namespace assay::rules::gpu
