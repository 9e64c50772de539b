#pragma once
// Declarations that clang's own CUDA headers take for granted, and functions of the device that are instructions.

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                             size_t character_size) __attribute__((noreturn));
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
__device__ int printf(const char *, ...);
} // extern "C"

static __inline__ __device__ unsigned int __isGlobal(const void *address) {
  return __nvvm_isspacep_global(address);
}
static __inline__ __device__ unsigned int __isShared(const void *address) {
  return __nvvm_isspacep_shared(address);
}
static __inline__ __device__ unsigned int __isConstant(const void *address) {
  return __nvvm_isspacep_const(address);
}
static __inline__ __device__ unsigned int __isLocal(const void *address) {
  return __nvvm_isspacep_local(address);
}
/// No thread waits for the clock.
static __inline__ __device__ void __nanosleep(unsigned int) {}
static __inline__ __device__ size_t __cvta_generic_to_shared(const void *address) {
  return (size_t)(void __attribute__((address_space(3))) *)address;
}
static __inline__ __device__ size_t __cvta_generic_to_global(const void *address) {
  return (size_t)(void __attribute__((address_space(1))) *)address;
}
static __inline__ __device__ size_t __cvta_generic_to_constant(const void *address) {
  return (size_t)(void __attribute__((address_space(4))) *)address;
}
static __inline__ __device__ size_t __cvta_generic_to_local(const void *address) {
  return (size_t)(void __attribute__((address_space(5))) *)address;
}
static __inline__ __device__ void *__cvta_shared_to_generic(size_t address) {
  return (void *)(void __attribute__((address_space(3))) *)address;
}
static __inline__ __device__ void *__cvta_global_to_generic(size_t address) {
  return (void *)(void __attribute__((address_space(1))) *)address;
}
// Stores that say how a cache is to keep them.
template <class T>
__inline__ __device__ void __stwb(T *address, T value) {
  *address = value;
}
template <class T>
__inline__ __device__ void __stcg(T *address, T value) {
  *address = value;
}
template <class T>
__inline__ __device__ void __stcs(T *address, T value) {
  *address = value;
}
