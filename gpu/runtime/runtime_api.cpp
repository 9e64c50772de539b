// The functions of CUDA's runtime that a program calls on the host. There is one device, whose work is done at once: a
// launch has ended when it returns, so streams and events have nothing to wait for. As on a device, an error inside a
// kernel stays: every later call returns it.

#include <cstddef>
#include <cstdint>

struct dim3 {
  unsigned int x = 1, y = 1, z = 1;
};
#define __host__
#include <assay/cuda/detail/runtime_api.h>

#include "gpu/runtime/findings.hpp"
#include "gpu/runtime/host_entry.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/memory.hpp"
#include "gpu/runtime/registration.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace assay::gpu;

cudaError_t last_error = cudaSuccess, lasting_error = cudaSuccess;
std::string unchecked_launch_error; // of a launch, until the program asks for the last error

cudaError_t returned(cudaError_t error) {
  if (error != cudaSuccess)
    last_error = error;
  return error;
}

/// Of a call that waits for the device, or would.
cudaError_t after_work(cudaError_t error = cudaSuccess) {
  return returned(lasting_error != cudaSuccess ? lasting_error : error);
}

void print_findings() {
  if (hand_findings_to_watch())
    return;
  for (const Finding &finding : findings().take())
    std::fprintf(stderr, "assay: %s\n", finding.text.c_str());
}

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes;
  void *stream;
};
std::vector<CallConfiguration> configurations;

using Clock = std::chrono::steady_clock;

} // namespace

void assay::gpu::forget_errors() {
  last_error = lasting_error = cudaSuccess;
  unchecked_launch_error.clear();
  configurations.clear();
}

std::string assay::gpu::text_of_unchecked_launch() {
  return unchecked_launch_error;
}

struct CUevent_st {
  Clock::time_point recorded;
  bool is_recorded;
};
struct CUstream_st {
  unsigned flags;
};

