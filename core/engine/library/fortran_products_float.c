// Products of vectors and matrices of real(4).
#include "core/engine/library/fortran.h"

#define NUMBER float
#define NAME Real4
#include "core/engine/library/fortran_products.h"
