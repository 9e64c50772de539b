// Inline PTX on memory: asynchronous copies into shared memory, guarded accesses, vectors, atomic sums.

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
__device__ __forceinline__ void copy_four(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(shared_address(to)), "l"(from));
}
__device__ __forceinline__ void copy_four_or_zeros(void *to, const void *from, bool is_inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared_address(to)), "l"(from),
               "r"(is_inside ? 16 : 0));
}
__device__ __forceinline__ void copy_one_if(void *to, const void *from, bool is_wanted) {
  asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %2, 0;\n @p cp.async.ca.shared.global [%0], [%1], 4;\n}\n" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(static_cast<int>(is_wanted)));
}

/// Two stages of 64 numbers.
__device__ void staged_copies_body(const float *x, float *y, int n) {
  __shared__ alignas(16) float stage[2][64], filled[64], guarded[64];
  const int thread = threadIdx.x, tiles = n / 64;
  guarded[thread] = 1;
  float sum = 0;
  const auto load = [&](int tile) {
    const float *from = x + tile * 64 + thread * 4;
    if (thread < 16) {
      copy_four(&stage[tile & 1][thread * 4], from);
      copy_four_or_zeros(&filled[thread * 4], from, tile % 2 == 0);
    }
    copy_one_if(&guarded[thread], x + tile * 64 + thread, thread % 3 != 0);
    asm volatile("cp.async.commit_group;\n" ::);
  };
  load(0);
  for (int tile = 0; tile < tiles; ++tile) {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
    __syncthreads();
    sum += stage[tile & 1][thread] * filled[63 - thread] + guarded[(thread + 1) % 64] * guarded[thread];
    __syncthreads();
    if (tile + 1 < tiles)
      load(tile + 1);
  }
  y[thread] = sum;
}
__global__ void staged_copies(const float *x, float *y, int n) {
  staged_copies_body(x, y, n);
}

/// An address of shared memory that a loop counts on.
__device__ void counted_addresses_body(const float *x, float *y, int n) {
  __shared__ float row[64];
  unsigned place = shared_address(row);
  if (threadIdx.x == 0)
    for (int i = 0; i < n; ++i, place += 4)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(place), "l"(x + i));
  asm volatile("cp.async.wait_all;\n" ::);
  __syncthreads();
  y[threadIdx.x] = row[threadIdx.x] * row[n - 1 - threadIdx.x];
}
__global__ void counted_addresses(const float *x, float *y, int n) {
  counted_addresses_body(x, y, n);
}

/// Four numbers at once, approximate functions, a guarded load, an atomic sum whose old value nobody asks for.
__device__ void written_by_hand_body(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i >= n)
    return;
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(x + 4 * i));
  int index, bits;
  unsigned thread;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(index) : "r"(i), "r"(3), "r"(1));
  asm("popc.b32 %0, %1;" : "=r"(bits) : "r"(index));
  asm("mov.u32 %0, %%tid.x;" : "=r"(thread));
  asm("tanh.approx.f32 %0, %1;" : "=f"(v.x) : "f"(v.x));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(v.y) : "f"(v.y));
  v.x *= bits;
  v.y += thread;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(v.z) : "f"(v.z), "f"(v.x), "f"(v.w));
  float factor = 0.5f;
  asm("{ .reg .pred p; setp.gt.f32 p, %1, 0f00000000; @p ld.global.f32 %0, [%2]; }"
      : "+f"(factor)
      : "f"(v.w), "l"(x + (4 * i + 5) % n));
  v.w *= factor;
  asm volatile("st.global.v4.f32 [%0+0], {%1,%2,%3,%4};" ::"l"(y + 4 * i), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(y + n), "f"(v.x * v.z) : "memory");
}
__global__ void written_by_hand(const float *x, float *y, int n) {
  written_by_hand_body(x, y, n);
}
