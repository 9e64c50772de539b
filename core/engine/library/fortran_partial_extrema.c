// Extrema along one dimension.
#include "core/engine/library/fortran_partial.h"

PARTIAL(maxval_along, _FortranAMaxvalDim, double, double, -__FLT_MAX__, -__DBL_MAX__,
        if (!(number <= value)) value = number, value)
PARTIAL(minval_along, _FortranAMinvalDim, double, double, __FLT_MAX__, __DBL_MAX__,
        if (!(number >= value)) value = number, value)
