#pragma once
// A kernel and its gradient with respect to everything that has one, at sizes of real use: how long each takes, and
// whether the gradient agrees with a central difference along one direction.
//
// The code of the kernel is a __device__ function; a kernel of its own runs it, and another one its gradient, with
// tapes in memory of the host's choice.

#include <assay/gpu.hpp>
#include <assay/gpu/tape.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::bench {

inline void expect_success(cudaError_t status, const char *action) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", action, cudaGetErrorString(status));
  std::exit(2);
}

// ---- What a direction does ----

/// In (-1, 1), another one for each element of each argument.
__device__ inline double direction(unsigned long long element, unsigned argument) {
  unsigned long long bits = (element + 1) * 0x9E3779B97F4A7C15ull + argument * 0xD1B54A32D192ED03ull;
  bits = (bits ^ (bits >> 31)) * 0xBF58476D1CE4E5B9ull;
  return static_cast<double>((bits ^ (bits >> 29)) >> 11) * 0x1p-52 - 1;
}

template <class T>
__global__ void move(T *to, const T *from, double step, unsigned argument, unsigned long long count) {
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    to[i] = from[i] + step * direction(i, argument);
}

template <class T>
__global__ void project(const T *numbers, unsigned argument, unsigned long long count, double *sum, double *size) {
  double of_thread = 0, size_of_thread = 0;
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const double term = numbers[i] * direction(i, argument);
    of_thread += term;
    size_of_thread += fabs(term);
  }
  atomicAdd(sum, of_thread);
  atomicAdd(size, size_of_thread);
}

/// A sum and the sum of the magnitudes of its terms.
struct Projection {
  double sum = 0, size = 0;
};

/// Memory of the device with the kernel's numbers, what they were at first, and their shadow.
template <class T>
class Buffer {
public:
  explicit Buffer(const std::vector<T> &numbers) : count_(numbers.size()) {
    for (T **memory : {&values_, &given_, &shadow_})
      expect_success(cudaMalloc(reinterpret_cast<void **>(memory), bytes()), "allocating");
    expect_success(cudaMemcpy(given_, numbers.data(), bytes(), cudaMemcpyHostToDevice), "copying");
    restore();
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() {
    for (T *memory : {values_, given_, shadow_})
      cudaFree(memory);
  }

  T *values() const { return values_; }
  T *shadow() const { return shadow_; }
  static constexpr bool is_active = std::is_floating_point_v<T>;

  void restore() { expect_success(cudaMemcpy(values_, given_, bytes(), cudaMemcpyDeviceToDevice), "copying"); }
  void move_by(double step, unsigned argument) {
    if constexpr (is_active)
      move<<<1024, 256>>>(values_, given_, step, argument, count_);
  }
  /// The weights of what the kernel leaves here.
  void seed(unsigned argument) {
    expect_success(cudaMemset(shadow_, 0, bytes()), "clearing");
    if constexpr (is_active)
      move<<<1024, 256>>>(shadow_, shadow_, 1, argument + 100, count_);
  }
  Projection values_along(unsigned argument) const { return project_along(values_, argument + 100); }
  Projection shadow_along(unsigned argument) const { return project_along(shadow_, argument); }

private:
  std::size_t bytes() const { return count_ * sizeof(T); }
  Projection project_along(const T *numbers, unsigned argument) const {
    Projection result;
    if constexpr (is_active) {
      double *sums;
      expect_success(cudaMalloc(reinterpret_cast<void **>(&sums), sizeof result), "allocating");
      expect_success(cudaMemset(sums, 0, sizeof result), "clearing");
      project<<<1024, 256>>>(numbers, argument, count_, sums, sums + 1);
      expect_success(cudaMemcpy(&result, sums, sizeof result, cudaMemcpyDeviceToHost), "copying");
      cudaFree(sums);
    }
    return result;
  }

  std::size_t count_;
  T *values_ = nullptr, *given_ = nullptr, *shadow_ = nullptr;
};

// ---- Kernel and gradient ----

/// Pointers to numbers have shadows, adjoints of numbers are not asked for, and the rest is constant.
template <class T>
struct Parameter {
  using Target = std::remove_cv_t<std::remove_pointer_t<T>>;
  static constexpr bool is_pointer = std::is_pointer_v<T>;
  static constexpr bool is_active = is_pointer && std::is_floating_point_v<Target>;
  using Shadow = std::conditional_t<is_active, Target *, char>;

