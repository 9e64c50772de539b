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
//   adjoint    in the forward sweep the launch, and before it a copy of the memory that its parameters lead to; in the
//              reverse sweep a launch of the gradients of `step` on that copy
//
// Kernels that carry no derivative, as those that only write integers, are named too, and run once:
//
//   ASSAY_LAUNCH_WITHOUT_DERIVATIVE(sort_kernel);
//
// Memory for the tapes of adjoint launches is kept from one launch to the next (assay/gpu/tape.hpp).
//
// Derivatives have also cudaMalloc, cudaMallocManaged and cudaMallocHost (the shadow is allocated beside the memory and
// cleared), cudaFree and cudaFreeHost (in the reverse sweep, memory lives until its allocation is passed), cudaMemset
// and cudaMemcpy of float and double and of structs of one of them (the adjoint of a copy is added to that of the
// source, and cleared).

#include "assay/gpu/device.hpp"
#include "assay/gpu/tape.hpp"
#include "assay/rules.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <vector>

extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, std::size_t *shared_bytes, void *stream);

namespace assay::rules::gpu {

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

/// Where the allocation that `pointer` leads into begins, and its size.
inline bool find_allocation(const void *pointer, std::uintptr_t &base, std::size_t &bytes) {
  using Find = int (*)(std::uintptr_t *, std::size_t *, std::uintptr_t);
  void *function = nullptr;
  cudaDriverEntryPointQueryResult result{};
  return cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 12000, 0, &result) == cudaSuccess &&
         function && reinterpret_cast<Find>(function)(&base, &bytes, reinterpret_cast<std::uintptr_t>(pointer)) == 0;
}

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

/// Copies of the memory that a launch can reach through its parameters, as it was before.
class Snapshot {
public:
  template <class T>
  T keep(const T &value) {
    if constexpr (std::is_pointer_v<T>)
      return copied(value);
    else
      return value;
  }
  void release() const {
    for (const Copy &copy : copies_)
      ::cudaFree(copy.memory);
  }

private:
  struct Copy {
    std::uintptr_t base;
    std::size_t bytes;
    char *memory;
  };
  template <class T>
  T *copied(T *pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    for (const Copy &copy : copies_)
      if (address - copy.base < copy.bytes)
        return reinterpret_cast<T *>(copy.memory + (address - copy.base));
    Copy copy{};
    if (pointer == nullptr || !find_allocation(pointer, copy.base, copy.bytes))
      return pointer;
    ::cudaMalloc(reinterpret_cast<void **>(&copy.memory), copy.bytes);
    ::cudaMemcpy(copy.memory, reinterpret_cast<const void *>(copy.base), copy.bytes, cudaMemcpyDeviceToDevice);
    copies_.push_back(copy);
    return reinterpret_cast<T *>(copy.memory + (address - copy.base));
  }
  std::vector<Copy> copies_;
};

