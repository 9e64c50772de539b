#pragma once
// Derivatives of CUDA kernels (assay/gpu/device.hpp) and, in programs that include GoogleTest before, tests of them
// (assay/gpu/testing.hpp).

#include "assay/gpu/device.hpp"

#ifdef GOOGLETEST_INCLUDE_GTEST_GTEST_H_
#include "assay/gpu/testing.hpp"
#else
namespace assay {
template <class...>
inline constexpr bool is_googletest_included = false;
#define ASSAY_NEEDS_GOOGLETEST(name)                                                                                   \
  template <class... A>                                                                                                \
  void name(const A &...) {                                                                                            \
    static_assert(is_googletest_included<A...>, "assay: include <gtest/gtest.h> before <assay/gpu.hpp>");              \
  }
ASSAY_NEEDS_GOOGLETEST(test_kernel_forward)
ASSAY_NEEDS_GOOGLETEST(test_kernel_reverse)
ASSAY_NEEDS_GOOGLETEST(test_kernel_forward_all)
ASSAY_NEEDS_GOOGLETEST(test_kernel_reverse_all)
#undef ASSAY_NEEDS_GOOGLETEST
} // namespace assay
#endif
