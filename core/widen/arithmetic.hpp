#pragma once
// The functions that widened code calls for arithmetic; see run.hpp for their results. `delta` is the movement of the
// number before it, `site` says where in the program this is.

#include "core/widen/wide_number.hpp"

extern "C" {

using assay::widen::Wide;

Wide assay_wide_add(Wide left, Wide right);
Wide assay_wide_subtract(Wide left, Wide right);
Wide assay_wide_multiply_double(double left, Wide left_delta, double right, Wide right_delta);
Wide assay_wide_multiply_wide(Wide left, Wide left_delta, Wide right, Wide right_delta);
Wide assay_wide_divide_double(double left, Wide left_delta, double right, Wide right_delta);
Wide assay_wide_divide_wide(Wide left, Wide left_delta, Wide right, Wide right_delta);

/// `function` is a position of functions.hpp.
Wide assay_wide_unary_double(unsigned function, double value, Wide delta, const char *site);
Wide assay_wide_unary_wide(unsigned function, Wide value, Wide delta, const char *site);
Wide assay_wide_binary_double(unsigned function, double left, Wide left_delta, double right, Wide right_delta,
                              const char *site);
Wide assay_wide_binary_wide(unsigned function, Wide left, Wide left_delta, Wide right, Wide right_delta,
                            const char *site);
Wide assay_wide_power_of_integer(Wide value, Wide delta, int exponent);
Wide assay_wide_bessel(int second_kind, int order, Wide value, Wide delta);
/// One part (0: real, 1: imaginary) of (a + bi) / (c + di).
Wide assay_wide_divide_complex(unsigned part, Wide a, Wide a_delta, Wide b, Wide b_delta, Wide c, Wide c_delta, Wide d,
                               Wide d_delta);
/// One part of a function of a + bi.
Wide assay_wide_complex(unsigned function, unsigned part, Wide a, Wide a_delta, Wide b, Wide b_delta);
/// delta * 2^exponent
Wide assay_wide_scale(Wide delta, int exponent);

/// The decision is the program's; a crossing is noted where the moved numbers would decide otherwise.
void assay_wide_compare_double(double left, Wide left_delta, double right, Wide right_delta, const char *site);
void assay_wide_compare_wide(Wide left, Wide left_delta, Wide right, Wide right_delta, const char *site);
void assay_wide_to_integer(Wide value, Wide delta, const char *site);
}
