#pragma once
// The derivative of a launch as code of the host runs it.
//
//   tangent    one launch, of the tangents of what a thread does
//   adjoint    in the forward sweep the launch, and before it a copy of the memory that its parameters lead to, also
//              through pointers in memory, and of the variables of the device; in the reverse sweep a launch of the
//              gradients on that copy

#include "assay/detail/gpu/device_variables.hpp"
#include "assay/detail/gpu/launch_kernels.hpp"
#include "assay/detail/gpu/launch_memory.hpp"
#include <array>
#include <bit>
#include <cstddef>
#include <tuple>

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

/// The shadow of an object without a derivative: what it leads to is its own shadow.
template <class T>
T shadow_without_numbers(const T &object) {
  if constexpr (is_object_with_pointers<T>())
    return with_numbers_of_zero(object);
  else
    return std::bit_cast<T>(std::array<std::byte, sizeof(T)>{});
}

template <class X>
auto shadow_of(const X &argument) {
  using Value = std::remove_cvref_t<decltype(argument.value)>;
  if constexpr (std::is_floating_point_v<Value>)
    return argument.shadow(0);
  else if constexpr (is_object_with_shadow<Value>())
    return argument.is_active() ? static_cast<Value>(argument.shadow(0))
                                : shadow_without_numbers<Value>(argument.value);
  else
    return argument.is_active() ? static_cast<Value>(argument.shadow(0)) : argument.value;
}

template <class T>
using PointersOf = std::conditional_t<is_object_with_pointers<T>(), T, std::nullptr_t>;
/// Memory without a derivative is its own shadow: the copy of it that the launch's tape keeps.
template <class X, class Value>
PointersOf<Value> pointers_in_shadow(const X &argument, const Value &kept) {
  if constexpr (is_object_with_pointers<Value>()) {
    Value shadow = with_numbers_of_zero(argument.is_active() ? static_cast<Value>(argument.shadow(0)) : argument.value);
    visit_parts(shadow, [&]<class Part>(Part &part) {
      if constexpr (std::is_pointer_v<Part>) {
        if (part == counterpart(part, shadow, argument.value))
          part = counterpart(part, shadow, kept);
      } else if constexpr (std::is_same_v<Part, HiddenWord>) {
        if (part.bits == counterpart(part, shadow, argument.value).bits)
          part = counterpart(part, shadow, kept);
      }
    });
    return shadow;
  } else {
    return nullptr;
  }
}

/// What the reverse sweep of a launch needs.
template <class... T>
struct LaunchTape {
  Configuration launch;
  bool is_launched;
  Snapshot snapshot;
  ReachedMemory reached; ///< Where pointers in memory lead on, in place of the snapshot.
  VariableSnapshot variables;
  std::tuple<T...> values;
  std::tuple<AdjointOf<T>...> shadows;
  std::tuple<PointersOf<T>...> pointers; ///< In the shadows of objects, as the launch found them.
};

/// The adjoint of an object goes to the device and comes back with what the threads have added.
template <class T>
struct LentAdjoint {
  static void lend(auto & /*argument*/, AdjointOf<T> & /*shadow*/, const PointersOf<T> & /*pointers*/) {}
  static void take_back(auto & /*argument*/, AdjointOf<T> & /*shadow*/) {}
};
template <class T>
  requires(is_object_with_shadow<T>())
struct LentAdjoint<T> {
  static void lend(auto &argument, T *&shadow, const PointersOf<T> &pointers) {
    const T before = start(argument, pointers);
    ::cudaMalloc(reinterpret_cast<void **>(&shadow), sizeof(T));
    ::cudaMemcpy(static_cast<void *>(shadow), static_cast<const void *>(&before), sizeof(T), cudaMemcpyHostToDevice);
  }
  static void take_back(auto &argument, T *&shadow) {
    if (argument.is_active()) {
      T after = argument.value;
      ::cudaMemcpy(static_cast<void *>(&after), static_cast<const void *>(shadow), sizeof(T), cudaMemcpyDeviceToHost);
      if constexpr (is_object_with_pointers<T>())
        add_numbers_of(after, argument.shadow(0));
      else
        argument.shadow(0) = after;
    }
    ::cudaFree(shadow);
  }

private:
  /// Of objects with pointers only the numbers come back, so they start from zero.
  static T start(auto &argument, const PointersOf<T> &pointers) {
    if constexpr (is_object_with_pointers<T>())
      return pointers;
    else
      return argument.is_active() ? argument.shadow(0) : shadow_without_numbers<T>(argument.value);
  }
};

