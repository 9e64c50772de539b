// In place of emulation.hpp: the kernels run on this machine's CUDA device, from the cubin that CUBIN names.
// gpu/verify-on-device builds check_kernel.cpp with it. The driver's library is opened when the program runs, so that a
// machine without one can build it.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <random>
#include <vector>

namespace emu {

inline int dyn = 0;
inline unsigned grid_size = 0, block_size = 0;

/// The order is the device's.
template <class F>
void launch(int g, int b, F f, int /*order*/ = 0) {
  grid_size = g;
  block_size = b;
  f();
}

inline void expect_success(int status, const char *action) {
  if (status == 0)
    return;
  std::fprintf(stderr, "%s: error %d of the CUDA driver\n", action, status);
  std::exit(2);
}

/// A function of the driver.
template <class... A>
void call(const char *name, A... arguments) {
  static void *const library = dlopen("libcuda.so.1", RTLD_NOW);
  void *const function = library ? dlsym(library, name) : nullptr;
  if (!function) {
    std::fprintf(stderr, "%s: the CUDA driver is not here\n", name);
    std::exit(2);
  }
  expect_success(reinterpret_cast<int (*)(A...)>(function)(arguments...), name);
}

inline void *module_here() {
  static void *const module = [] {
    void *context = nullptr, *result = nullptr;
    int device = 0;
    call("cuInit", 0u);
    call("cuDeviceGet", &device, 0);
    call("cuDevicePrimaryCtxRetain", &context, device);
    call("cuCtxSetCurrent", context);
    call("cuModuleLoad", &result, static_cast<const char *>(std::getenv("CUBIN")));
    return result;
  }();
  return module;
}

/// Runs a kernel of buffers with `count` numbers, which are copied to the device and back, and their number.
template <class T, std::size_t N>
void run(const char *kernel, T *const (&buffers)[N], int count) {
  void *function = nullptr;
  call("cuModuleGetFunction", &function, module_here(), kernel);
  unsigned long long places[N];
  void *arguments[N + 1];
  const std::size_t bytes = count * sizeof(T);
  for (std::size_t index = 0; index < N; ++index) {
    call("cuMemAlloc_v2", &places[index], bytes);
    call("cuMemcpyHtoD_v2", places[index], static_cast<const void *>(buffers[index]), bytes);
    arguments[index] = &places[index];
  }
  arguments[N] = &count;
  call("cuLaunchKernel", function, grid_size, 1u, 1u, block_size, 1u, 1u, static_cast<unsigned>(dyn),
       static_cast<void *>(nullptr), static_cast<void **>(arguments), static_cast<void **>(nullptr));
  call("cuCtxSynchronize");
  for (std::size_t index = 0; index < N; ++index) {
    call("cuMemcpyDtoH_v2", static_cast<void *>(buffers[index]), places[index], bytes);
    call("cuMemFree_v2", places[index]);
  }
}

} // namespace emu

extern "C" {
inline void prim(const NUMBER *x, NUMBER *y, int n) {
  emu::run<NUMBER>("prim", {const_cast<NUMBER *>(x), y}, n);
}
inline void grad(const NUMBER *x, NUMBER *dx, NUMBER *y, NUMBER *dy, int n) {
  emu::run<NUMBER>("grad", {const_cast<NUMBER *>(x), dx, y, dy}, n);
}
inline void fwd(const NUMBER *x, NUMBER *dx, NUMBER *y, NUMBER *dy, int n) {
  emu::run<NUMBER>("fwd", {const_cast<NUMBER *>(x), dx, y, dy}, n);
}
}
