#include "core/engine/library/blas_double.h"

#include "core/engine/library/lapack_inverses.h"
