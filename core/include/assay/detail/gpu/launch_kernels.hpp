#pragma once
// The kernels that differentiate a launch: each thread differentiates the work of a thread of the program's kernel,
// with one parameter for the values of all the kernel's parameters and one for their shadows.

#include "assay/detail/gpu/object_parts.hpp"
#include "assay/gpu/device.hpp"
#include "assay/gpu/tape.hpp"
#include "assay/rules.hpp"
#include <cstddef>
#include <tuple>

extern "C" __device__ void __assay_kernel_body(void *kernel); // the caller gets the body of the kernel

namespace assay::rules::gpu {

/// The body of the kernel as a __device__ function.
template <auto Kernel, class Type = decltype(Kernel)>
struct KernelBody;
template <auto Kernel, class... T>
struct KernelBody<Kernel, void (*)(T...)> {
  __device__ static void of_thread(T... /*arguments*/) { __assay_kernel_body(reinterpret_cast<void *>(Kernel)); }
};

/// Structs by value that hold pointers.
template <class T>
consteval bool is_object_with_pointers() {
  if constexpr (std::is_class_v<T>)
    return !rules::detail::is_without_pointers<T>();
  else
    return false;
}
/// Structs by value that have a shadow: they hold numbers or pointers.
template <class T>
consteval bool is_object_with_shadow() {
  if constexpr (is_object_with_pointers<T>())
    return true;
  else if constexpr (std::is_class_v<T>)
    return !std::is_void_v<typename assay::detail::SummaryOf<T>::Number>;
  else
    return false;
}
/// The adjoint of an object is one in memory of the device, to which all threads add.
template <class T>
using AdjointOf = std::conditional_t<is_object_with_shadow<T>(), T *, T>;

template <class T>
__device__ __forceinline__ auto with_tangent(T &value, T &tangent) {
  if constexpr (std::is_pointer_v<T> || std::is_floating_point_v<T> || is_object_with_shadow<T>())
    return Duplicated{value, tangent};
  else
    return Const{value};
}
template <class T>
__device__ __forceinline__ auto with_adjoint(T &value, AdjointOf<T> &shadow) {
  if constexpr (std::is_pointer_v<T>)
    return Duplicated{value, shadow};
  else if constexpr (is_object_with_shadow<T>())
    return Duplicated{value, *shadow};
  else if constexpr (std::is_floating_point_v<T>)
    return Active{value};
  else
    return Const{value};
}

template <auto Body, class... T, std::size_t... I>
__device__ __forceinline__ void call_tangent(std::tuple<T...> &values, std::tuple<T...> &shadows,
                                             std::index_sequence<I...> /*arguments*/) {
  autodiff_deferred<set_runtime_activity(Forward)>(Body, with_tangent(std::get<I>(values), std::get<I>(shadows))...);
}
template <auto Body, class... T>
__global__ void tangents(std::tuple<T...> values, std::tuple<T...> shadows) {
  call_tangent<Body>(values, shadows, std::index_sequence_for<T...>());
}

template <class T>
__device__ __forceinline__ void add_to(double *sum, const T &adjoint) {
  if constexpr (std::is_floating_point_v<T>)
    atomicAdd(sum, static_cast<double>(adjoint));
}
template <auto Body, class... T, std::size_t... I>
__device__ __forceinline__ void call_adjoint(std::tuple<T...> &values, std::tuple<AdjointOf<T>...> &shadows,
                                             double *sums, const Tapes &tapes,
                                             std::index_sequence<I...> /*arguments*/) {
  const auto result = autodiff_deferred<set_runtime_activity(Reverse)>(
      tapes, Body, with_adjoint(std::get<I>(values), std::get<I>(shadows))...);
  (add_to(sums + I, get<I>(result.gradient)), ...);
}
/// Adjoints of numbers are summed up over the threads in `sums`, by parameter.
template <auto Body, class... T>
__global__ void adjoints(std::tuple<T...> values, std::tuple<AdjointOf<T>...> shadows, double *sums, Tapes tapes) {
  call_adjoint<Body>(values, shadows, sums, tapes, std::index_sequence_for<T...>());
}

/// The kernels that differentiate launches of a kernel with these parameters.
template <auto Body, class Kernel>
struct LaunchKernels;
template <auto Body, class... T>
struct LaunchKernels<Body, void (*)(T...)> {
  static const void *tangent() { return reinterpret_cast<const void *>(&tangents<Body, std::remove_cv_t<T>...>); }
  static const void *adjoint() { return reinterpret_cast<const void *>(&adjoints<Body, std::remove_cv_t<T>...>); }
};

} // namespace assay::rules::gpu