/// What the reverse sweep of a launch needs.
template <class... T>
struct LaunchTape {
  Configuration launch;
  Snapshot snapshot;
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

template <auto Kernel, auto Body>
struct LaunchRule {
  static bool applies(const auto &config) { return config.width() == 1; }
  static void forward(const auto & /*config*/, auto... x) {
    const Configuration launch = take_configuration();
    std::tuple values(x.value...), shadows(shadow_of(x)...);
    void *arguments[] = {&values, &shadows};
    ::cudaLaunchKernel(LaunchKernels<Body, decltype(Kernel)>::tangent(), launch.grid, launch.block, arguments,
                       2 * launch.shared_bytes, launch.stream);
  }
  static auto augmented_primal(const auto & /*config*/, auto... x) {
    LaunchTape<std::remove_cvref_t<decltype(x.value)>...> tape;
    tape.launch = take_configuration();
    ::cudaDeviceSynchronize();
    tape.values = std::tuple(tape.snapshot.keep(std::remove_cvref_t<decltype(x.value)>(x.value))...);
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
    std::tuple values(std::remove_cvref_t<decltype(x.value)>(x.value)...);
    std::apply(
        [&](auto &...value) {
          void *arguments[] = {static_cast<void *>(&value)...};
          ::cudaLaunchKernel(reinterpret_cast<const void *>(Kernel), tape.launch.grid, tape.launch.block, arguments,
                             tape.launch.shared_bytes, tape.launch.stream);
        },
        values);
    return AugmentedReturn{None{}, None{}, std::move(tape)};
  }
  static void reverse(const auto & /*config*/, const auto & /*result*/, const auto &tape, auto... x) {
    double *sums = nullptr, host_sums[sizeof...(x)] = {};
    ::cudaMalloc(reinterpret_cast<void **>(&sums), sizeof host_sums);
    ::cudaMemcpy(sums, host_sums, sizeof host_sums, cudaMemcpyHostToDevice);
    auto values = tape.values;
    auto shadows = tape.shadows;
    std::apply([&](auto &...shadow) { (LentAdjoint<ValueOf<decltype(x)>>::lend(x, shadow), ...); }, shadows);
    static thread_local TapeMemory memory;
    Tapes tapes = memory.reserve(tape.launch.grid, tape.launch.block);
    void *arguments[] = {&values, &shadows, &sums, &tapes};
    ::cudaLaunchKernel(LaunchKernels<Body, decltype(Kernel)>::adjoint(), tape.launch.grid, tape.launch.block, arguments,
                       2 * tape.launch.shared_bytes, tape.launch.stream);
    ::cudaDeviceSynchronize();
    ::cudaMemcpy(host_sums, sums, sizeof host_sums, cudaMemcpyDeviceToHost);
    ::cudaFree(sums);
    std::apply([&](auto &...shadow) { (LentAdjoint<ValueOf<decltype(x)>>::take_back(x, shadow), ...); }, shadows);
    tape.snapshot.release();
    unsigned index = 0;
    const auto add = [&](auto &argument) {
      if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(argument.value)>>)
        argument.shadow(0) += host_sums[index];
      ++index;
    };
    (add(x), ...);
  }
};

/// What the runtime's functions return, or another library's.
template <class Status>
auto without_tangent(const auto &config, Status status) {
  return Duplicated{Status(status), config.each_lane([&](int /*lane*/) { return status; })};
}

/// Memory that is released goes on living until the reverse sweep has passed its allocation.
inline std::vector<void *> &released_memory() {
  static std::vector<void *> memory;
  return memory;
}

/// The kinds of memory that the runtime allocates: how to get it, to clear it and to release it.
struct MemoryOfDevice {
  static cudaError_t get(void **memory, std::size_t bytes) { return ::cudaMalloc(memory, bytes); }
  static void clear(void *memory, std::size_t bytes) { ::cudaMemset(memory, 0, bytes); }
  static cudaError_t release(void *memory) { return ::cudaFree(memory); }
};
/// The host may write to it at once: it is cleared by the host.
struct ManagedMemory {
  static cudaError_t get(void **memory, std::size_t bytes, unsigned flags) {
    return ::cudaMallocManaged(memory, bytes, flags);
  }
  static void clear(void *memory, std::size_t bytes) { std::memset(memory, 0, bytes); }
  static cudaError_t release(void *memory) { return ::cudaFree(memory); }
};
struct PinnedMemory {
  static cudaError_t get(void **memory, std::size_t bytes) { return ::cudaMallocHost(memory, bytes); }
  static cudaError_t get(void **memory, std::size_t bytes, unsigned flags) {
    return ::cudaHostAlloc(memory, bytes, flags);
  }
  static void clear(void *memory, std::size_t bytes) { std::memset(memory, 0, bytes); }
  static cudaError_t release(void *memory) { return ::cudaFreeHost(memory); }
};

template <class Memory>
struct AllocationRule {
  static auto allocate(const auto &config, auto &memory, std::size_t bytes, auto... flags) {
    for (const int lane : config.lanes())
      if (memory.is_active() && Memory::get(memory.shadow(lane), bytes, flags...) == cudaSuccess)
        Memory::clear(*memory.shadow(lane), bytes);
    return Memory::get(memory.value, bytes, flags...);
  }
  static auto forward(const auto &config, auto memory, auto bytes, auto... flags) {
    const cudaError_t error = allocate(config, memory, bytes.value, flags.value...);
    return without_tangent(config, error);
  }
  static auto augmented_primal(const auto &config, auto memory, auto bytes, auto... flags) {
    const cudaError_t error = allocate(config, memory, bytes.value, flags.value...);
    std::vector<void *> made{*memory.value};
    for (const int lane : config.lanes())
      if (memory.is_active())
        made.push_back(*memory.shadow(lane));
    return AugmentedReturn{error, None{}, std::move(made)};
  }
  static void reverse(const auto & /*config*/, const auto & /*result*/, const auto &made, auto /*memory*/,
                      auto /*bytes*/, auto... /*flags*/) {
    std::vector<void *> &released = released_memory();
    const auto found = std::find(released.begin(), released.end(), made.front());
    if (found == released.end())
      return; // the program keeps it
    released.erase(found);
    for (void *memory : made)
      Memory::release(memory);
  }
};

