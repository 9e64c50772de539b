// A kernel and its gradient with respect to everything that has one, as a user would write it: the code of the kernel
// is a __device__ function, and a kernel of its own calls the derivative. -DKERNEL_FILE='"saxpy.cu"' -DKERNEL=saxpy
// says which one, -DWITH_TAPES that the host allocates the memory of its tapes; ./count compiles it.

#include <assay/gpu.hpp>
#include <assay/gpu/tape.hpp>
#pragma push_macro("__global__")
#undef __global__
#define __global__ __device__
#include KERNEL_FILE
#pragma pop_macro("__global__")

/// Pointers to numbers have shadows, adjoints of numbers are summed up in memory, and the rest is constant.
template <class T>
struct Parameter {
  using Target = std::remove_cv_t<std::remove_pointer_t<T>>;
  static constexpr bool is_number = std::is_floating_point_v<T>;
  static constexpr bool is_duplicated = std::is_pointer_v<T> && !std::is_integral_v<Target>;
  using Shadow = std::conditional_t<is_number, T *, std::conditional_t<is_duplicated, Target *, char>>;

  __device__ static auto annotate(T &value, Shadow &shadow) {
    if constexpr (is_number)
      return assay::Active{value};
    else if constexpr (is_duplicated)
      return assay::Duplicated{value, shadow};
    else
      return assay::Const{value};
  }
};

template <auto Body, class Signature>
struct Counted;
template <auto Body, class... T>
struct Counted<Body, void (*)(T...)> {
  static __global__ void primal(T... values) { Body(values...); }
#ifndef WITH_TAPES
  static __global__ void gradient(T... values, typename Parameter<T>::Shadow... shadows) {
    const auto result = assay::autodiff_deferred<assay::Reverse>(Body, Parameter<T>::annotate(values, shadows)...);
    add(result.gradient, std::index_sequence_for<T...>(), shadows...);
  }
#else
  static __global__ void gradient(T... values, typename Parameter<T>::Shadow... shadows, assay::Tapes tapes) {
    const auto result =
        assay::autodiff_deferred<assay::Reverse>(tapes, Body, Parameter<T>::annotate(values, shadows)...);
    add(result.gradient, std::index_sequence_for<T...>(), shadows...);
  }
#endif

private:
  template <class Gradient, std::size_t... I>
  static __device__ void add(const Gradient &gradient, std::index_sequence<I...> /*parameters*/,
                             typename Parameter<T>::Shadow... shadows) {
    (add_one<I, Parameter<T>::is_number>(gradient, shadows), ...);
  }
  template <std::size_t I, bool IsNumber, class Gradient, class Shadow>
  static __device__ void add_one(const Gradient &gradient, Shadow shadow) {
    if constexpr (IsNumber)
      atomicAdd(shadow, get<I>(gradient));
  }
};

template struct Counted<&KERNEL, decltype(&KERNEL)>;