extern "C" {

// ---- Memory ----

cudaError_t cudaMalloc(void **memory, size_t bytes) {
  if (!memory)
    return returned(cudaErrorInvalidValue);
  *memory = allocate(bytes);
  return after_work(*memory || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned int) {
  return bytes == 0 ? returned(cudaErrorInvalidValue) : cudaMalloc(memory, bytes);
}
cudaError_t cudaMallocHost(void **memory, size_t bytes) {
  return cudaMalloc(memory, bytes);
}
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned int) {
  return cudaMalloc(memory, bytes);
}
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t) {
  return cudaMalloc(memory, bytes);
}
cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(memory, *pitch * height);
}
cudaError_t cudaFree(void *memory) {
  const bool is_known = !memory || release(memory);
  print_findings();
  return after_work(is_known ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaFreeHost(void *memory) {
  return cudaFree(memory);
}
cudaError_t cudaFreeAsync(void *memory, cudaStream_t) {
  return cudaFree(memory);
}

int assay_gpu_find_allocation(std::uintptr_t *base, std::size_t *bytes, std::uintptr_t address) {
  const auto buffer = buffer_at(reinterpret_cast<const void *>(address));
  if (!buffer)
    return cudaErrorInvalidValue;
  *base = reinterpret_cast<std::uintptr_t>(buffer->begin);
  *bytes = buffer->bytes;
  return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int, unsigned long long,
                                             cudaDriverEntryPointQueryResult *result) {
  const bool is_known = symbol && std::strcmp(symbol, "cuMemGetAddressRange") == 0;
  *function = is_known ? reinterpret_cast<void *>(assay_gpu_find_allocation) : nullptr;
  if (result)
    *result = is_known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return returned(cudaSuccess);
}

/// A buffer of the device has to hold all bytes; memory of the host is the program's own business.
static bool is_too_small(const void *memory, size_t bytes) {
  const auto buffer = buffer_at(memory);
  return buffer && static_cast<const char *>(memory) + bytes > buffer->begin + buffer->bytes;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return returned(cudaErrorInvalidMemcpyDirection);
  if (bytes == 0)
    return after_work();
  if (!to || !from || is_too_small(to, bytes) || is_too_small(from, bytes))
    return returned(cudaErrorInvalidValue);
  if (lasting_error == cudaSuccess)
    std::memmove(to, from, bytes);
  return after_work();
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  if (width > to_pitch || width > from_pitch)
    return returned(cudaErrorInvalidValue);
  for (size_t row = 0; row < height; ++row)
    if (const cudaError_t error = cudaMemcpy(static_cast<char *>(to) + row * to_pitch,
                                             static_cast<const char *>(from) + row * from_pitch, width, kind))
      return error;
  return after_work();
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemset2D(void *memory, size_t pitch, int byte, size_t width, size_t height) {
  if (width > pitch)
    return returned(cudaErrorInvalidValue);
  for (size_t row = 0; row < height; ++row)
    if (const cudaError_t error = cudaMemset(static_cast<char *>(memory) + row * pitch, byte, width))
      return error;
  return after_work();
}
cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int byte, size_t width, size_t height, cudaStream_t) {
  return cudaMemset2D(memory, pitch, byte, width, height);
}
cudaError_t cudaMemset(void *memory, int byte, size_t bytes) {
  if (bytes != 0 && (!memory || is_too_small(memory, bytes)))
    return returned(cudaErrorInvalidValue);
  if (bytes != 0 && lasting_error == cudaSuccess)
    std::memset(memory, byte, bytes);
  return after_work();
}
cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes, cudaStream_t) {
  return cudaMemset(memory, byte, bytes);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind) {
  const MemoryRow *variable = variable_of(symbol);
  if (!variable)
    return returned(cudaErrorInvalidSymbol);
  if (offset > variable->bytes || bytes > variable->bytes - offset)
    return returned(cudaErrorInvalidValue);
  std::memmove(static_cast<char *>(variable->address) + offset, from, bytes);
  return after_work();
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind) {
  const MemoryRow *variable = variable_of(symbol);
  if (!variable)
    return returned(cudaErrorInvalidSymbol);
  if (offset > variable->bytes || bytes > variable->bytes - offset)
    return returned(cudaErrorInvalidValue);
  std::memmove(to, static_cast<const char *>(variable->address) + offset, bytes);
  return after_work();
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
cudaError_t cudaGetSymbolAddress(void **memory, const void *symbol) {
  const MemoryRow *variable = variable_of(symbol);
  if (!variable)
    return returned(cudaErrorInvalidSymbol);
  *memory = variable->address;
  return cudaSuccess;
}
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  const MemoryRow *variable = variable_of(symbol);
  if (!variable)
    return returned(cudaErrorInvalidSymbol);
  *bytes = variable->bytes;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  *free_bytes = *total_bytes = std::size_t(8) << 30U;
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t) {
  return after_work();
}

// ---- Streams and events ----

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  *stream = new CUstream_st{cudaStreamDefault};
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  *stream = new CUstream_st{flags};
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!stream)
    return returned(cudaErrorInvalidResourceHandle);
  delete stream;
  return after_work();
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return after_work();
}
cudaError_t cudaStreamQuery(cudaStream_t) {
  return after_work();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int) {
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
  *event = new CUevent_st{{}, false};
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int) {
  return cudaEventCreate(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  if (!event)
    return returned(cudaErrorInvalidResourceHandle);
  *event = {Clock::now(), true};
  return after_work();
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return after_work();
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  return after_work();
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!start || !end || !start->is_recorded || !end->is_recorded)
    return returned(cudaErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(end->recorded - start->recorded).count();
  return cudaSuccess;
}

// ---- Devices ----

cudaError_t cudaDeviceSynchronize(void) {
  return after_work();
}
cudaError_t cudaThreadSynchronize(void) {
  return after_work();
}
cudaError_t cudaDeviceReset(void) {
  check_canaries();
  print_findings();
  last_error = lasting_error = cudaSuccess;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return returned(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (limit == cudaLimitMallocHeapSize)
    set_heap_limit(value);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit) {
  *value = std::size_t(8) << 20U;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) {
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute, int) {
  return returned(kernel_of(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncGetName(const char **name, const void *function) {
  const KernelRow *kernel = kernel_of(function);
  if (kernel)
    *name = kernel->name;
  return returned(kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version) {
  *version = 13000;
  return cudaSuccess;
}

// ---- Errors ----

cudaError_t cudaGetLastError(void) {
  const cudaError_t error = lasting_error != cudaSuccess ? lasting_error : last_error;
  last_error = cudaSuccess;
  unchecked_launch_error.clear();
  return error;
}
cudaError_t cudaPeekAtLastError(void) {
  unchecked_launch_error.clear();
  return lasting_error != cudaSuccess ? lasting_error : last_error;
}

#define ASSAY_ERRORS(ERROR)                                                                                            \
  ERROR(cudaSuccess, "no error")                                                                                       \
  ERROR(cudaErrorInvalidValue, "invalid argument")                                                                     \
  ERROR(cudaErrorMemoryAllocation, "out of memory")                                                                    \
  ERROR(cudaErrorInitializationError, "initialization error")                                                          \
  ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument")                                               \
  ERROR(cudaErrorInvalidSymbol, "invalid device symbol")                                                               \
  ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer")                                                       \
  ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")                                          \
  ERROR(cudaErrorInvalidDeviceFunction, "invalid device function")                                                     \
  ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected")                                                       \
  ERROR(cudaErrorInvalidDevice, "invalid device ordinal")                                                              \
  ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle")                                                     \
  ERROR(cudaErrorNotReady, "device not ready")                                                                         \
  ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered")                                           \
  ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch")                                      \
  ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated")                                             \
  ERROR(cudaErrorAssert, "device-side assert triggered")                                                               \
  ERROR(cudaErrorMisalignedAddress, "misaligned address")                                                              \
  ERROR(cudaErrorLaunchFailure, "unspecified launch failure")                                                          \
  ERROR(cudaErrorNotSupported, "operation not supported")                                                              \
  ERROR(cudaErrorUnknown, "unknown error")

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define ASSAY_ERROR(name, text)                                                                                        \
  case name:                                                                                                           \
    return text;
    ASSAY_ERRORS(ASSAY_ERROR)
#undef ASSAY_ERROR
  }
  return "unrecognized error code";
}
const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define ASSAY_ERROR(name, text)                                                                                        \
  case name:                                                                                                           \
    return #name;
    ASSAY_ERRORS(ASSAY_ERROR)
