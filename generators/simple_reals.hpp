// The order "simpler" of real numbers: fewer decimals, then smaller, then positive.
#pragma once

#include <vector>

namespace assay::gen::detail {

/// Numbers in [lower, upper] that are simpler than `value`, the simplest first. Following them ends, as each is
/// strictly simpler.
template <class T>
std::vector<T> simpler_reals(T value, T lower, T upper);

extern template std::vector<float> simpler_reals(float, float, float);
extern template std::vector<double> simpler_reals(double, double, double);
extern template std::vector<long double> simpler_reals(long double, long double, long double);

} // namespace assay::gen::detail
