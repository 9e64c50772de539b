#pragma once
// Wide versions of functions that only the library of a device has (libdevice).

#include "core/widen/wide_number.hpp"

namespace assay::widen {

Wide reciprocal_root(Wide number);
Wide reciprocal_cube_root(Wide number);
Wide reciprocal_length(Wide x, Wide y);

Wide sine_of_half_turns(Wide number);   ///< sin(pi x)
Wide cosine_of_half_turns(Wide number); ///< cos(pi x)

Wide normal_distribution(Wide number);
Wide inverse_normal_distribution(Wide number);
Wide inverse_erf(Wide number);
Wide inverse_erfc(Wide number);
Wide scaled_erfc(Wide number); ///< exp(x x) erfc(x)

Wide modified_bessel_0(Wide number); ///< I0
Wide modified_bessel_1(Wide number); ///< I1

} // namespace assay::widen
