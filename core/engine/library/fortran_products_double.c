// Products of vectors and matrices of real(8).
#include "core/engine/library/fortran.h"

#define NUMBER double
#define NAME Real8
#include "core/engine/library/fortran_products.h"
