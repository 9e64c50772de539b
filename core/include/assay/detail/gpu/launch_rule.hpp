#pragma once
// The derivative of a launch as code of the host runs it.
//
//   tangent    one launch, of the tangents of a thread's work
//   adjoint    in the forward sweep the launch, and before it a copy of the memory that its parameters lead to, also
//              through pointers in memory, and of the variables of the device; in the reverse sweep a launch of the
//              gradients on that copy

#include "assay/detail/gpu/device_variables.hpp"
#include "assay/detail/gpu/lane_shadows.hpp"
#include "assay/detail/gpu/launch_kernels.hpp"
#include "assay/detail/gpu/launch_memory.hpp"
#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, std::size_t *shared_bytes, void *stream);

namespace assay::rules::gpu {

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

/// The configuration of the launch that is about to be made.
inline Configuration take_configuration() {
  Configuration configuration;
  __cudaPopCallConfiguration(&configuration.grid, &configuration.block, &configuration.shared_bytes,
                             &configuration.stream);
  return configuration;
}

/// The shadow of an inactive object: numbers of zero, and its own pointers, since inactive memory is its own shadow.
template <class T>
T shadow_without_numbers(const T &object) {
  if constexpr (is_object_with_pointers<T>())
    return with_numbers_of_zero(object);
  else
    return std::bit_cast<T>(std::array<std::byte, sizeof(T)>{});
}

template <class X>
using ValueOf = std::remove_cvref_t<decltype(std::declval<X>().value)>;

/// The shadow of a parameter with the value `kept` for a tangent launch. Constant memory is its own shadow.
template <class X>
ValueOf<X> shadow_for_tangent(const X &argument, const ValueOf<X> &kept, int lane) {
  using Value = ValueOf<X>;
  if constexpr (std::is_floating_point_v<Value>)
    return argument.shadow(lane);
  else if constexpr (is_object_with_pointers<Value>())
    return argument.is_active() ? pointing_to_copies(static_cast<Value>(argument.shadow(lane)), argument.value, kept)
                                : with_numbers_of_zero(kept);
  else if constexpr (is_object_with_shadow<Value>())
    return argument.is_active() ? static_cast<Value>(argument.shadow(lane)) : shadow_without_numbers<Value>(kept);
  else
    return argument.is_active() ? static_cast<Value>(argument.shadow(lane)) : kept;
}

template <class T>
using PointersOf = std::conditional_t<is_object_with_pointers<T>(), T, std::nullptr_t>;
template <class X, class Value>
PointersOf<Value> pointers_in_shadow(const X &argument, const Value &kept, int lane) {
  if constexpr (is_object_with_pointers<Value>()) {
    const Value shadow = argument.is_active() ? static_cast<Value>(argument.shadow(lane)) : argument.value;
    return pointing_to_copies(with_numbers_of_zero(shadow), argument.value, kept);
  } else {
    return nullptr;
  }
}

/// The parameters of an adjoint launch in one lane: copies of the memory that the primal launch found, and shadows.
template <class... T>
struct LaunchLane {
  Snapshot snapshot;
  ReachedMemory reached; ///< Where pointers in memory lead on, in place of the snapshot.
  std::tuple<T...> values;
  std::tuple<AdjointOf<T>...> shadows;
  std::tuple<PointersOf<T>...> pointers; ///< In the shadows of objects, as the launch found them.
};

/// The tape of a launch.
template <class... T>
struct LaunchTape {
  Configuration launch;
  bool is_launched;
  VariableSnapshot variables;
  std::vector<LaunchLane<T...>> lanes;
};

/// The adjoint of an object is copied to the device, where the threads add to it, and back.
template <class T>
struct LentAdjoint {
  static void lend(auto & /*argument*/, int /*lane*/, AdjointOf<T> & /*shadow*/, const PointersOf<T> & /*pointers*/) {}
  static void take_back(auto & /*argument*/, int /*lane*/, AdjointOf<T> & /*shadow*/) {}
};
template <class T>
  requires(is_object_with_shadow<T>())
struct LentAdjoint<T> {
  static void lend(auto &argument, int lane, T *&shadow, const PointersOf<T> &pointers) {
    const T before = start(argument, lane, pointers);
    ::cudaMalloc(reinterpret_cast<void **>(&shadow), sizeof(T));
    ::cudaMemcpy(static_cast<void *>(shadow), static_cast<const void *>(&before), sizeof(T), cudaMemcpyHostToDevice);
  }
  static void take_back(auto &argument, int lane, T *&shadow) {
    if (argument.is_active()) {
      T after = argument.value;
      ::cudaMemcpy(static_cast<void *>(&after), static_cast<const void *>(shadow), sizeof(T), cudaMemcpyDeviceToHost);
      if constexpr (is_object_with_pointers<T>())
        add_numbers_of(after, argument.shadow(lane));
      else
        argument.shadow(lane) = after;
    }
    ::cudaFree(shadow);
  }

private:
  /// Of objects with pointers only the numbers come back, so they start from zero.
  static T start(auto &argument, int lane, const PointersOf<T> &pointers) {
    if constexpr (is_object_with_pointers<T>())
      return pointers;
    else
      return argument.is_active() ? argument.shadow(lane) : shadow_without_numbers<T>(argument.value);
  }
};

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
void keep_reached(ReachedMemory &reached, const X &argument, int lane) {
  if constexpr (std::is_pointer_v<ValueOf<X>>)
    reached.keep(argument.value, argument.is_active() ? argument.shadow(lane) : argument.value,
                 leads_to_pointers<ValueOf<X>>());
  else if constexpr (is_object_with_pointers<ValueOf<X>>())
    keep_reached_by_object(reached, argument.value, argument.is_active() ? argument.shadow(lane) : argument.value);
}

/// Pointers to pointers come first: memory that is kept already is not searched for pointers again.
void keep_all_reached(ReachedMemory &reached, int lane, const auto &...x) {
  const auto keep_where = [&](bool leads, const auto &argument) {
    if (leads_to_pointers<ValueOf<decltype(argument)>>() == leads)
      keep_reached(reached, argument, lane);
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
AdjointOf<Value> shadow_for_adjoint(const auto &argument, const Value &kept, int lane) {
  if constexpr (std::is_pointer_v<Value>)
    return argument.is_active() ? static_cast<Value>(argument.shadow(lane)) : kept;
  else if constexpr (is_object_with_shadow<Value>())
    return nullptr;
  else
    return kept;
}

/// The parameters' values with pointers to copies, or to memory that `reached` can restore.
template <class... X>
std::tuple<ValueOf<X>...> kept_values(Snapshot &copies, ReachedMemory &reached, int lane, const X &...x) {
  if constexpr (leads_on<X...>) {
    keep_all_reached(reached, lane, x...);
    return std::tuple<ValueOf<X>...>(x.value...);
  } else {
    return std::tuple<ValueOf<X>...>(copies.keep(ValueOf<X>(x.value))...);
  }
}

/// The derivative of a kernel has one lane: with more it is launched for each, and each finds what the program's launch
/// found.
template <auto Kernel, auto Body>
struct LaunchRule {
  using Kernels = LaunchKernels<Body, decltype(Kernel)>;
  static constexpr bool hides_body = keeps_memory_apart<decltype(Kernel)>;

  static void forward(const auto &config, auto... x) {
    const Configuration launch = take_configuration();
    for (const int lane : config.lanes())
      if (lane + 1 < config.width())
        launch_tangent_apart(launch, lane, x...);
      else
        launch_tangent(launch, lane, std::tuple(ValueOf<decltype(x)>(x.value)...), x...);
  }
  static auto augmented_primal(const auto &config, auto... x) {
    const Configuration launch = take_configuration();
    ::cudaDeviceSynchronize();
    VariableSnapshot variables = VariableSnapshot::take();
    std::vector<LaunchLane<ValueOf<decltype(x)>...>> lanes;
    for (const int lane : config.lanes())
      lanes.push_back(keep_lane(lane, x...));
    ::cudaDeviceSynchronize();
    const bool is_launched = launch_kernel(launch, std::tuple(ValueOf<decltype(x)>(x.value)...)) == cudaSuccess;
    return AugmentedReturn{
        None{}, None{},
        LaunchTape<ValueOf<decltype(x)>...>{launch, is_launched, std::move(variables), std::move(lanes)}};
  }
  static void reverse(const auto & /*config*/, const auto & /*result*/, const auto &tape, auto... x) {
    const VariableSnapshot present = VariableSnapshot::take();
    int lane = 0;
    for (const auto &kept : tape.lanes) {
      ReachedMemory reached = kept.reached;
      if (tape.is_launched) {
        tape.variables.put_back();
        reached.exchange();
        launch_adjoint(tape.launch, kept, lane, x...);
        reached.exchange();
        present.put_back();
      }
      reached.release();
      kept.snapshot.release();
      ++lane;
    }
    present.release();
    tape.variables.release();
  }

private:
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

  static void launch_tangent(const Configuration &launch, int lane, const auto &kept, const auto &...x) {
    auto values = kept;
    auto shadows =
        std::apply([&](const auto &...value) { return std::tuple(shadow_for_tangent(x, value, lane)...); }, values);
    void *arguments[] = {&values, &shadows};
    const void *tangent = Kernels::tangent();
    const std::size_t shared_bytes = with_shared_shadows(launch.shared_bytes);
    ask_for_shared_memory(tangent, shared_bytes);
    const ShadowsOfLane shadows_of_variables(lane, LaneContent::tangents);
    const cudaError_t status =
        ::cudaLaunchKernel(tangent, launch.grid, launch.block, arguments, shared_bytes, launch.stream);
    // A launch that fails without derivatives is the program's own.
    if (status != cudaSuccess && launch_kernel(launch, values) == cudaSuccess)
      ::assay::rules::gpu::require(status, cannot_launch);
  }
  /// Leaves the memory of the program as it was.
  static void launch_tangent_apart(const Configuration &launch, int lane, const auto &...x) {
    ::cudaDeviceSynchronize();
    const VariableSnapshot variables = VariableSnapshot::take();
    Snapshot copies;
    ReachedMemory reached;
    launch_tangent(launch, lane, kept_values(copies, reached, lane, x...), x...);
    ::cudaDeviceSynchronize();
    variables.put_back();
    variables.release();
    reached.put_back();
    reached.release();
    copies.release();
  }

  static auto keep_lane(int lane, const auto &...x) {
    Snapshot snapshot;
    ReachedMemory reached;
    const std::tuple values = kept_values(snapshot, reached, lane, x...);
    const auto with_values = [&](auto make) {
      return std::apply([&](const auto &...value) { return std::tuple(make(x, value)...); }, values);
    };
    const auto shadows =
        with_values([&](const auto &argument, const auto &value) { return shadow_for_adjoint(argument, value, lane); });
    const auto pointers =
        with_values([&](const auto &argument, const auto &value) { return pointers_in_shadow(argument, value, lane); });
    return LaunchLane<ValueOf<decltype(x)>...>{std::move(snapshot), std::move(reached), values, shadows, pointers};
  }

  static void launch_adjoint(const Configuration &launch, const auto &kept, int lane, auto &...x) {
    double *sums = nullptr, host_sums[sizeof...(x)] = {};
    ::cudaMalloc(reinterpret_cast<void **>(&sums), sizeof host_sums);
    ::cudaMemcpy(sums, host_sums, sizeof host_sums, cudaMemcpyHostToDevice);
    auto values = kept.values;
    auto shadows = kept.shadows;
    const auto lend = [&](auto &...shadow) {
      std::apply(
          [&](const auto &...pointers) { (LentAdjoint<ValueOf<decltype(x)>>::lend(x, lane, shadow, pointers), ...); },
          kept.pointers);
    };
    std::apply(lend, shadows);
    static thread_local TapeMemory memory;
    Tapes tapes = memory.reserve(launch.grid, launch.block);
    void *arguments[] = {&values, &shadows, &sums, &tapes};
    const void *adjoint = Kernels::adjoint();
    const std::size_t shared_bytes = with_shared_shadows(launch.shared_bytes);
    ask_for_shared_memory(adjoint, shared_bytes);
    std::optional<ShadowsOfLane> shadows_of_variables(std::in_place, lane, LaneContent::adjoints);
    ::assay::rules::gpu::require(
        ::cudaLaunchKernel(adjoint, launch.grid, launch.block, arguments, shared_bytes, launch.stream), cannot_launch);
    ::assay::rules::gpu::require(::cudaDeviceSynchronize(), "the reverse launch of a kernel has failed");
    shadows_of_variables.reset();
    ::cudaMemcpy(host_sums, sums, sizeof host_sums, cudaMemcpyDeviceToHost);
    ::cudaFree(sums);
    std::apply([&](auto &...shadow) { (LentAdjoint<ValueOf<decltype(x)>>::take_back(x, lane, shadow), ...); }, shadows);
    unsigned index = 0;
    const auto add = [&](auto &argument) {
      if constexpr (std::is_floating_point_v<ValueOf<decltype(argument)>>)
        argument.shadow(lane) += host_sums[index];
      ++index;
    };
    (add(x), ...);
  }
};

} // namespace assay::rules::gpu