template <class Memory>
struct ReleaseRule {
  static auto forward(const auto &config, auto memory) {
    for (const int lane : config.lanes())
      if (memory.is_active())
        Memory::release(memory.shadow(lane));
    const cudaError_t error = Memory::release(memory.value);
    return without_tangent(config, error);
  }
  static auto augmented_primal(const auto & /*config*/, auto memory) {
    if (!memory.is_active())
      return AugmentedReturn{Memory::release(memory.value), None{}, None{}};
    released_memory().push_back(memory.value);
    return AugmentedReturn{cudaError_t(cudaSuccess), None{}, None{}};
  }
  static void reverse(const auto & /*config*/, const auto & /*result*/, None /*tape*/, auto /*memory*/) {}
};

/// `stream`: of the functions that do not wait; those of the reverse sweep do.
struct FillRule {
  static cudaError_t fill(void *memory, int byte, std::size_t bytes) { return ::cudaMemset(memory, byte, bytes); }
  static cudaError_t fill(void *memory, int byte, std::size_t bytes, cudaStream_t stream) {
    return ::cudaMemsetAsync(memory, byte, bytes, stream);
  }
  static auto forward(const auto &config, auto memory, auto byte, auto bytes, auto... stream) {
    for (const int lane : config.lanes())
      if (memory.is_active())
        fill(memory.shadow(lane), 0, bytes.value, stream.value...);
    return without_tangent(config, fill(memory.value, byte.value, bytes.value, stream.value...));
  }
  static auto augmented_primal(const auto & /*config*/, auto memory, auto byte, auto bytes, auto... stream) {
    return AugmentedReturn{fill(memory.value, byte.value, bytes.value, stream.value...), None{}, None{}};
  }
  static void reverse(const auto &config, const auto & /*result*/, None /*tape*/, auto memory, auto /*byte*/,
                      auto bytes, auto... /*stream*/) {
    ::cudaDeviceSynchronize();
    for (const int lane : config.lanes())
      if (memory.is_active())
        fill(memory.shadow(lane), 0, bytes.value);
  }
};

/// Classes of one kind of floating-point numbers and nothing else, as float4, are moved as these.
template <class T>
struct NumberIn {
  using type = T;
};
template <class T>
  requires std::is_class_v<T>
struct NumberIn<T> {
  using type = typename assay::detail::SummaryOf<T>::Number;
};
template <class T>
consteval bool is_made_of_numbers() {
  if constexpr (!std::is_class_v<T>)
    return std::is_arithmetic_v<T>;
  else if constexpr (rules::detail::is_without_pointers<T>() && !assay::detail::SummaryOf<T>::integers)
    return std::is_floating_point_v<typename NumberIn<T>::type>;
  else
    return false;
}

/// from' += to', to' = 0, wherever each of them lies. Without `from` only the second.
template <class T>
void move_adjoint(T *to, T *from, std::size_t bytes) {
  std::vector<T> moved(bytes / sizeof(T)), sum(moved.size());
  if (from) {
    ::cudaMemcpy(static_cast<void *>(moved.data()), static_cast<const void *>(to), bytes, cudaMemcpyDefault);
    ::cudaMemcpy(static_cast<void *>(sum.data()), static_cast<const void *>(from), bytes, cudaMemcpyDefault);
    for (std::size_t index = 0; index < sum.size(); ++index)
      sum[index] += moved[index];
    ::cudaMemcpy(static_cast<void *>(from), static_cast<const void *>(sum.data()), bytes, cudaMemcpyDefault);
  }
  std::fill(moved.begin(), moved.end(), T(0));
  ::cudaMemcpy(static_cast<void *>(to), static_cast<const void *>(moved.data()), bytes, cudaMemcpyDefault);
}

