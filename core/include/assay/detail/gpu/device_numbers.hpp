#pragma once
// Memory of the device that a rule has for itself or keeps for its reverse sweep.

#include <cstddef>
#include <cuda_runtime.h>
#include <utility>

namespace assay::rules::gpu {

/// Numbers in memory of the device, or none.
template <class T>
class DeviceNumbers {
public:
  DeviceNumbers() = default;
  explicit DeviceNumbers(std::size_t count) { ::cudaMalloc(reinterpret_cast<void **>(&numbers_), count * sizeof(T)); }
  DeviceNumbers(DeviceNumbers &&other) noexcept : numbers_(std::exchange(other.numbers_, nullptr)) {}
  DeviceNumbers &operator=(DeviceNumbers &&other) noexcept {
    std::swap(numbers_, other.numbers_);
    return *this;
  }
  ~DeviceNumbers() {
    if (numbers_)
      ::cudaFree(static_cast<void *>(numbers_));
  }
  T *get() const { return numbers_; }
  /// The numbers that were kept, or where they still are.
  const T *or_else(const T *there) const { return numbers_ ? numbers_ : there; }

private:
  T *numbers_ = nullptr;
};

} // namespace assay::rules::gpu
