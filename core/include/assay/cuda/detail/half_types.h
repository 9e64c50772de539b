#pragma once
// Numbers of 16 bits and pairs of them, for <cuda_fp16.h> and <cuda_bf16.h>: the compiler's own types in the structs,
// and under the names, of CUDA. Functions compute as CUDA's do: sums, products, quotients and fma rounded once,
// mathematics in float.

// ASSAY_HALF_TYPE(one, pair, storage): the structs and their operators.
#define ASSAY_HALF_TYPE(one, pair, storage)                                                                            \
  struct __align__(2) one {                                                                                            \
    storage value;                                                                                                     \
    one() = default;                                                                                                   \
    __host__ __device__ one(storage number) : value(number) {}                                                         \
    __host__ __device__ one(float number) : value(static_cast<storage>(number)) {}                                     \
    __host__ __device__ one(double number) : value(static_cast<storage>(static_cast<float>(number))) {}                \
    __host__ __device__ one(int number) : value(static_cast<storage>(static_cast<float>(number))) {}                   \
    __host__ __device__ one(unsigned number) : value(static_cast<storage>(static_cast<float>(number))) {}              \
    __host__ __device__ one(long long number) : value(static_cast<storage>(static_cast<float>(number))) {}             \
    __host__ __device__ operator float() const { return static_cast<float>(value); }                                   \
    __host__ __device__ one &operator=(float number) {                                                                 \
      value = static_cast<storage>(number);                                                                            \
      return *this;                                                                                                    \
    }                                                                                                                  \
    __host__ __device__ one &operator=(double number) { return *this = static_cast<float>(number); }                   \
    __host__ __device__ one &operator=(int number) { return *this = static_cast<float>(number); }                      \
    __host__ __device__ one &operator=(unsigned number) { return *this = static_cast<float>(number); }                 \
    __host__ __device__ one &operator=(long long number) { return *this = static_cast<float>(number); }                \
    __host__ __device__ one &operator=(unsigned long long number) { return *this = static_cast<float>(number); }       \
  };                                                                                                                   \
  struct __align__(4) pair {                                                                                           \
    one x, y;                                                                                                          \
    pair() = default;                                                                                                  \
    __host__ __device__ pair(const one &first, const one &second) : x(first), y(second) {}                             \
  };                                                                                                                   \
  ASSAY_HALF_OPERATOR(one, pair, storage, +, __hadd)                                                                   \
  ASSAY_HALF_OPERATOR(one, pair, storage, -, __hsub)                                                                   \
  ASSAY_HALF_OPERATOR(one, pair, storage, *, __hmul)                                                                   \
  ASSAY_HALF_OPERATOR(one, pair, storage, /, __hdiv)                                                                   \
  ASSAY_HALF_COMPARISON(one, ==, __heq)                                                                                \
  ASSAY_HALF_COMPARISON(one, !=, __hne)                                                                                \
  ASSAY_HALF_COMPARISON(one, <, __hlt)                                                                                 \
  ASSAY_HALF_COMPARISON(one, <=, __hle)                                                                                \
  ASSAY_HALF_COMPARISON(one, >, __hgt)                                                                                 \
  ASSAY_HALF_COMPARISON(one, >=, __hge)                                                                                \
  ASSAY_HALF_FUNCTIONS(one, pair, storage)                                                                             \
  ASSAY_HALF_MATHEMATICS(one, pair)                                                                                    \
  ASSAY_HALF_LANES(one, pair)                                                                                          \
  ASSAY_HALF_ATOMICS(one, pair)

#define ASSAY_HALF_INLINE static __inline__ __host__ __device__