template <class T>
struct CopyRule {
  using Number = typename NumberIn<T>::type;
  static constexpr bool has_derivatives = std::is_floating_point_v<Number>;
  static void move(T *to, T *from, std::size_t bytes) {
    move_adjoint(reinterpret_cast<Number *>(to), reinterpret_cast<Number *>(from), bytes);
  }
  __forceinline__ static cudaError_t copy(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind) {
    return ::cudaMemcpy(static_cast<void *>(to), static_cast<const void *>(from), bytes, kind);
  }
  __forceinline__ static cudaError_t copy(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind,
                                          cudaStream_t stream) {
    return ::cudaMemcpyAsync(static_cast<void *>(to), static_cast<const void *>(from), bytes, kind, stream);
  }
  /// Integers are the same in the shadow.
  static void copy_integers(const auto &config, auto &to, auto &from, std::size_t bytes, cudaMemcpyKind kind,
                            auto... stream) {
    for (const int lane : config.lanes())
      if (to.is_active())
        copy(to.shadow(lane), from.value, bytes, kind, stream...);
  }
  static void copy_tangents(const auto &config, auto &to, auto &from, std::size_t bytes, cudaMemcpyKind kind,
                            auto... stream) {
    for (const int lane : config.lanes())
      if (to.is_active() && from.is_active()) {
        copy(to.shadow(lane), from.shadow(lane), bytes, kind, stream...);
      } else if (to.is_active()) {
        ::cudaDeviceSynchronize();
        move(to.shadow(lane), nullptr, bytes);
      }
  }
  static auto forward(const auto &config, auto to, auto from, auto bytes, auto kind, auto... stream) {
    if constexpr (has_derivatives)
      copy_tangents(config, to, from, bytes.value, kind.value, stream.value...);
    else
      copy_integers(config, to, from, bytes.value, kind.value, stream.value...);
    return without_tangent(config, copy(to.value, from.value, bytes.value, kind.value, stream.value...));
  }
  static auto augmented_primal(const auto &config, auto to, auto from, auto bytes, auto kind, auto... stream) {
    if constexpr (!has_derivatives)
      copy_integers(config, to, from, bytes.value, kind.value, stream.value...);
    return AugmentedReturn{copy(to.value, from.value, bytes.value, kind.value, stream.value...), None{}, None{}};
  }
  static void reverse(const auto &config, const auto & /*result*/, None /*tape*/, auto to, auto from, auto bytes,
                      auto /*kind*/, auto... /*stream*/) {
    ::cudaDeviceSynchronize();
    for (const int lane : config.lanes())
      if (has_derivatives && to.is_active())
        move(to.shadow(lane), from.is_active() ? const_cast<T *>(from.shadow(lane)) : nullptr, bytes.value);
  }
};

} // namespace assay::rules::gpu

/// Copies of numbers, or of structs of them, which overload resolution takes before the function for any memory.
template <class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__attribute__((noinline)) cudaError_t cudaMemcpy(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind) {
  ASSAY_RULE(::assay::rules::gpu::CopyRule<T>, cudaMemcpy<T>);
  return ::assay::rules::gpu::CopyRule<T>::copy(to, from, bytes, kind);
}
template <class T>
  requires(assay::rules::gpu::is_made_of_numbers<T>())
__attribute__((noinline)) cudaError_t cudaMemcpyAsync(T *to, const T *from, std::size_t bytes, cudaMemcpyKind kind,
                                                      cudaStream_t stream = nullptr) {
  ASSAY_RULE(::assay::rules::gpu::CopyRule<T>, cudaMemcpyAsync<T>);
  return ::assay::rules::gpu::CopyRule<T>::copy(to, from, bytes, kind, stream);
}

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
ASSAY_RULE(ReleaseRule<MemoryOfDevice>, ::cudaFree);
ASSAY_RULE(ReleaseRule<PinnedMemory>, ::cudaFreeHost);
ASSAY_RULE(FillRule, ::cudaMemset, ::cudaMemsetAsync);
[[maybe_unused]] static void *__enzyme_inactivefn_launch_configuration[] = {
    reinterpret_cast<void *>(::__cudaPushCallConfiguration), reinterpret_cast<void *>(::cudaDeviceSynchronize),
    reinterpret_cast<void *>(::cudaStreamSynchronize), reinterpret_cast<void *>(::cudaGetLastError)};
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
