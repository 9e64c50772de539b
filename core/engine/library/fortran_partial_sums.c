// Sums and products along one dimension.
#include "core/engine/library/fortran_partial.h"

PARTIAL(sum_along, _FortranASumDim, FloatSum, Sum, {0}, {0}, add(&value, number), value.value)
PARTIAL(product_along, _FortranAProductDim, double, double, 1, 1, value *= number, value)
