#pragma once
// Launches by a structure, whose attributes make no difference where a launch has ended when the call returns; and how
// many blocks a processor holds.

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  int priority;
  int programmaticStreamSerializationAllowed;
  struct {
    unsigned int x, y, z;
  } clusterDim;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[4];
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
};

static __inline__ __host__ cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                                           void **arguments) {
  for (unsigned int index = 0; index < config->numAttrs; ++index)
    if (config->attrs[index].id == cudaLaunchAttributeClusterDimension)
      return cudaErrorNotSupported;
  return ::cudaLaunchKernel(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                            config->stream);
}
template <class... Parameters, class... Arguments>
static __inline__ __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                          void (*kernel)(Parameters...), Arguments &&...arguments) {
  const auto launch = [&](Parameters... converted) {
    void *addresses[] = {const_cast<void *>(static_cast<const void *>(&converted))..., nullptr};
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void *>(kernel), addresses);
  };
  return launch(static_cast<Arguments &&>(arguments)...);
}

template <class F>
static __inline__ __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F /*kernel*/,
                                                                                     int threads, size_t /*bytes*/) {
  int most = 0;
  const cudaError_t error = ::cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
  *blocks = threads > 0 ? most / threads : 0;
  return error;
}
