#pragma once
// Tests of the derivatives of CUDA kernels, for GoogleTest.
//
//   __global__ void saxpy(const float *x, float a, float *y, int n);
//   TEST(Saxpy, Gradients) {
//     test_kernel_reverse_all(saxpy, launch(4, 64), x, 2.0f, y, 256);                  // every combination of
//     activities test_kernel_forward_all(saxpy, launch(4, 64), x, 2.0f, y, 256); test_kernel_reverse(saxpy, launch(4,
//     64), arg<Duplicated>(x), 2.0f, arg<Duplicated>(y), 256); // one combination test_kernel_reverse_all({.rtol =
//     1e-5}, each_thread<body>, launch(4, 64), x, y); // a __device__ function
//   }
//
// For a pointer give a container of the host, whose elements the test copies to the device and back; what a kernel only
// reads is a pointer to const. The other parameters are numbers and plain objects. All threads of the launch get the
// same: the adjoint of a number is the sum over the threads. Options are those of <assay/testing/options.hpp>, but for
// `bound`.
//
// The program is compiled with the plugin, as for device.hpp. Built by `assay emulate`, or as NAME.emulated by
// assay_add_cuda_test, it runs on the CPU and is also checked in wide arithmetic, for races, for accesses out of bounds
// and in other orders of its threads; built for a device it runs there.

#include <assay/detail/gpu/kernel_arguments.hpp>
#include <assay/detail/gpu/kernel_derivatives.hpp>
#include <assay/detail/gpu/kernel_runtime.hpp>
#include <assay/detail/testing/given.hpp>
#include <assay/detail/testing/variation_menu.hpp>

namespace assay {

/// How a kernel is launched: as in `<<<grid, block, shared_bytes>>>`.
struct KernelLaunch {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
};
inline KernelLaunch launch(dim3 grid, dim3 block, std::size_t shared_bytes = 0) {
  return {grid, block, shared_bytes};
}

/// A kernel whose threads all call this `__device__` function, with the arguments of the launch.
template <auto F>
inline constexpr auto each_thread = detail::gpu::kernel_calling<F>(F);

namespace detail::gpu {

/// Everything about a test of a kernel that is known at compile time.
template <class File, class Parameters, class... A>
struct KernelTest;
template <class File, class... P, class... A>
struct KernelTest<File, void (*)(P...), A...> {
  static_assert(sizeof...(P) == sizeof...(A), "assay: give one argument for each parameter of the kernel");
  template <class Menu>
  static auto derivatives(Menu menu) {
    return kernel_derivatives<File, P...>(menu);
  }
  template <testutils::Mode M>
  using All = FullMenu<M, void, KernelModel<P, typename Given<A>::type, Given<A>::differentiated>...>;
  template <testutils::Mode M, class V>
  using Variations = VariationMenu<M, V, All<M>, KernelModel<P, typename Given<A>::type, Given<A>::differentiated>...>;
  template <testutils::Mode M>
  using One = StaticCombination<M, testutils::Activity::constant, Given<A>::activity...>;

