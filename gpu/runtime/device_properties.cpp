// Properties and attributes of the emulated device.

#include <cstddef>
#include <cstdint>

struct dim3 {
  unsigned int x = 1, y = 1, z = 1;
};
#define __host__
#include <assay/cuda/detail/runtime_api.h>

#include "gpu/runtime/launch.hpp"

#include <cstdio>

using namespace assay::gpu;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (const cudaError_t error = cudaSetDevice(device)) // There is only one.
    return error;
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "Assay emulation on the CPU");
  properties->totalGlobalMem = std::size_t(8) << 30U;
  properties->sharedMemPerBlock = 48 * 1024;
  properties->sharedMemPerBlockOptin = properties->sharedMemPerMultiprocessor = most_shared_bytes;
  properties->regsPerBlock = 65536;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = 1024;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 0x7fffffff;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->totalConstMem = 65536;
  properties->major = 8;
  properties->multiProcessorCount = 1;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->managedMemory = properties->unifiedAddressing = 1;
  return cudaSuccess;
}

static int value_of(const cudaDeviceProp &properties, cudaDeviceAttr attribute) {
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    return properties.maxThreadsPerBlock;
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
  case cudaDevAttrMaxBlockDimZ:
    return properties.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX];
  case cudaDevAttrMaxGridDimX:
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return properties.maxGridSize[attribute - cudaDevAttrMaxGridDimX];
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return static_cast<int>(properties.sharedMemPerBlock);
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return static_cast<int>(properties.sharedMemPerBlockOptin);
  case cudaDevAttrMaxRegistersPerBlock:
    return properties.regsPerBlock;
  case cudaDevAttrWarpSize:
    return properties.warpSize;
  case cudaDevAttrMultiProcessorCount:
    return properties.multiProcessorCount;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return properties.maxThreadsPerMultiProcessor;
  case cudaDevAttrComputeCapabilityMajor:
    return properties.major;
  case cudaDevAttrComputeCapabilityMinor:
    return properties.minor;
  case cudaDevAttrManagedMemory:
  case cudaDevAttrUnifiedAddressing:
    return 1;
  case cudaDevAttrCooperativeLaunch:
    return 0;
  }
  return 0;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp properties;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device))
    return error;
  *value = value_of(properties, attribute);
  return cudaSuccess;
}
