#include <assay/fdm/detail/richardson.hpp>

namespace assay::fdm::detail {

template Estimate<float> extrapolate_curve(const FiniteDifferenceMethod &, Curve<float>, const Place<float> &,
                                           const ExtrapolationOptions &);
template Estimate<double> extrapolate_curve(const FiniteDifferenceMethod &, Curve<double>, const Place<double> &,
                                            const ExtrapolationOptions &);
template Estimate<long double> extrapolate_curve(const FiniteDifferenceMethod &, Curve<long double>,
                                                 const Place<long double> &, const ExtrapolationOptions &);

} // namespace assay::fdm::detail
