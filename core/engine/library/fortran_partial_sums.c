// Sums and products along one dimension.
#include "core/engine/library/fortran_partial.h"

PARTIAL(sum_along, _FortranASumDim, 0, 0, value += number)
PARTIAL(product_along, _FortranAProductDim, 1, 1, value *= number)