  static std::vector<testutils::KernelArgument> arguments(const std::vector<std::string> &names, const A &...given) {
    std::size_t index = 0;
    return {kernel_argument<KernelModel<P, typename Given<A>::type, Given<A>::differentiated>>(
        names, index++, Given<A>::value(given))...};
  }
};

template <class RA, class B, class V, class O, class Second>
testutils::KernelSetting kernel_setting(const TestOptions<RA, B, V, O, Second> &options, const void *kernel,
                                        const KernelLaunch &launch) {
  static_assert(std::is_same_v<B, std::tuple<>>, "assay: a kernel has no bound arguments; give all of them");
  testutils::KernelSetting setting;
  setting.name = options.name;
  setting.replay_suffix = replay_suffix();
  setting.kernel = kernel;
  setting.shape = {{launch.grid.x, launch.grid.y, launch.grid.z},
                   {launch.block.x, launch.block.y, launch.block.z},
                   launch.shared_bytes};
  setting.runtime = kernel_runtime;
  return setting;
}

template <class O>
void use_oracle(testutils::KernelSubject &subject) {
  using Choice = std::remove_cv_t<O>;
  if constexpr (std::is_same_v<Choice, WideArithmetic>)
    subject.use_wide_arithmetic();
  if constexpr (std::is_same_v<Choice, WideArithmetic> || std::is_same_v<Choice, WideReassessment>)
    subject.use_wide_derivatives();
  else
    static_assert(std::is_same_v<Choice, std::false_type>,
                  "assay: the oracle of a kernel is wide_arithmetic, wide_reassessment or off");
}

/// Checks the combinations of `check` with the code of Plain, in the usual form, and of Further.
template <class T, class Plain, class Further, class RA, class B, class V, class O, class Second, class... A>
testutils::Report check_kernel(const TestOptions<RA, B, V, O, Second> &options, testutils::CheckOptions check,
                               const void *kernel, const KernelLaunch &launch, const A &...arguments) {
  using Usual = typename WholeMenuIn<usual_form<RA>, Plain>::type;
  testutils::KernelSetting setting = kernel_setting(options, kernel, launch);
  setting.arguments = T::arguments(options.names, arguments...);
  setting.derivatives = T::derivatives(typename JoinMenus<Usual, Further>::type{});
  testutils::KernelSubject subject(std::move(setting));
  use_oracle<O>(subject);
  check.points = {subject.given()};
  check.further = combinations_in(Further{});
  return testutils::check_gradients(subject, check);
}

template <class File, testutils::Mode M, class RA, class B, class V, class O, class Second, class... P, class... A>
testutils::Report check_kernel_all(const TestOptions<RA, B, V, O, Second> &options, void (*kernel)(P...),
                                   const KernelLaunch &launch, const A &...arguments) {
  using T = KernelTest<File, void (*)(P...), A...>;
  testutils::CheckOptions check = check_options(options);
  check.modes = {M};
  return check_kernel<T, typename WithForward<typename T::template All<M>>::type,
                      typename T::template Variations<M, V>>(options, check, reinterpret_cast<const void *>(kernel),
                                                             launch, arguments...);
}

template <class File, testutils::Mode M, class RA, class B, class V, class O, class Second, class... P, class... A>
testutils::Report check_kernel_once(const TestOptions<RA, B, V, O, Second> &options, void (*kernel)(P...),
                                    const KernelLaunch &launch, const A &...arguments) {
  using T = KernelTest<File, void (*)(P...), A...>;
  using C = typename T::template One<M>;
  using Choice = std::conditional_t<varies_each<std::remove_cv_t<V>>, V, std::false_type>;
  using Further = typename Varied<M, std::remove_cv_t<Choice>, Menu<C>>::type;
  testutils::CheckOptions check = check_options(options);
  check.combinations = combinations_in(typename WholeMenuIn<usual_form<RA>, Menu<C>>::type{});
  return check_kernel<T, typename WithForward<Menu<C>>::type, Further>(
      options, check, reinterpret_cast<const void *>(kernel), launch, arguments...);
}

template <class File, testutils::Mode M>
inline constexpr auto run_kernel_all =
    [](const auto &options, const auto &...call) { return check_kernel_all<File, M>(options, call...); };
template <class File, testutils::Mode M>
inline constexpr auto run_kernel_once =
    [](const auto &options, const auto &...call) { return check_kernel_once<File, M>(options, call...); };

/// Options may stand first or nowhere.
template <class Run, class First, class... Rest>
testutils::Report with_kernel_options(const Run &run, const First &first, const Rest &...rest) {
  if constexpr (is_test_options<First>)
    return run(first, rest...);
  else
    return run(TestOptions<>{}, first, rest...);
}

} // namespace detail::gpu

// ---- Checks that return their records ----

template <class... A>
static testutils::Report check_kernel_forward(const A &...call) {
  return detail::gpu::with_kernel_options(detail::gpu::run_kernel_once<detail::ThisFile, testutils::Mode::forward>,
                                          call...);
}
template <class... A>
static testutils::Report check_kernel_forward(const TestOptions<> &options, const A &...call) {
  return detail::gpu::run_kernel_once<detail::ThisFile, testutils::Mode::forward>(options, call...);
}
template <class... A>
static testutils::Report check_kernel_reverse(const A &...call) {
  return detail::gpu::with_kernel_options(detail::gpu::run_kernel_once<detail::ThisFile, testutils::Mode::reverse>,
                                          call...);
}
template <class... A>
static testutils::Report check_kernel_reverse(const TestOptions<> &options, const A &...call) {
  return detail::gpu::run_kernel_once<detail::ThisFile, testutils::Mode::reverse>(options, call...);
}
template <class... A>
static testutils::Report check_kernel_forward_all(const A &...call) {
  return detail::gpu::with_kernel_options(detail::gpu::run_kernel_all<detail::ThisFile, testutils::Mode::forward>,
                                          call...);
}
template <class... A>
static testutils::Report check_kernel_forward_all(const TestOptions<> &options, const A &...call) {
  return detail::gpu::run_kernel_all<detail::ThisFile, testutils::Mode::forward>(options, call...);
}
template <class... A>
static testutils::Report check_kernel_reverse_all(const A &...call) {
  return detail::gpu::with_kernel_options(detail::gpu::run_kernel_all<detail::ThisFile, testutils::Mode::reverse>,
                                          call...);
}
template <class... A>
static testutils::Report check_kernel_reverse_all(const TestOptions<> &options, const A &...call) {
  return detail::gpu::run_kernel_all<detail::ThisFile, testutils::Mode::reverse>(options, call...);
}

// ---- Checks that fail the running test ----

template <class... A>
static void test_kernel_forward(const A &...call) {
  detail::tell_googletest(check_kernel_forward(call...));
}
template <class... A>
static void test_kernel_forward(const TestOptions<> &options, const A &...call) {
  detail::tell_googletest(check_kernel_forward(options, call...));
}
template <class... A>
static void test_kernel_reverse(const A &...call) {
  detail::tell_googletest(check_kernel_reverse(call...));
}
template <class... A>
static void test_kernel_reverse(const TestOptions<> &options, const A &...call) {
  detail::tell_googletest(check_kernel_reverse(options, call...));
}
template <class... A>
static void test_kernel_forward_all(const A &...call) {
  detail::tell_googletest(check_kernel_forward_all(call...));
}
template <class... A>
static void test_kernel_forward_all(const TestOptions<> &options, const A &...call) {
  detail::tell_googletest(check_kernel_forward_all(options, call...));
}
template <class... A>
static void test_kernel_reverse_all(const A &...call) {
  detail::tell_googletest(check_kernel_reverse_all(call...));
}
template <class... A>
static void test_kernel_reverse_all(const TestOptions<> &options, const A &...call) {
  detail::tell_googletest(check_kernel_reverse_all(options, call...));
}

} // namespace assay
