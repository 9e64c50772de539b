#pragma once
// Derivatives of kernels as kernels: one for each combination of activities. A test names the kernel when it runs; the
// plugin writes the derivatives of all kernels of the file that have the parameters, and each call says which.

#include <assay/detail/testing/menu.hpp>
#include <assay/testing/kernel_subject.hpp>

#include <array>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::detail::gpu {

// NOLINTBEGIN(bugprone-reserved-identifier): the plugin recognises these names.
/// Of the type of the kernels; nothing calls it.
template <class... P>
__attribute__((device)) void __assay_tested_kernel(P... /*parameters*/) {}
/// The call that the plugin replaces. Two bits for each of the activities.
extern "C" __attribute__((device)) void __assay_kernel_derivative(unsigned long long kernel, void **slots, void *type,
                                                                  int mode, int width, int split, int runtime_activity,
                                                                  unsigned long long activities, int parameters);
// NOLINTEND(bugprone-reserved-identifier)

inline constexpr std::size_t most_kernel_parameters = 32;

template <class C>
consteval unsigned long long activities_in() {
  unsigned long long bits = 0;
  for (std::size_t index = 0; index < C::arguments.size(); ++index)
    bits |= static_cast<unsigned long long>(C::arguments[index]) << (2 * index);
  return bits;
}

/// File belongs to one translation unit, as the kernels do.
template <class File, class C, class... P>
__attribute__((global)) void kernel_derivative(unsigned long long kernel, void **slots) {
  static_assert(sizeof...(P) <= most_kernel_parameters, "assay: a tested kernel has at most 32 parameters");
  __assay_kernel_derivative(kernel, slots, reinterpret_cast<void *>(&__assay_tested_kernel<P...>),
                            static_cast<int>(C::mode), static_cast<int>(C::form.width), C::form.split,
                            C::form.runtime_activity, activities_in<C>(), static_cast<int>(sizeof...(P)));
}

/// Of every combination of a menu, for kernels with the parameters P.
template <class File, class... P, class... C>
std::vector<testutils::KernelDerivative> kernel_derivatives(Menu<C...> menu) {
  const std::array<const void *, sizeof...(C)> kernels{
      reinterpret_cast<const void *>(&kernel_derivative<File, C, P...>)...};
  std::vector<testutils::KernelDerivative> derivatives;
  for (const testutils::Combination &combination : combinations_in(menu))
    derivatives.push_back({combination, kernels[derivatives.size()]});
  return derivatives;
}

/// Calls a function in each thread of a launch.
template <auto F, class... P>
__attribute__((global)) void call_in_each_thread(P... parameters) {
  F(parameters...);
}
template <auto F, class... P>
constexpr auto kernel_calling(void (* /*function*/)(P...)) {
  return &call_in_each_thread<F, P...>;
}

} // namespace assay::detail::gpu
