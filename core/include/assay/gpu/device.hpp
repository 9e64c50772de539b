#pragma once
// Derivatives inside CUDA code: autodiff_deferred in `__device__` and `__global__` functions.
//
//   __device__ void body(const float *x, float *y, int n);
//   __global__ void gradient(const float *x, float *dx, float *y, float *dy, int n) {
//     assay::autodiff_deferred<assay::Reverse>(body, assay::Duplicated{x, dx}, assay::Duplicated{y, dy},
//                                              assay::Const{n});
//   }
//
// Each thread differentiates its own call; where the function waits at barriers or uses shared memory, all threads of
// the block make the call. Arguments are numbers, pointers, and plain objects (which are passed by reference); what the
// function is given is a function, a function object or a lambda with `__device__`. Modes, annotations and results are
// those of autodiff.hpp.

#ifndef __CUDA__
#error "assay/gpu/device.hpp is for CUDA code: compile it with clang++ -x cuda"
#endif

#include "assay/activity.hpp"
#include "assay/detail/gpu/operands.hpp"
#include "assay/modes.hpp"
#include "assay/results.hpp"
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#define ASSAY_DEVICE __attribute__((device))
#define ASSAY_DEVICE_INLINE __attribute__((device, always_inline)) inline

namespace assay::detail::gpu {

// ---- the function

template <class A>
ASSAY_DEVICE_INLINE value_of<A> &restore(wire_of<A> &wire) {
  if constexpr (by_value<A>)
    return wire;
  else
    return *wire;
}

/// std::declval, which is a host function.
template <class T>
__attribute__((host, device)) T made();
template <class F, class... A>
using result_of = decltype(made<F &>()(made<value_of<A> &>()...));

/// A function of the arguments, which calls the callable.
template <class F, class... A>
struct Trampoline {
  ASSAY_DEVICE static result_of<F, A...> object(F *function, wire_of<A>... arguments) {
    return (*function)(restore<A>(arguments)...);
  }
  ASSAY_DEVICE static result_of<F, A...> pointer(F function, wire_of<A>... arguments) {
    return function(restore<A>(arguments)...);
  }
};

template <class Declared, class Passed>
inline constexpr bool fits =
    std::is_same_v<Declared, Passed> || (std::is_pointer_v<Declared> && std::is_pointer_v<Passed>);
/// The function takes just the arguments, so it needs no trampoline.
template <class F, class... A>
inline constexpr bool is_direct = false;
template <class R, class... D, class... A>
  requires(sizeof...(D) == sizeof...(A))
inline constexpr bool is_direct<R (*)(D...), A...> =
    (by_value<A> && ...) && (fits<std::remove_cv_t<D>, wire_of<A>> && ...);

// ---- results

template <class... T>
struct Returned;
template <>
struct Returned<> {
  using type = void;
};
template <class T>
struct Returned<T> {
  using type = T;
  template <unsigned>
  ASSAY_DEVICE_INLINE static T get(const T &value) {
    return value;
  }
};
template <class T, class U>
struct Returned<T, U> {
  struct type {
    T first;
    U second;
  };
  template <unsigned Index>
  ASSAY_DEVICE_INLINE static auto get(const type &value) {
    if constexpr (Index == 0)
      return value.first;
    else
      return value.second;
  }
};
template <class T, class U, class V, class... Rest>
struct Returned<T, U, V, Rest...> {
  static_assert(std::is_same_v<T, U> && std::is_same_v<U, V> && (std::is_same_v<T, Rest> && ...),
                "assay: three and more derivatives that a device call returns have one type");
  struct type {
    T values[3 + sizeof...(Rest)];
  };
  template <unsigned Index>
  ASSAY_DEVICE_INLINE static T get(const type &value) {
    return value.values[Index];
  }
};

/// Of a call whose tapes are not the caller's.
struct OnHeap {};

template <class M, class Raw, bool KeepsPrimal, std::size_t... I, class T, class... A>
ASSAY_DEVICE_INLINE Raw emit(std::index_sequence<I...> /*operands*/, T *tapes, void *target, A &...arguments) {
  using List = OperandList<M, KeepsPrimal, A...>;
  if constexpr (!std::is_same_v<T, OnHeap>)
    return __enzyme_autodiff<Raw>(target, marks_tape_memory, static_cast<void *>(tapes),
                                  operand<List::list[I], List::width>(arguments...)...);
  else if constexpr (M::direction == Direction::forward)
    return __enzyme_fwddiff<Raw>(target, operand<List::list[I], List::width>(arguments...)...);
  else
    return __enzyme_autodiff<Raw>(target, operand<List::list[I], List::width>(arguments...)...);
}

/// The same with the callable before the arguments.
template <class M, class Raw, bool KeepsPrimal, std::size_t... I, class T, class F, class... A>
ASSAY_DEVICE_INLINE Raw emit_with(std::index_sequence<I...> /*operands*/, T *tapes, void *target, F function,
                                  A &...arguments) {
  using List = OperandList<M, KeepsPrimal, A...>;
  if constexpr (!std::is_same_v<T, OnHeap>)
    return __enzyme_autodiff<Raw>(target, marks_tape_memory, static_cast<void *>(tapes), marks_constant,
                                  erased(function), operand<List::list[I], List::width>(arguments...)...);
  else if constexpr (M::direction == Direction::forward)
    return __enzyme_fwddiff<Raw>(target, marks_constant, erased(function),
                                 operand<List::list[I], List::width>(arguments...)...);
  else
    return __enzyme_autodiff<Raw>(target, marks_constant, erased(function),
                                  operand<List::list[I], List::width>(arguments...)...);
}

template <class M, class Raw, bool KeepsPrimal, class T, class F, class... A>
ASSAY_DEVICE_INLINE Raw call(T *tapes, F &function, A &...arguments) {
  using Indices = std::make_index_sequence<OperandList<M, KeepsPrimal, A...>::size()>;
  using Decayed = std::decay_t<F>;
  if constexpr (is_direct<Decayed, A...>) {
    Decayed pointer = function;
    return emit<M, Raw, KeepsPrimal>(Indices(), tapes, reinterpret_cast<void *>(pointer), arguments...);
  } else if constexpr (std::is_pointer_v<Decayed>) {
    Decayed pointer = function;
    return emit_with<M, Raw, KeepsPrimal>(
        Indices(), tapes, reinterpret_cast<void *>(&Trampoline<Decayed, A...>::pointer), pointer, arguments...);
  } else {
    return emit_with<M, Raw, KeepsPrimal>(Indices(), tapes, reinterpret_cast<void *>(&Trampoline<F, A...>::object),
                                          address(function), arguments...);
  }
}

template <class A>
inline constexpr bool is_active = kind_of<A> == AnnotationKind::active;

/// The entry of argument `Index` among the adjoints: the adjoint of an Active one stands behind those before it.
template <class Types, unsigned First, unsigned Index, class Raw, class... A>
ASSAY_DEVICE_INLINE auto adjoint(const Raw &raw) {
  constexpr bool active[] = {is_active<A>..., false};
  constexpr unsigned before = [] {
    unsigned count = 0;
    for (unsigned index = 0; index < Index; ++index)
      count += std::array{is_active<A>..., false}[index];
    return count;
  }();
  if constexpr (active[Index])
    return Types::template get<First + before>(raw);
  else
    return None{};
}

/// The types of the adjoints that come back, behind `Done`.
template <class Done, class... A>
struct Adjoints;
template <class... Done>
struct Adjoints<Returned<Done...>> {
  using type = Returned<Done...>;
};
template <class... Done, class First, class... Rest>
struct Adjoints<Returned<Done...>, First, Rest...>
    : Adjoints<std::conditional_t<is_active<First>, Returned<Done..., value_of<First>>, Returned<Done...>>, Rest...> {};

template <class R, class Types, bool KeepsPrimal, class... A, class Raw, std::size_t... I>
ASSAY_DEVICE_INLINE auto gradients(const Raw &raw, std::index_sequence<I...> /*arguments*/) {
  if constexpr (KeepsPrimal)
    return GradientsWithPrimal<R, decltype(adjoint<Types, 1, I, Raw, A...>(raw))...>{
        {adjoint<Types, 1, I, Raw, A...>(raw)...}, Types::template get<0>(raw)};
  else
    return Gradients<decltype(adjoint<Types, 0, I, Raw, A...>(raw))...>{{adjoint<Types, 0, I, Raw, A...>(raw)...}};
}

template <class M, class T, class F, class... A>
ASSAY_DEVICE_INLINE auto reverse(T *tapes, F &function, A &...arguments) {
  using R = result_of<F, A...>;
  static_assert(width_of<A...> == 0 || !(is_active<A> || ...),
                "assay: a batched call in device code takes BatchDuplicated in place of Active");
  constexpr bool keeps = M::primal == Primal::keep && !std::is_void_v<R>;
  using Kept = std::conditional_t<keeps, R, int>;
  using Types =
      typename Adjoints<std::conditional_t<keeps, Returned<Kept>, Returned<>>, std::remove_cvref_t<A>...>::type;
  using Raw = typename Types::type;
  constexpr auto indices = std::index_sequence_for<A...>();
  if constexpr (std::is_void_v<Raw>) {
    call<M, void, keeps>(tapes, function, arguments...);
    return Gradients<std::conditional_t<true, None, A>...>{};
  } else {
    return gradients<R, Types, keeps, A...>(call<M, Raw, keeps>(tapes, function, arguments...), indices);
  }
}

template <class M, class F, class... A>
ASSAY_DEVICE_INLINE auto forward(F &function, A &...arguments) {
  using R = result_of<F, A...>;
  OnHeap *const tapes = nullptr;
  static_assert(!(is_active<A> || ...), "assay: Active is for reverse mode; in forward mode use Duplicated");
  if constexpr (!std::is_floating_point_v<R>) {
    static_assert(M::primal == Primal::omit || std::is_void_v<R>,
                  "assay: in device code a primal result that comes with a tangent is a floating-point number");
    call<M, void, false>(tapes, function, arguments...);
    return Tangent<None>{};
  } else if constexpr (width_of<A...> > 0) {
    static_assert(M::primal == Primal::omit, "assay: a batched call in device code returns tangents only");
    using Lanes = std::array<R, width_of<A...>>;
    return Tangent<Lanes>{call<M, Lanes, false>(tapes, function, arguments...)};
  } else if constexpr (M::primal == Primal::keep) {
    using Types = Returned<R, R>;
    const auto raw = call<M, typename Types::type, true>(tapes, function, arguments...);
    return TangentWithPrimal<R, R>{Types::template get<1>(raw), Types::template get<0>(raw)};
  } else {
    return Tangent<R>{call<M, R, false>(tapes, function, arguments...)};
  }
}

// ---- annotated functions

/// A callable whose first argument is the function it calls.
struct Invocation {
  template <class F, class... T>
  ASSAY_DEVICE auto operator()(F &function, T &...arguments) const -> decltype(function(arguments...)) {
    return function(arguments...);
  }
};

/// The results without the entry of the callable.
template <class First, class... Rest, std::size_t... I>
ASSAY_DEVICE_INLINE auto without_first(const std::tuple<First, Rest...> &all, std::index_sequence<I...> /*rest*/) {
  return std::tuple<Rest...>{std::get<I + 1>(all)...};
}
template <class First, class... Rest>
ASSAY_DEVICE_INLINE auto without_first(const Gradients<First, Rest...> &all) {
  return Gradients<Rest...>{without_first(all.gradient, std::index_sequence_for<Rest...>())};
}
template <class P, class First, class... Rest>
ASSAY_DEVICE_INLINE auto without_first(const GradientsWithPrimal<P, First, Rest...> &all) {
  return GradientsWithPrimal<P, Rest...>{without_first(all.gradient, std::index_sequence_for<Rest...>()), all.primal};
}

} // namespace assay::detail::gpu