template <class X>
using ValueOf = std::remove_cvref_t<decltype(std::declval<X>().value)>;

template <class... X>
inline constexpr bool leads_on = (leads_to_pointers<ValueOf<X>>() || ...);

template <class T>
void keep_reached_by_object(ReachedMemory &reached, const T &object, T &shadow) {
  visit_parts(object, [&]<class Part>(Part &part) {
    if constexpr (std::is_pointer_v<Part> && !std::is_function_v<std::remove_pointer_t<Part>>)
      reached.keep(part, counterpart(part, object, shadow), leads_to_pointers<Part>());
    else if constexpr (std::is_same_v<Part, HiddenWord>)
      reached.keep(part.address(), counterpart(part, object, shadow).address(), true);
  });
}

template <class X>
void keep_reached(ReachedMemory &reached, const X &argument) {
  if constexpr (std::is_pointer_v<ValueOf<X>>)
    reached.keep(argument.value, argument.is_active() ? argument.shadow(0) : argument.value,
                 leads_to_pointers<ValueOf<X>>());
  else if constexpr (is_object_with_pointers<ValueOf<X>>())
    keep_reached_by_object(reached, argument.value, argument.is_active() ? argument.shadow(0) : argument.value);
}

/// First what may lead on: memory that is kept is not looked through again.
void keep_all_reached(ReachedMemory &reached, const auto &...x) {
  const auto keep_where = [&](bool leads, const auto &argument) {
    if (leads_to_pointers<ValueOf<decltype(argument)>>() == leads)
      keep_reached(reached, argument);
  };
  (keep_where(true, x), ...);
  (keep_where(false, x), ...);
}

/// True where no parameter of the kernel leads to memory that holds pointers: then it cannot lead from one to the
/// other.
template <class Kernel>
inline constexpr bool keeps_memory_apart = false;
template <class... T>
inline constexpr bool keeps_memory_apart<void (*)(T...)> = (!leads_to_pointers<std::remove_cv_t<T>>() && ...);

/// Constant memory is its own shadow; the adjoint of an object is lent to the device when the gradients run.
template <class Value>
AdjointOf<Value> shadow_for_adjoint(const auto &argument, const Value &kept) {
  if constexpr (std::is_pointer_v<Value>)
    return argument.is_active() ? static_cast<Value>(argument.shadow(0)) : kept;
  else if constexpr (is_object_with_shadow<Value>())
    return nullptr;
  else
    return kept;
}

template <auto Kernel, auto Body>
struct LaunchRule {
  static constexpr bool hides_body = keeps_memory_apart<decltype(Kernel)>;
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
    const Configuration launch = take_configuration();
    ::cudaDeviceSynchronize();
    VariableSnapshot variables = VariableSnapshot::take();
    ReachedMemory reached;
    Snapshot snapshot;
    if constexpr (leads_on<decltype(x)...>)
      keep_all_reached(reached, x...);
    const auto kept = [&](const auto &value) {
      if constexpr (leads_on<decltype(x)...>)
        return value;
      else
        return snapshot.keep(value);
    };
    const std::tuple program(ValueOf<decltype(x)>(x.value)...), values(kept(ValueOf<decltype(x)>(x.value))...);
    ::cudaDeviceSynchronize();
    const auto with_values = [&](auto make) {
      return std::apply([&](const auto &...value) { return std::tuple(make(x, value)...); }, values);
    };
    const auto pointers = with_values([](const auto &x, const auto &value) { return pointers_in_shadow(x, value); });
    const auto shadows = with_values([](const auto &x, const auto &value) { return shadow_for_adjoint(x, value); });
    const bool is_launched = launch_kernel(launch, program) == cudaSuccess;
    return AugmentedReturn{None{}, None{},
                           LaunchTape<ValueOf<decltype(x)>...>{launch, is_launched, std::move(snapshot),
                                                               std::move(reached), std::move(variables), values,
                                                               shadows, pointers}};
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
    const auto lend = [&](auto &...shadow) {
      std::apply([&](const auto &...pointers) { (LentAdjoint<ValueOf<decltype(x)>>::lend(x, shadow, pointers), ...); },
                 tape.pointers);
    };
    std::apply(lend, shadows);
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
