#pragma once
// CUDA's runtime as a KernelSubject uses it.

#include <assay/testing/kernel_subject.hpp>

#include <chrono>
#include <string>

namespace assay::detail::gpu {

inline void expect_success(cudaError_t status, const char *action) {
  if (status != cudaSuccess)
    throw testutils::SubjectError(std::string(action) + ": " + cudaGetErrorString(status));
}

inline void begin_kernel_tests() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0)
    throw testutils::SubjectError(
        std::string("there is no CUDA device here (") +
        (status == cudaSuccess ? "none is listed" : cudaGetErrorString(status)) +
        "); the same test runs without one when it is built by `assay emulate`, as the test NAME.emulated of "
        "assay_add_cuda_test is");
}

inline void *allocate_on_device(std::size_t bytes) {
  void *memory = nullptr;
  expect_success(cudaMalloc(&memory, bytes), "allocating memory of the device");
  return memory;
}

inline void release_on_device(void *memory) {
  static_cast<void>(cudaFree(memory));
}

inline void copy_with_device(void *to, const void *from, std::size_t bytes) {
  expect_success(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copying to or from the device");
}

inline void launch_on_device(const void *kernel, const testutils::KernelShape &shape, void **arguments) {
  if (shape.shared_bytes > 48 * 1024) // More has to be asked for.
    expect_success(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.shared_bytes)),
        "asking for so much shared memory");
  expect_success(cudaLaunchKernel(kernel, dim3(shape.grid[0], shape.grid[1], shape.grid[2]),
                                  dim3(shape.block[0], shape.block[1], shape.block[2]), arguments, shape.shared_bytes,
                                  nullptr),
                 "launching");
  expect_success(cudaDeviceSynchronize(), "running");
}

inline double seconds_of_launch(const void *kernel, const testutils::KernelShape &shape, void **arguments,
                                unsigned launches) {
  launch_on_device(kernel, shape, arguments); // Code and memory are there then.
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned launch = 0; launch < launches; ++launch)
    expect_success(cudaLaunchKernel(kernel, dim3(shape.grid[0], shape.grid[1], shape.grid[2]),
                                    dim3(shape.block[0], shape.block[1], shape.block[2]), arguments, shape.shared_bytes,
                                    nullptr),
                   "launching");
  expect_success(cudaDeviceSynchronize(), "running");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / launches;
}

inline std::string symbol_of_kernel(const void *kernel) {
  const char *name = nullptr;
  if (cudaFuncGetName(&name, kernel) != cudaSuccess || name == nullptr)
    throw testutils::SubjectError(
        "what is tested is not a kernel: mark it `__global__`, or give `each_thread<f>` for a `__device__` function f");
  return name;
}

inline std::string name_of_device() {
  cudaDeviceProp properties{};
  return cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? std::string("device ") + properties.name : "device";
}

inline constexpr testutils::KernelRuntime kernel_runtime{begin_kernel_tests, allocate_on_device, release_on_device,
                                                         copy_with_device,   launch_on_device,   seconds_of_launch,
                                                         symbol_of_kernel,   name_of_device};

} // namespace assay::detail::gpu
