// The numbers of BLAS are `float`.
#pragma once
#define REAL float
#define LETTER "s"
#define SMALLEST_SQUARE 1e-30F
#define LARGEST_SQUARE 1e30F
