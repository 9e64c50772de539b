#include <assay/fdm/detail/at_step.hpp>
#include <assay/fdm/detail/differentiate.hpp>

namespace assay::fdm::detail {

#define ASSAY_FDM_COMPILED(T)                                                                                          \
  template void differentiate_curve(const FiniteDifferenceMethod &, Curve<T>, const Place<T> &,                        \
                                    std::span<Estimate<T>>);                                                           \
  template void differentiate_at_step(const FiniteDifferenceMethod &, Curve<T>, const Place<T> &, const T &,           \
                                      std::span<Estimate<T>>);
ASSAY_FDM_COMPILED(float)
ASSAY_FDM_COMPILED(double)
ASSAY_FDM_COMPILED(long double)
#undef ASSAY_FDM_COMPILED

} // namespace assay::fdm::detail
