#pragma once

namespace assay::gen::detail {

/// The standard normal's quantile of p in (0, 1).
double inverse_normal(double p);

} // namespace assay::gen::detail
