#pragma once

#include <assay/testing/check.hpp>

namespace assay::testutils {

/// A point with numbers that are somewhat larger or smaller than 1, for derivatives without registered rules.
Arguments fair_magnitude_inputs(const Signature &signature, const CheckOptions &options, unsigned sample);

/// One with numbers at the ends of that.
Arguments uneven_magnitude_inputs(const Signature &signature, const CheckOptions &options, unsigned sample);

/// A point of which squares overflow or underflow, for derivatives with registered rules.
Arguments far_magnitude_inputs(const Signature &signature, const CheckOptions &options, unsigned sample);

/// Whether a number is as large or as small as those of such a point.
bool has_far_magnitudes(const Signature &signature, const Arguments &inputs);

} // namespace assay::testutils