#define ASSAY_HALF_OPERATOR(one, pair, storage, sign, name)                                                            \
  ASSAY_HALF_INLINE one name(one a, one b) {                                                                           \
    return one(static_cast<storage>(a.value sign b.value));                                                            \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one name##_rn(one a, one b) {                                                                      \
    return name(a, b);                                                                                                 \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one operator sign(const one &a, const one &b) {                                                    \
    return name(a, b);                                                                                                 \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one &operator sign## = (one & a, const one &b) {                                                   \
    return a = name(a, b);                                                                                             \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair operator sign(const pair &a, const pair &b) {                                                 \
    return pair(name(a.x, b.x), name(a.y, b.y));                                                                       \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair &operator sign## = (pair & a, const pair &b) {                                                \
    return a = a sign b;                                                                                               \
  }

#define ASSAY_HALF_COMPARISON(one, sign, name)                                                                         \
  ASSAY_HALF_INLINE bool name(one a, one b) {                                                                          \
    return static_cast<float>(a) sign static_cast<float>(b);                                                           \
  }                                                                                                                    \
  ASSAY_HALF_INLINE bool operator sign(const one &a, const one &b) {                                                   \
    return name(a, b);                                                                                                 \
  }

#define ASSAY_HALF_FUNCTIONS(one, pair, storage)                                                                       \
  ASSAY_HALF_INLINE one operator-(const one &a) {                                                                      \
    return one(static_cast<storage>(-a.value));                                                                        \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair operator-(const pair &a) {                                                                    \
    return pair(-a.x, -a.y);                                                                                           \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __hneg(one a) {                                                                                \
    return -a;                                                                                                         \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __habs(one a) {                                                                                \
    return one(__builtin_fabsf(static_cast<float>(a)));                                                                \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __hmax(one a, one b) {                                                                         \
    return one(__builtin_fmaxf(static_cast<float>(a), static_cast<float>(b)));                                         \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __hmin(one a, one b) {                                                                         \
    return one(__builtin_fminf(static_cast<float>(a), static_cast<float>(b)));                                         \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __hfma(one a, one b, one c) {                                                                  \
    /* a product of two such numbers is exact in float, and the sum in double */                                       \
    return one(static_cast<storage>(static_cast<double>(static_cast<float>(a) * static_cast<float>(b)) +               \
                                    static_cast<double>(static_cast<float>(c))));                                      \
  }                                                                                                                    \
  ASSAY_HALF_INLINE bool __hisnan(one a) {                                                                             \
    return a != a;                                                                                                     \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hadd2(pair a, pair b) {                                                                     \
    return a + b;                                                                                                      \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hsub2(pair a, pair b) {                                                                     \
    return a - b;                                                                                                      \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hmul2(pair a, pair b) {                                                                     \
    return a * b;                                                                                                      \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __h2div(pair a, pair b) {                                                                     \
    return a / b;                                                                                                      \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hneg2(pair a) {                                                                             \
    return -a;                                                                                                         \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __habs2(pair a) {                                                                             \
    return pair(__habs(a.x), __habs(a.y));                                                                             \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hmax2(pair a, pair b) {                                                                     \
    return pair(__hmax(a.x, b.x), __hmax(a.y, b.y));                                                                   \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hmin2(pair a, pair b) {                                                                     \
    return pair(__hmin(a.x, b.x), __hmin(a.y, b.y));                                                                   \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __hfma2(pair a, pair b, pair c) {                                                             \
    return pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                                         \
  }

#define ASSAY_HALF_IN_FLOAT(one, pair, name, value)                                                                    \
  static __inline__ __device__ one h##name(one a) {                                                                    \
    const float x = static_cast<float>(a);                                                                             \
    return one(value);                                                                                                 \
  }                                                                                                                    \
  static __inline__ __device__ pair h2##name(pair a) {                                                                 \
    return pair(h##name(a.x), h##name(a.y));                                                                           \
  }
#define ASSAY_HALF_MATHEMATICS(one, pair)                                                                              \
  ASSAY_HALF_IN_FLOAT(one, pair, exp, expf(x))                                                                         \
  ASSAY_HALF_IN_FLOAT(one, pair, exp2, exp2f(x))                                                                       \
  ASSAY_HALF_IN_FLOAT(one, pair, exp10, exp10f(x))                                                                     \
  ASSAY_HALF_IN_FLOAT(one, pair, log, logf(x))                                                                         \
  ASSAY_HALF_IN_FLOAT(one, pair, log2, log2f(x))                                                                       \
  ASSAY_HALF_IN_FLOAT(one, pair, log10, log10f(x))                                                                     \
  ASSAY_HALF_IN_FLOAT(one, pair, sin, sinf(x))                                                                         \
  ASSAY_HALF_IN_FLOAT(one, pair, cos, cosf(x))                                                                         \
  ASSAY_HALF_IN_FLOAT(one, pair, tanh, tanhf(x))                                                                       \
  ASSAY_HALF_IN_FLOAT(one, pair, sqrt, sqrtf(x))                                                                       \
  ASSAY_HALF_IN_FLOAT(one, pair, rsqrt, rsqrtf(x))                                                                     \
  ASSAY_HALF_IN_FLOAT(one, pair, rcp, 1.0f / x)                                                                        \
  ASSAY_HALF_IN_FLOAT(one, pair, floor, floorf(x))                                                                     \
  ASSAY_HALF_IN_FLOAT(one, pair, ceil, ceilf(x))                                                                       \
  ASSAY_HALF_IN_FLOAT(one, pair, trunc, truncf(x))                                                                     \
  ASSAY_HALF_IN_FLOAT(one, pair, rint, rintf(x))

// Between lanes, and read-only loads. A shuffle moves words of 32 bits.
#define ASSAY_HALF_SHUFFLE(type, bits, name, distance)                                                                 \
  static __inline__ __device__ type name(unsigned mask, type value, distance, int width = warpSize) {                  \
    const auto word = static_cast<unsigned>(__builtin_bit_cast(bits, value));                                          \
    return __builtin_bit_cast(type, static_cast<bits>(name(mask, word, by, width)));                                   \
  }
#define ASSAY_HALF_LANES_OF(type, bits)                                                                                \
  ASSAY_HALF_SHUFFLE(type, bits, __shfl_sync, int by)                                                                  \
  ASSAY_HALF_SHUFFLE(type, bits, __shfl_up_sync, unsigned by)                                                          \
  ASSAY_HALF_SHUFFLE(type, bits, __shfl_down_sync, unsigned by)                                                        \
  ASSAY_HALF_SHUFFLE(type, bits, __shfl_xor_sync, int by)                                                              \
  static __inline__ __device__ type __ldg(const type *address) {                                                       \
    return *address;                                                                                                   \
  }
#define ASSAY_HALF_LANES(one, pair)                                                                                    \
  ASSAY_HALF_LANES_OF(one, unsigned short)                                                                             \
  ASSAY_HALF_LANES_OF(pair, unsigned int)

// Sums in memory; those of a pair are two, as CUDA's are.
#define ASSAY_HALF_ATOMIC_ADD(one, pair, name, scope)                                                                  \
  static __inline__ __device__ one name(one *address, one value) {                                                     \
    return one(__scoped_atomic_fetch_add(&address->value, value.value, __ATOMIC_RELAXED, scope));                      \
  }                                                                                                                    \
  static __inline__ __device__ pair name(pair *address, pair value) {                                                  \
    return pair(name(&address->x, value.x), name(&address->y, value.y));                                               \
  }
#define ASSAY_HALF_ATOMICS(one, pair)                                                                                  \
  ASSAY_HALF_ATOMIC_ADD(one, pair, atomicAdd, __MEMORY_SCOPE_DEVICE)                                                   \
  ASSAY_HALF_ATOMIC_ADD(one, pair, atomicAdd_block, __MEMORY_SCOPE_WRKGRP)                                             \
  ASSAY_HALF_ATOMIC_ADD(one, pair, atomicAdd_system, __MEMORY_SCOPE_SYSTEM)

// ASSAY_HALF_CONVERSIONS(one, pair, name, pair_name): under CUDA's names, as __float2half and __half22float2.
#define ASSAY_HALF_CONVERSIONS(one, pair, name, pair_name)                                                             \
  ASSAY_HALF_INLINE one __float2##name(float a) {                                                                      \
    return one(a);                                                                                                     \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __float2##name##_rn(float a) {                                                                 \
    return one(a);                                                                                                     \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __double2##name(double a) {                                                                    \
    return one(a);                                                                                                     \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __int2##name##_rn(int a) {                                                                     \
    return one(a);                                                                                                     \
  }                                                                                                                    \
  ASSAY_HALF_INLINE float __##name##2float(one a) {                                                                    \
    return static_cast<float>(a);                                                                                      \
  }                                                                                                                    \
  ASSAY_HALF_INLINE int __##name##2int_rn(one a) {                                                                     \
    return static_cast<int>(__builtin_rintf(static_cast<float>(a)));                                                   \
  }                                                                                                                    \
  ASSAY_HALF_INLINE int __##name##2int_rz(one a) {                                                                     \
    return static_cast<int>(static_cast<float>(a));                                                                    \
  }                                                                                                                    \
  ASSAY_HALF_INLINE unsigned short __##name##_as_ushort(one a) {                                                       \
    return __builtin_bit_cast(unsigned short, a);                                                                      \
  }                                                                                                                    \
  ASSAY_HALF_INLINE short __##name##_as_short(one a) {                                                                 \
    return __builtin_bit_cast(short, a);                                                                               \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __ushort_as_##name(unsigned short bits) {                                                      \
    return __builtin_bit_cast(one, bits);                                                                              \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __short_as_##name(short bits) {                                                                \
    return __builtin_bit_cast(one, bits);                                                                              \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair make_##pair_name(one a, one b) {                                                              \
    return pair(a, b);                                                                                                 \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __##name##2##name##2(one a) {                                                                 \
    return pair(a, a);                                                                                                 \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __float2##name##2_rn(float a) {                                                               \
    return pair(one(a), one(a));                                                                                       \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __floats2##name##2_rn(float a, float b) {                                                     \
    return pair(one(a), one(b));                                                                                       \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __float22##name##2_rn(float2 a) {                                                             \
    return pair(one(a.x), one(a.y));                                                                                   \
  }                                                                                                                    \
  ASSAY_HALF_INLINE float2 __##name##22float2(pair a) {                                                                \
    return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));                                              \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __low2##name(pair a) {                                                                         \
    return a.x;                                                                                                        \
  }                                                                                                                    \
  ASSAY_HALF_INLINE one __high2##name(pair a) {                                                                        \
    return a.y;                                                                                                        \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __low2##name##2(pair a) {                                                                     \
    return pair(a.x, a.x);                                                                                             \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __high2##name##2(pair a) {                                                                    \
    return pair(a.y, a.y);                                                                                             \
  }                                                                                                                    \
  ASSAY_HALF_INLINE float __low2float(pair a) {                                                                        \
    return static_cast<float>(a.x);                                                                                    \
  }                                                                                                                    \
  ASSAY_HALF_INLINE float __high2float(pair a) {                                                                       \
    return static_cast<float>(a.y);                                                                                    \
  }                                                                                                                    \
  ASSAY_HALF_INLINE pair __lowhigh2highlow(pair a) {                                                                   \
    return pair(a.y, a.x);                                                                                             \
  }
