// Error, gamma and Bessel functions.
#include "scalar/scalar_case.hpp"
#include <cmath>

SCALAR_UNARY(erf)
SCALAR_UNARY(erfc)
SCALAR_UNARY(lgamma)
SCALAR_UNARY(tgamma)
SCALAR_UNARY(j0)
SCALAR_UNARY(j1)
SCALAR_UNARY(y0)
SCALAR_UNARY(y1)
SCALAR_OF_ORDER(jn)
SCALAR_OF_ORDER(yn)
