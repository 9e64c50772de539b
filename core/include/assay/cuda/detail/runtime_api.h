#pragma once
// The part of the runtime's interface that programs use: memory, streams, events, launches, devices, errors. Names and
// numbers are CUDA's.

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorAssert = 710,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

/// Of banks of shared memory, which emulation has not.
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};

/// Headers of the toolkit's libraries ask for these.
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(0x2))
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaHostAllocDefault 0x00
#define cudaHostAllocMapped 0x02
#define cudaCpuDeviceId (-1)

/// The fields that programs print or size their launches by.
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  int multiProcessorCount;
  int maxThreadsPerMultiProcessor;
  int concurrentKernels;
  int managedMemory;
  int unifiedAddressing;
  int cooperativeLaunch;
  size_t sharedMemPerMultiprocessor;
  size_t sharedMemPerBlockOptin;
  int clockRate, memoryClockRate, memoryBusWidth, l2CacheSize;
};

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaLimit { cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2 };
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};

/// Graphs of launches are not emulated. Their names are here so that the compiler says so.
#define ASSAY_CUDA_NO_GRAPH                                                                                            \
  __attribute__((unavailable("graphs of launches are not emulated: launch into the stream each time")))
typedef struct CUgraph_st *cudaGraph_t ASSAY_CUDA_NO_GRAPH;
typedef struct CUgraphExec_st *cudaGraphExec_t ASSAY_CUDA_NO_GRAPH;
typedef struct CUgraphNode_st *cudaGraphNode_t ASSAY_CUDA_NO_GRAPH;
#undef ASSAY_CUDA_NO_GRAPH

extern "C" {
__host__ cudaError_t cudaMalloc(void **memory, size_t bytes);
__host__ cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned int flags);
__host__ cudaError_t cudaMallocHost(void **memory, size_t bytes);
__host__ cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned int flags);
__host__ cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream);
__host__ cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height);
__host__ cudaError_t cudaFree(void *memory);
__host__ cudaError_t cudaFreeHost(void *memory);
__host__ cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);
__host__ cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
__host__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr);
__host__ cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                  size_t height, cudaMemcpyKind kind);
__host__ cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
__host__ cudaError_t cudaMemset2D(void *memory, size_t pitch, int byte, size_t width, size_t height);
__host__ cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int byte, size_t width, size_t height,
                                       cudaStream_t stream = nullptr);
__host__ cudaError_t cudaMemset(void *memory, int byte, size_t bytes);
__host__ cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes, cudaStream_t stream = nullptr);
__host__ cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyHostToDevice);
__host__ cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset = 0,
                                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
__host__ cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind, cudaStream_t stream = nullptr);
__host__ cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                               cudaMemcpyKind kind, cudaStream_t stream = nullptr);
__host__ cudaError_t cudaGetSymbolAddress(void **memory, const void *symbol);
__host__ cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);
__host__ cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
__host__ cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, int device, cudaStream_t stream = nullptr);

__host__ cudaError_t cudaStreamCreate(cudaStream_t *stream);
__host__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
__host__ cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
__host__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
__host__ cudaError_t cudaStreamSynchronize(cudaStream_t stream);
__host__ cudaError_t cudaStreamQuery(cudaStream_t stream);
__host__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
__host__ cudaError_t cudaEventCreate(cudaEvent_t *event);
__host__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
__host__ cudaError_t cudaEventDestroy(cudaEvent_t event);
__host__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
__host__ cudaError_t cudaEventSynchronize(cudaEvent_t event);
__host__ cudaError_t cudaEventQuery(cudaEvent_t event);
__host__ cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

__host__ cudaError_t cudaDeviceSynchronize(void);
__host__ cudaError_t cudaThreadSynchronize(void);
__host__ cudaError_t cudaDeviceReset(void);
__host__ cudaError_t cudaGetDeviceCount(int *count);
__host__ cudaError_t cudaGetDevice(int *device);
__host__ cudaError_t cudaSetDevice(int device);
__host__ cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
__host__ cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
__host__ cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
__host__ cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
__host__ cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
__host__ cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache config);
__host__ cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value);
__host__ cudaError_t cudaFuncGetName(const char **name, const void *function);
__host__ cudaError_t cudaRuntimeGetVersion(int *version);
__host__ cudaError_t cudaDriverGetVersion(int *version);

/// Of the driver there is cuMemGetAddressRange.
__host__ cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int version,
                                                      unsigned long long flags,
                                                      cudaDriverEntryPointQueryResult *result = nullptr);

__host__ cudaError_t cudaGetLastError(void);
__host__ cudaError_t cudaPeekAtLastError(void);
__host__ const char *cudaGetErrorString(cudaError_t error);
__host__ const char *cudaGetErrorName(cudaError_t error);

__host__ cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                      size_t shared_bytes, cudaStream_t stream);
__host__ cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                                 size_t shared_bytes, cudaStream_t stream);
__host__ unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, void *stream = nullptr);
__host__ cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);
} // extern "C"

template <class T>
static __inline__ __host__ cudaError_t cudaMalloc(T **memory, size_t bytes) {
  return ::cudaMalloc(reinterpret_cast<void **>(memory), bytes);
}
template <class T>
static __inline__ __host__ cudaError_t cudaMallocManaged(T **memory, size_t bytes,
                                                         unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void **>(memory), bytes, flags);
}
template <class T>
static __inline__ __host__ cudaError_t cudaMallocHost(T **memory, size_t bytes) {
  return ::cudaMallocHost(reinterpret_cast<void **>(memory), bytes);
}
template <class T>
static __inline__ __host__ cudaError_t cudaHostAlloc(T **memory, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(reinterpret_cast<void **>(memory), bytes, flags);
}
template <class T>
static __inline__ __host__ cudaError_t cudaMallocAsync(T **memory, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void **>(memory), bytes, stream);
}
template <class T>
static __inline__ __host__ cudaError_t cudaMallocPitch(T **memory, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(reinterpret_cast<void **>(memory), pitch, width, height);
}
template <class T>
static __inline__ __host__ cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                                          size_t offset = 0,
                                                          cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(static_cast<const void *>(&symbol), from, bytes, offset, kind);
}
template <class T>
static __inline__ __host__ cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                            cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, static_cast<const void *>(&symbol), bytes, offset, kind);
}
template <class T>
static __inline__ __host__ cudaError_t cudaGetSymbolAddress(T **memory, const T &symbol) {
  return ::cudaGetSymbolAddress(reinterpret_cast<void **>(memory), static_cast<const void *>(&symbol));
}
template <class F>
static __inline__ __host__ cudaError_t cudaLaunchKernel(F *function, dim3 grid, dim3 block, void **arguments,
                                                        size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return ::cudaLaunchKernel(reinterpret_cast<const void *>(function), grid, block, arguments, shared_bytes, stream);
}
template <class F>
static __inline__ __host__ cudaError_t cudaFuncSetAttribute(F *function, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void *>(function), attribute, value);
}
