#pragma once
// An array in the memory of the device.

#include <cuda_runtime.h>

#include <vector>

namespace assay::test {

template <class T>
class DeviceArray {
public:
  explicit DeviceArray(std::size_t count, T value) : DeviceArray(std::vector<T>(count, value)) {}
  explicit DeviceArray(const std::vector<T> &numbers) : count_(numbers.size()) {
    cudaMalloc(reinterpret_cast<void **>(&memory), count_ * sizeof(T));
    cudaMemcpy(memory, numbers.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(memory); }
  std::vector<T> read() const {
    std::vector<T> numbers(count_);
    cudaMemcpy(numbers.data(), memory, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return numbers;
  }
  T *memory = nullptr;

private:
  std::size_t count_;
};

} // namespace assay::test
