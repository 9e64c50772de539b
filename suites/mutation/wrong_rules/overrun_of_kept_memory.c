/* Memory that is kept from call to call, and one number too short. */
// names: wrong mutation
// names: that squares_reverse allocated on the heap was written
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  static double *slopes;
  static int room;
  if (room < n) {
    free(slopes);
    slopes = malloc((n - CHOOSE(1, 0)) * sizeof *slopes);
    room = n;
  }
  for (int i = 0; i < n; ++i)
    slopes[i] = 2 * tape[i] * seed;
  for (int i = 0; i < n; ++i)
    dx[i] += slopes[i];
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
