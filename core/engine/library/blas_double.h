// The numbers of BLAS are `double`.
#pragma once
#define REAL double
#define LETTER "d"
#define SMALLEST_SQUARE 1e-290
#define LARGEST_SQUARE 1e290
