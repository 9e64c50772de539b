/* Right where input and output are different memory; checked with one array for both, the adjoint of the output is
 * cleared too late. */
// names: wrong derivative
// names: sine_into(Duplicated x (y = x), Const n)
// names: --arg 'double[3] alias=x'
#include "adjoint_cleared_late.h"

GRADIENT(sine_into, sine_into_augmented, sine_into_reverse);
ASSAY_CHECK(sine_into, "double[3]", "double[3] alias=x", "int=3");
