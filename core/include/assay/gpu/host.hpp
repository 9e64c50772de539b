#pragma once
// Derivatives of code of the host that allocates memory on a device, copies numbers and launches kernels.
//
//   __global__ void step(const float *x, float *y, float a, int n) { ... }
//   ASSAY_LAUNCH(step); // where the body of the kernel is known
//
// Specialisations of templates with a comma stand in parentheses: ASSAY_LAUNCH((scale<float, 2>)). The derivative may
// be that of another function, which each thread calls with the parameters of the kernel: ASSAY_LAUNCH(step,
// body_of_step).
//
// Afterwards launches of `step<<<...>>>` have derivatives:
//
//   tangent    one launch, of the tangents of `step`
//   adjoint    in the forward sweep the launch, and before it a copy of the memory that its parameters lead to, also
//              through pointers in memory, and of the variables of the device; in the reverse sweep a launch of the
//              gradients of `step` on that copy
//
// Kernels that carry no derivative, as those that only write integers, are named too, and run once:
//
//   ASSAY_LAUNCH_WITHOUT_DERIVATIVE(sort_kernel);
//
// Memory for the tapes of adjoint launches is kept from one launch to the next (assay/gpu/tape.hpp).
//
// Derivatives have also cudaMalloc, cudaMallocAsync, cudaMallocManaged and cudaMallocHost (the shadow is allocated
// beside the memory and cleared), cudaFree and cudaFreeHost (in the reverse sweep, memory lives until its allocation is
// passed), cudaMemset and cudaMemcpy of float and double and of structs of one of them (the adjoint of a copy is added
// to that of the source, and cleared), as well as cudaMallocPitch, cudaMemset2D, cudaMemcpy2D, cudaMemcpyToSymbol and
// cudaMemcpyFromSymbol.

#include "assay/detail/gpu/launch_rule.hpp"
#include "assay/detail/gpu/memory_rules.hpp"
#include "assay/detail/gpu/pitched_memory_rules.hpp"
#include "assay/detail/gpu/symbol_rules.hpp"
#include "assay/rules.hpp"
#include <cstddef>

/// ASSAY_LAUNCH(kernel) or ASSAY_LAUNCH(kernel, body)
#define ASSAY_LAUNCH(kernel, ...)                                                                                      \
  ASSAY_DETAIL_LAUNCH(kernel, ASSAY_DETAIL_SECOND(kernel __VA_OPT__(, ) __VA_ARGS__,                                   \
                                                  (&::assay::rules::gpu::KernelBody<&kernel>::of_thread), ))
#define ASSAY_DETAIL_SECOND(first, second, ...) second

// The device pass only has to see that the kernels are needed.
#ifdef __CUDA_ARCH__
#define ASSAY_DETAIL_JOINED(first, second) first##second
#define ASSAY_DETAIL_NAMED(first, second) ASSAY_DETAIL_JOINED(first, second)
#define ASSAY_DETAIL_LAUNCH(kernel, body)                                                                              \
  [[maybe_unused]] static const void *(*const ASSAY_DETAIL_NAMED(assay_launch_, __COUNTER__)[])() = {                  \
      &::assay::rules::gpu::LaunchKernels<body, decltype(&kernel)>::tangent,                                           \
      &::assay::rules::gpu::LaunchKernels<body, decltype(&kernel)>::adjoint}
#define ASSAY_LAUNCH_WITHOUT_DERIVATIVE(kernel) static_assert(true)
#else
#define ASSAY_LAUNCH_WITHOUT_DERIVATIVE(kernel) ASSAY_RULE(::assay::rules::inactive, kernel)
#define ASSAY_DETAIL_LAUNCH(kernel, body) ASSAY_RULE(::assay::rules::gpu::LaunchRule<&kernel, body>, kernel)
namespace assay::rules::gpu {
ASSAY_RULE(AllocationRule<MemoryOfDevice>, overload<cudaError_t(void **, std::size_t)>(::cudaMalloc));
ASSAY_RULE(AllocationRule<ManagedMemory>, overload<cudaError_t(void **, std::size_t, unsigned)>(::cudaMallocManaged));
ASSAY_RULE(AllocationRule<PinnedMemory>, overload<cudaError_t(void **, std::size_t)>(::cudaMallocHost),
           overload<cudaError_t(void **, std::size_t, unsigned)>(::cudaHostAlloc));
ASSAY_RULE(AllocationRule<MemoryOfStream>,
           overload<cudaError_t(void **, std::size_t, cudaStream_t)>(::cudaMallocAsync));
ASSAY_RULE(ReleaseRule<MemoryOfStream>, ::cudaFreeAsync);
ASSAY_RULE(ReleaseRule<MemoryOfDevice>, ::cudaFree);
ASSAY_RULE(ReleaseRule<PinnedMemory>, ::cudaFreeHost);
ASSAY_RULE(PitchedAllocationRule,
           overload<cudaError_t(void **, std::size_t *, std::size_t, std::size_t)>(::cudaMallocPitch));
ASSAY_RULE(FillRule, ::cudaMemset, ::cudaMemsetAsync);
ASSAY_RULE(PitchedFillRule, ::cudaMemset2D, ::cudaMemset2DAsync);
[[maybe_unused]] static void *__enzyme_inactivefn_launch_configuration[] = {
    reinterpret_cast<void *>(::__cudaPushCallConfiguration), reinterpret_cast<void *>(::cudaDeviceSynchronize),
    reinterpret_cast<void *>(::cudaStreamSynchronize), reinterpret_cast<void *>(::cudaGetLastError),
    reinterpret_cast<void *>(::cudaMemPrefetchAsync)};
/// The order of work on the device: the reverse sweep waits for each of its steps.
[[maybe_unused]] static void *__enzyme_inactivefn_streams_and_events[] = {
    reinterpret_cast<void *>(::cudaStreamCreate),
    reinterpret_cast<void *>(::cudaStreamCreateWithFlags),
    reinterpret_cast<void *>(::cudaStreamCreateWithPriority),
    reinterpret_cast<void *>(::cudaStreamDestroy),
    reinterpret_cast<void *>(::cudaStreamQuery),
    reinterpret_cast<void *>(::cudaStreamWaitEvent),
    reinterpret_cast<void *>(overload<cudaError_t(cudaEvent_t *)>(::cudaEventCreate)),
    reinterpret_cast<void *>(::cudaEventCreateWithFlags),
    reinterpret_cast<void *>(::cudaEventDestroy),
    reinterpret_cast<void *>(::cudaEventRecord),
    reinterpret_cast<void *>(::cudaEventSynchronize),
    reinterpret_cast<void *>(::cudaEventQuery),
    reinterpret_cast<void *>(::cudaEventElapsedTime)};
} // namespace assay::rules::gpu
#endif
