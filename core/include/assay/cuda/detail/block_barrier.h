#pragma once
// Stand-ins for the barriers of libcu++ in shared memory, whose threads meet where they wait: who arrives goes on, and
// is counted when he waits. So each of the expected threads has to wait, which is what derivatives mirror.
#include "../cuda_runtime.h"

#if __has_include(<cuda/std/version>)
#include <cuda/__barrier/aligned_size.h>
#include <cuda/__fwd/barrier.h>
#include <cuda/__fwd/pipeline.h>
#include <cuda/std/__atomic/scopes.h>
#define ASSAY_CUDA_BEGIN _LIBCUDACXX_BEGIN_NAMESPACE_CUDA
#define ASSAY_CUDA_END _LIBCUDACXX_END_NAMESPACE_CUDA
#define ASSAY_CUDA_NO_COMPLETION ::cuda::std::__empty_completion
#else
#define ASSAY_CUDA_BEGIN namespace cuda {
#define ASSAY_CUDA_END }
#define ASSAY_CUDA_NO_COMPLETION __empty_completion
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
struct __empty_completion {};
template <thread_scope Scope, class Completion = __empty_completion>
class barrier;
template <thread_scope Scope>
class pipeline;
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
} // namespace cuda
#endif

ASSAY_CUDA_BEGIN

template <>
class barrier<thread_scope_block, ASSAY_CUDA_NO_COMPLETION> {
public:
  struct arrival_token {};

  barrier() = default;
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;

  friend __device__ void init(barrier *made, ptrdiff_t expected) { made->expected_ = static_cast<unsigned>(expected); }
  [[nodiscard]] __device__ arrival_token arrive(ptrdiff_t = 1) { return {}; }
  __device__ void wait(arrival_token &&) const { meet(); }
  __device__ void arrive_and_wait() { meet(); }
  __attribute__((unavailable("emulated, all threads that a barrier expects wait at it each time"))) __device__ void
  arrive_and_drop();
  static constexpr __host__ __device__ ptrdiff_t max() { return (1 << 20) - 1; }

private:
  __device__ void meet() const {
    if (expected_ == blockDim.x * blockDim.y * blockDim.z)
      __syncthreads();
    else // by one of the block's barriers
      __nvvm_barrier_sync_cnt(1 + static_cast<unsigned>(reinterpret_cast<size_t>(this) / sizeof(barrier)) % 15,
                              expected_);
  }

  alignas(8) unsigned expected_; // as large as the device's
};

/// Copies take place at once; nobody may look before the barrier.
template <class Group, class T, class Size, thread_scope Scope>
static __inline__ __device__ void memcpy_async(const Group &group, T *to, const T *from, const Size &bytes,
                                               barrier<Scope> &) {
  const size_t count = static_cast<size_t>(bytes) / sizeof(T);
  for (size_t index = group.thread_rank(); index < count; index += group.size())
    to[index] = from[index];
}
template <class T, class Size, thread_scope Scope>
static __inline__ __device__ void memcpy_async(T *to, const T *from, const Size &bytes, barrier<Scope> &) {
  const size_t count = static_cast<size_t>(bytes) / sizeof(T);
  for (size_t index = 0; index < count; ++index)
    to[index] = from[index];
}

ASSAY_CUDA_END