namespace assay {

/// Where the tapes of a launch lie. Tapes that do not fit are taken from the device's heap. The host allocates it
/// (TapeMemory in assay/gpu/tape.hpp), and the kernel hands it on.
///
/// The values that loops keep are in words of 8 bytes. Those of 32 threads that follow one another, which are a warp's,
/// alternate: the first word of each thread, then the second of each, ... Contiguous memory is in a piece for each
/// thread.
struct Tapes {
  char *memory = nullptr;               ///< The words.
  unsigned long long bytes = 0;         ///< Of the words of each thread, a multiple of 16.
  unsigned long long *wanted = nullptr; ///< Bytes of each thread's words, and of its piece, that would have been enough
                                        ///< for all threads so far; may be null.
  char *pieces = nullptr;
  unsigned long long piece_bytes = 0; ///< Of each thread's piece, a multiple of 16.
};

/// Differentiates the call `function(arguments...)` of one thread; each argument carries its annotation, as the
/// function may (`Duplicated{f, df}`).
template <auto M, class F, class... A>
  requires(!std::is_same_v<std::remove_cvref_t<F>, Tapes>)
ASSAY_DEVICE_INLINE auto autodiff_deferred(F &&function, A &&...arguments) {
  using ModeType = std::remove_cv_t<decltype(M)>;
  static_assert((Annotation<A> && ...),
                "assay: every argument needs an annotation: Const{x}, Active{x}, Duplicated{x, dx} or BatchDuplicated");
  static_assert(ModeType::direction != Direction::split,
                "assay: in device code split derivatives are called by __enzyme_augmentfwd and __enzyme_reverse");
  detail::gpu::OnHeap *const tapes = nullptr;
  if constexpr (Annotation<F>) {
    static_assert(!detail::is_active_annotation<std::remove_cvref_t<F>>,
                  "assay: a function is annotated with Const{f} or Duplicated{f, df}");
    detail::gpu::Invocation invocation;
    if constexpr (ModeType::direction == Direction::forward)
      return detail::gpu::forward<ModeType>(invocation, function, arguments...);
    else
      return detail::gpu::without_first(detail::gpu::reverse<ModeType>(tapes, invocation, function, arguments...));
  } else if constexpr (ModeType::direction == Direction::forward) {
    return detail::gpu::forward<ModeType>(function, arguments...);
  } else {
    return detail::gpu::reverse<ModeType>(tapes, function, arguments...);
  }
}

} // namespace assay

#undef ASSAY_DEVICE
#undef ASSAY_DEVICE_INLINE
