#pragma once
// Derivatives of code of the host that allocates memory on a device, copies numbers and launches kernels.
//
//   __device__ void step(const float *x, float *y, float a, int n);
//   __global__ void step_kernel(const float *x, float *y, float a, int n) { step(x, y, a, n); }
//   ASSAY_LAUNCH(step_kernel, step);
//
// Specialisations of templates with a comma stand in parentheses:
//
//   ASSAY_LAUNCH((scale_kernel<float, 2>), (scale<float, 2>));
//
// Afterwards launches of `step_kernel<<<...>>>` have derivatives:
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

#include "assay/detail/gpu/device_variables.hpp"
#include "assay/detail/gpu/launch_memory.hpp"
#include "assay/detail/gpu/memory_rules.hpp"
#include "assay/detail/gpu/pitched_memory_rules.hpp"
#include "assay/detail/gpu/symbol_rules.hpp"
#include "assay/gpu/device.hpp"
#include "assay/gpu/tape.hpp"
#include "assay/rules.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, std::size_t *shared_bytes, void *stream);

namespace assay::rules::gpu {

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

/// What stands between the brackets of the launch that is about to be made.
inline Configuration take_configuration() {
  Configuration configuration;
  __cudaPopCallConfiguration(&configuration.grid, &configuration.block, &configuration.shared_bytes,
                             &configuration.stream);
  return configuration;
}

/// Structs by value that have numbers in them.
template <class T>
consteval bool is_object_of_numbers() {
  if constexpr (std::is_class_v<T>)
    return !std::is_void_v<typename assay::detail::SummaryOf<T>::Number>;
  else
    return false;
}
/// The adjoint of an object is one in memory of the device, to which all threads add.
template <class T>
using AdjointOf = std::conditional_t<is_object_of_numbers<T>(), T *, T>;

template <class T>
__device__ __forceinline__ auto with_tangent(T &value, T &tangent) {
  if constexpr (std::is_pointer_v<T> || std::is_floating_point_v<T> || is_object_of_numbers<T>())
    return Duplicated{value, tangent};
  else
    return Const{value};
}
template <class T>
__device__ __forceinline__ auto with_adjoint(T &value, AdjointOf<T> &shadow) {
  if constexpr (std::is_pointer_v<T>)
    return Duplicated{value, shadow};
  else if constexpr (is_object_of_numbers<T>())
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

template <class T>
T without_numbers() {
  return std::bit_cast<T>(std::array<std::byte, sizeof(T)>{});
}

template <class X>
auto shadow_of(const X &argument) {
  using Value = std::remove_cvref_t<decltype(argument.value)>;
  if constexpr (std::is_floating_point_v<Value>)
    return argument.shadow(0);
  else if constexpr (is_object_of_numbers<Value>())
    return argument.is_active() ? static_cast<Value>(argument.shadow(0)) : without_numbers<Value>();
  else
    return argument.is_active() ? static_cast<Value>(argument.shadow(0)) : argument.value;
}

/// The kernels that differentiate launches of a kernel with these parameters.
template <auto Body, class Kernel>
struct LaunchKernels;
template <auto Body, class... T>
struct LaunchKernels<Body, void (*)(T...)> {
  static_assert(
      ((!std::is_class_v<T> || rules::detail::is_without_pointers<std::remove_cv_t<T>>()) && ...),
      "ASSAY_LAUNCH: a parameter of the kernel is an object that may hold pointers, which have no shadow: pass "
      "them as parameters of their own");
  static const void *tangent() { return reinterpret_cast<const void *>(&tangents<Body, std::remove_cv_t<T>...>); }
  static const void *adjoint() { return reinterpret_cast<const void *>(&adjoints<Body, std::remove_cv_t<T>...>); }
};

/// What the reverse sweep of a launch needs.
template <class... T>
struct LaunchTape {
  Configuration launch;
  bool is_launched = false;
  Snapshot snapshot;
  ReachedMemory reached; ///< Where pointers in memory lead on, in place of the snapshot.
  VariableSnapshot variables;
  std::tuple<T...> values;
  std::tuple<AdjointOf<T>...> shadows;
};

/// The adjoint of an object goes to the device and comes back with what the threads have added.
template <class T>
struct LentAdjoint {
  static void lend(auto & /*argument*/, AdjointOf<T> & /*shadow*/) {}
  static void take_back(auto & /*argument*/, AdjointOf<T> & /*shadow*/) {}
};
template <class T>
  requires(is_object_of_numbers<T>())
struct LentAdjoint<T> {
  static void lend(auto &argument, T *&shadow) {
    const T before = argument.is_active() ? argument.shadow(0) : without_numbers<T>();
    ::cudaMalloc(reinterpret_cast<void **>(&shadow), sizeof(T));
    ::cudaMemcpy(static_cast<void *>(shadow), static_cast<const void *>(&before), sizeof(T), cudaMemcpyHostToDevice);
  }
  static void take_back(auto &argument, T *&shadow) {
    if (argument.is_active())
      ::cudaMemcpy(static_cast<void *>(&argument.shadow(0)), static_cast<const void *>(shadow), sizeof(T),
                   cudaMemcpyDeviceToHost);
    ::cudaFree(shadow);
  }
};

template <class X>
using ValueOf = std::remove_cvref_t<decltype(std::declval<X>().value)>;

template <class... X>
inline constexpr bool leads_on = (may_lead_on<ValueOf<X>>() || ...);

template <class X>
void keep_reached(ReachedMemory &reached, const X &argument) {
  if constexpr (std::is_pointer_v<ValueOf<X>>)
    reached.keep(argument.value, argument.is_active() ? argument.shadow(0) : argument.value, may_lead_on<ValueOf<X>>());
}

/// First what may lead on: memory that is kept is not looked through again.
void keep_all_reached(ReachedMemory &reached, const auto &...x) {
  const auto keep_where = [&](bool leads, const auto &argument) {
    if (may_lead_on<ValueOf<decltype(argument)>>() == leads)
      keep_reached(reached, argument);
  };
  (keep_where(true, x), ...);
  (keep_where(false, x), ...);
}

template <auto Kernel, auto Body>
struct LaunchRule {
  static bool applies(const auto &config) { return config.width() == 1; }
  static void forward(const auto & /*config*/, auto... x) {
    const Configuration launch = take_configuration();
    std::tuple values(x.value...), shadows(shadow_of(x)...);
    void *arguments[] = {&values, &shadows};
    const void *tangent = LaunchKernels<Body, decltype(Kernel)>::tangent();
    ask_for_shared_memory(tangent, 2 * launch.shared_bytes);
    const cudaError_t status =
        ::cudaLaunchKernel(tangent, launch.grid, launch.block, arguments, 2 * launch.shared_bytes, launch.stream);
    // A launch that fails without derivatives is the program's own.
    if (status != cudaSuccess && launch_kernel(launch, values) == cudaSuccess)
      ::assay::rules::gpu::require(status, cannot_launch);
  }
  template <class... T>
  static cudaError_t launch_kernel(const Configuration &launch, const std::tuple<T...> &values) {
    std::tuple own(values);
    return std::apply(
        [&](auto &...value) {
          void *arguments[] = {const_cast<void *>(static_cast<const void *>(&value))...};
          return ::cudaLaunchKernel(reinterpret_cast<const void *>(Kernel), launch.grid, launch.block, arguments,
                                    launch.shared_bytes, launch.stream);
        },
        own);
  }
  static auto augmented_primal(const auto & /*config*/, auto... x) {
    LaunchTape<std::remove_cvref_t<decltype(x.value)>...> tape;
    tape.launch = take_configuration();
    ::cudaDeviceSynchronize();
    tape.variables = VariableSnapshot::take();
    if constexpr (leads_on<decltype(x)...>)
      keep_all_reached(tape.reached, x...);
    const auto kept = [&](const auto &value) {
      if constexpr (leads_on<decltype(x)...>)
        return value;
      else
        return tape.snapshot.keep(value);
    };
    tape.values = std::tuple(kept(std::remove_cvref_t<decltype(x.value)>(x.value))...);
    // constant memory is its own shadow
    const auto own = [](const auto &argument, const auto &kept) {
      using Value = std::remove_cvref_t<decltype(kept)>;
      if constexpr (std::is_pointer_v<Value>)
        return argument.is_active() ? static_cast<Value>(argument.shadow(0)) : kept;
      else if constexpr (is_object_of_numbers<Value>())
        return AdjointOf<Value>(nullptr);
      else
        return kept;
    };
    ::cudaDeviceSynchronize();
    tape.shadows = std::apply([&](const auto &...kept) { return std::tuple(own(x, kept)...); }, tape.values);
    tape.is_launched =
        launch_kernel(tape.launch, std::tuple(std::remove_cvref_t<decltype(x.value)>(x.value)...)) == cudaSuccess;
    return AugmentedReturn{None{}, None{}, std::move(tape)};
  }
  static void reverse(const auto & /*config*/, const auto & /*result*/, const auto &tape, auto... x) {
    ReachedMemory reached = tape.reached;
    if (tape.is_launched) {
      const VariableSnapshot present = VariableSnapshot::take();
      tape.variables.put_back();
      reached.exchange();
      run_adjoint(tape, x...);
      reached.exchange();
      present.put_back();
      present.release();
    }
    reached.release();
    tape.variables.release();
    tape.snapshot.release();
  }
  static void run_adjoint(const auto &tape, auto &...x) {
    double *sums = nullptr, host_sums[sizeof...(x)] = {};
    ::cudaMalloc(reinterpret_cast<void **>(&sums), sizeof host_sums);
    ::cudaMemcpy(sums, host_sums, sizeof host_sums, cudaMemcpyHostToDevice);
    auto values = tape.values;
    auto shadows = tape.shadows;
    std::apply([&](auto &...shadow) { (LentAdjoint<ValueOf<decltype(x)>>::lend(x, shadow), ...); }, shadows);
    static thread_local TapeMemory memory;
    Tapes tapes = memory.reserve(tape.launch.grid, tape.launch.block);
    void *arguments[] = {&values, &shadows, &sums, &tapes};
    const void *adjoint = LaunchKernels<Body, decltype(Kernel)>::adjoint();
    ask_for_shared_memory(adjoint, 2 * tape.launch.shared_bytes);
    ::assay::rules::gpu::require(::cudaLaunchKernel(adjoint, tape.launch.grid, tape.launch.block, arguments,
                                                    2 * tape.launch.shared_bytes, tape.launch.stream),
                                 cannot_launch);
    ::assay::rules::gpu::require(::cudaDeviceSynchronize(), "the reverse launch of a kernel has failed");
    ::cudaMemcpy(host_sums, sums, sizeof host_sums, cudaMemcpyDeviceToHost);
    ::cudaFree(sums);
    std::apply([&](auto &...shadow) { (LentAdjoint<ValueOf<decltype(x)>>::take_back(x, shadow), ...); }, shadows);
    unsigned index = 0;
    const auto add = [&](auto &argument) {
      if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(argument.value)>>)
        argument.shadow(0) += host_sums[index];
      ++index;
    };
    (add(x), ...);
  }
};

} // namespace assay::rules::gpu

// The device pass only has to see that the kernels are needed.
#ifdef __CUDA_ARCH__
#define ASSAY_DETAIL_JOINED(first, second) first##second
#define ASSAY_DETAIL_NAMED(first, second) ASSAY_DETAIL_JOINED(first, second)
#define ASSAY_LAUNCH(kernel, body)                                                                                     \
  [[maybe_unused]] static const void *(*const ASSAY_DETAIL_NAMED(assay_launch_, __COUNTER__)[])() = {                  \
      &::assay::rules::gpu::LaunchKernels<body, decltype(&kernel)>::tangent,                                           \
      &::assay::rules::gpu::LaunchKernels<body, decltype(&kernel)>::adjoint}
#define ASSAY_LAUNCH_WITHOUT_DERIVATIVE(kernel) static_assert(true)
#else
#define ASSAY_LAUNCH_WITHOUT_DERIVATIVE(kernel) ASSAY_RULE(::assay::rules::inactive, kernel)
#define ASSAY_LAUNCH(kernel, body) ASSAY_RULE(::assay::rules::gpu::LaunchRule<&kernel, body>, kernel)
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
