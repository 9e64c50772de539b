// Functions that are linear in pieces, away from their kinks.
#include "scalar/scalar_case.hpp"
#include <cmath>

SCALAR_UNARY(fabs)
SCALAR_BINARY(fmin)
SCALAR_BINARY(fmax)
SCALAR_BINARY(fdim)
SCALAR_BINARY(copysign)
SCALAR_BINARY(fmod)
SCALAR_BINARY(remainder)
SCALAR_UNARY(floor)
SCALAR_UNARY(ceil)
SCALAR_UNARY(trunc)
SCALAR_UNARY(round)
SCALAR_UNARY(roundeven)
SCALAR_UNARY(rint)
SCALAR_UNARY(nearbyint)
SCALAR_UNARY(logb)
