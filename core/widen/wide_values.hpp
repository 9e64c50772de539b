#pragma once
// The functions that code widened with corrections calls for arithmetic. With v a number of the program and c its
// correction, v + c is the number as wide arithmetic has it from the inputs on. Where v is not finite, c is the wide
// number itself; 0 says that it is v. Decisions (the side of a comparison, which number is the minimum, the sign of an
// absolute value, to which integer is rounded) are those of the program's own values.

#include "core/widen/wide_number.hpp"

extern "C" {

using assay::widen::Wide;

/// v + c, and back.
Wide assay_wide_corrected(Wide value, Wide correction);
Wide assay_wide_correction(Wide corrected, Wide value);

/// The correction of `result`, left + right in the program. `site` is noted where digits cancel.
Wide assay_wide_add_numbers(Wide left, Wide left_correction, Wide right, Wide right_correction, Wide result,
                            const char *site);
Wide assay_wide_subtract_numbers(Wide left, Wide left_correction, Wide right, Wide right_correction, Wide result,
                                 const char *site);

// All others give v + c of the result.
Wide assay_wide_multiply_corrected(Wide left, Wide right);
Wide assay_wide_divide_corrected(Wide left, Wide right);
/// `function` is a position of functions.hpp.
Wide assay_wide_unary_corrected(unsigned function, Wide value, Wide correction);
Wide assay_wide_binary_corrected(unsigned function, Wide left, Wide left_correction, Wide right, Wide right_correction);
Wide assay_wide_power_of_integer_corrected(Wide value, Wide correction, int exponent);
Wide assay_wide_bessel_corrected(int second_kind, int order, Wide value, Wide correction);
/// One part (0: real, 1: imaginary).
Wide assay_wide_divide_complex_corrected(unsigned part, Wide a, Wide a_correction, Wide b, Wide b_correction, Wide c,
                                         Wide c_correction, Wide d, Wide d_correction);
Wide assay_wide_complex_corrected(unsigned function, unsigned part, Wide a, Wide a_correction, Wide b,
                                  Wide b_correction);
}