  __device__ static auto annotate(T &value, Shadow &shadow) {
    if constexpr (is_active)
      return assay::Duplicated{value, shadow};
    else
      return assay::Const{value};
  }
};

/// What the host keeps of an argument: a buffer for a pointer, else the number.
template <class T, bool IsPointer = Parameter<T>::is_pointer>
struct Held {
  using Number = typename Parameter<T>::Target;
  explicit Held(const std::vector<Number> &numbers) : buffer(numbers) {}
  Buffer<Number> buffer;
  T value() const { return buffer.values(); }
  typename Parameter<T>::Shadow shadow() const {
    if constexpr (Parameter<T>::is_active)
      return buffer.shadow();
    else
      return {};
  }
};
template <class T>
struct Held<T, false> {
  explicit Held(T given) : number(given) {}
  T number;
  T value() const { return number; }
  char shadow() const { return {}; }
};

template <auto Body, class... T>
__global__ void run_kernel(T... values) {
  Body(values...);
}
template <auto Body, class... T>
__global__ void run_gradient(T... values, typename Parameter<T>::Shadow... shadows, assay::Tapes tapes) {
  assay::autodiff_deferred<assay::Reverse>(tapes, Body, Parameter<T>::annotate(values, shadows)...);
}

/// The median of launches, in seconds.
template <class Launch>
double seconds_of(Launch launch) {
  constexpr int repetitions = 15;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<double> seconds;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    expect_success(cudaEventSynchronize(end), "running");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    seconds.push_back(milliseconds / 1e3);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[repetitions / 2];
}

/// How a kernel is launched, and the step of the difference.
struct Launch {
  dim3 grid, block;
  std::size_t tape_bytes = 0; ///< Of a thread, at least: more is on the device's heap in the first launch.
  double step = 1e-6;
};

template <auto Body, class Signature>
class TimedKernel;
template <auto Body, class... T>
class TimedKernel<Body, void (*)(T...)> {
public:
  template <class... A>
  TimedKernel(const Launch &launch, const A &...arguments) : launch_(launch), held_(arguments...) {}

  /// A row of the table; whether the gradient is right.
  bool report(const char *name, const char *kind) {
    const double difference = (output_after(launch_.step).sum - output_after(-launch_.step).sum) / (2 * launch_.step);
    const Projection gradient = gradient_along();
    const double error = std::abs(gradient.sum - difference);
    // Terms of random signs: the sum is of the size of a few, and so is what kinks and rounding leave in the
    // difference.
    const bool is_right = error <= 1e-3 * std::abs(difference) + 1e-6 * gradient.size;
    restore();
    run();
    const double kernel = seconds_of([&] { run(); });
    restore();
    const assay::Tapes tapes = memory_.reserve(launch_.grid, launch_.block, launch_.tape_bytes);
    const double derivative = seconds_of([&] { run_reverse(tapes); });
    std::printf("| `%s` | %s | %.1f | %.1f | %.2f | %zu | %s (%.1e of %.1e)\n", name, kind, kernel * 1e6,
                derivative * 1e6, derivative / kernel, memory_.wanted(), is_right ? "agrees" : "DIFFERS", error,
                std::abs(difference));
    std::fflush(stdout);
    return is_right;
  }

private:
  using Indices = std::index_sequence_for<T...>;

  void run() {
    std::apply([&](const auto &...held) { run_kernel<Body, T...><<<launch_.grid, launch_.block>>>(held.value()...); },
               held_);
    expect_success(cudaGetLastError(), "launching the kernel");
  }
  void run_reverse(const assay::Tapes &tapes) {
    std::apply(
        [&](const auto &...held) {
          run_gradient<Body, T...><<<launch_.grid, launch_.block>>>(held.value()..., held.shadow()..., tapes);
        },
        held_);
    expect_success(cudaGetLastError(), "launching the gradient");
  }
  template <class Use>
  void each_buffer(Use use) {
    each_buffer(use, Indices());
  }
  template <class Use, std::size_t... I>
  void each_buffer(Use use, std::index_sequence<I...> /*parameters*/) {
    (use_buffer<I, T>(use), ...);
  }
  template <std::size_t I, class Type, class Use>
  void use_buffer(Use use) {
    if constexpr (Parameter<Type>::is_pointer)
      use(std::get<I>(held_).buffer, static_cast<unsigned>(I));
  }

  void restore() {
    each_buffer([](auto &buffer, unsigned) { buffer.restore(); });
  }
  Projection output_after(double step) {
    each_buffer([&](auto &buffer, unsigned argument) {
      buffer.restore();
      buffer.move_by(step, argument);
    });
    run();
    return total([](const auto &buffer, unsigned argument) { return buffer.values_along(argument); });
  }
  Projection gradient_along() {
    each_buffer([&](auto &buffer, unsigned argument) {
      buffer.restore();
      buffer.seed(argument);
    });
    run_reverse(memory_.reserve(launch_.grid, launch_.block, launch_.tape_bytes));
    return total([](const auto &buffer, unsigned argument) { return buffer.shadow_along(argument); });
  }
  template <class Project>
  Projection total(Project project) {
    Projection sum;
    each_buffer([&](const auto &buffer, unsigned argument) {
      const Projection part = project(buffer, argument);
      sum.sum += part.sum;
      sum.size += part.size;
    });
    return sum;
  }

  Launch launch_;
  std::tuple<Held<T>...> held_;
  assay::TapeMemory memory_;
};

} // namespace assay::bench
