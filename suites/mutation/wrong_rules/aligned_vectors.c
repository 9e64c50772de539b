/* Adds two adjoints at once, as if the shadow were aligned to 16 bytes. */
// names: crash
// names: it accessed memory that is not aligned as it expects, or where no memory can be
#include "squares.h"

#ifdef RIGHT
typedef double two __attribute__((vector_size(16), aligned(8)));
#else
typedef double two __attribute__((vector_size(16)));
#endif

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; i += 2)
    *(two *)(dx + i) += *(two *)(tape + i) * 2 * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
