#include "core/engine/library/blas_float.h"

#include "core/engine/library/lapack_inverses.h"