#undef ASSAY_ERROR
  }
  return "unrecognized error code";
}

// ---- Launches ----

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream) {
  configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
  if (configurations.empty())
    return cudaErrorInvalidConfiguration;
  const CallConfiguration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<void **>(stream) = last.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                             cudaStream_t) {
  if (lasting_error != cudaSuccess)
    return after_work();
  const KernelRow *kernel = kernel_of(function);
  if (!kernel)
    return returned(cudaErrorInvalidDeviceFunction);
  const Launch launch{{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes};
  static const Order order = order_from_environment();
  const LaunchStatus status = launch_kernel(*kernel, launch, arguments, order);
  print_findings();
  if (status == LaunchStatus::bad_configuration) {
    unchecked_launch_error = "the kernel " + source_name(kernel->name) +
                             " does not run, and nobody asks for the error: " + why_not(*kernel, launch);
    return returned(shared_bytes > most_shared_bytes ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration);
  }
  if (status == LaunchStatus::failed)
    lasting_error = cudaErrorLaunchFailure; // Seen by the next call, as on a device.
  return cudaSuccess;
}
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  if (static_cast<std::uint64_t>(grid.x) * grid.y * grid.z != 1)
    return returned(cudaErrorNotSupported); // Blocks run one after another: they cannot wait for each other.
  return cudaLaunchKernel(function, grid, block, arguments, shared_bytes, stream);
}
}
