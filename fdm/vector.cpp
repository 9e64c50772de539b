#include <assay/fdm/detail/lines.hpp>

namespace assay::fdm {

#define ASSAY_FDM_INSTANTIATE(T)                                                                                       \
  template Reach line_reach(std::span<const T>, std::span<const T>, std::span<const Domain>);                          \
  template Estimates<T> jvp<T>(const FiniteDifferenceMethod &, VectorFunction<T>, std::span<const T>,                  \
                               std::span<const T>, std::size_t, std::span<const Domain>);                              \
  template Estimate<T> directional<T>(const FiniteDifferenceMethod &, ScalarFunction<T>, std::span<const T>,           \
                                      std::span<const T>, std::span<const Domain>);                                    \
  template Estimates<T> grad<T>(const FiniteDifferenceMethod &, ScalarFunction<T>, std::span<const T>,                 \
                                std::span<const Domain>);                                                              \
  template Jacobian<T> jacobian<T>(const FiniteDifferenceMethod &, VectorFunction<T>, std::span<const T>, std::size_t, \
                                   std::span<const Domain>);                                                           \
  template Estimates<T> j_transpose_vp<T>(const FiniteDifferenceMethod &, VectorFunction<T>, std::span<const T>,       \
                                          std::span<const T>, std::span<const Domain>);
ASSAY_FDM_INSTANTIATE(float)
ASSAY_FDM_INSTANTIATE(double)
ASSAY_FDM_INSTANTIATE(long double)
#undef ASSAY_FDM_INSTANTIATE

} // namespace assay::fdm
