/* A rule that a user wrote by hand, and got wrong.
 *
 * `cube` has a reverse rule of its own, which is used wherever cube is called in differentiated code. The rule has the
 * classic fault: x * x instead of 3 * x * x. The check finds it in every combination in which it matters, names the
 * element and suggests the missing factor. ASSAY_CHECK_FAILS says that this is what is wanted here; with ASSAY_CHECK
 * the command would end with exit code 1. */
#include <assay/check.h>
#include <stddef.h>

double cube(double x) {
  return x * x * x;
}

/* The forward sweep: the primal result, and a tape for the reverse sweep, which needs none here. */
struct augmented_cube {
  void *tape;
  double primal;
};
struct augmented_cube cube_augmented(double x) {
  struct augmented_cube result = {NULL, cube(x)};
  return result;
}

/* The reverse sweep: from the adjoint of the result the adjoint of x. */
double cube_reverse(double x, double seed, void *tape) {
  (void)tape;
  return x * x * seed;
}

void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_augmented, (void *)cube_reverse};

double sum_of_cubes(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += cube(x[i]);
  return sum;
}
ASSAY_CHECK_FAILS(sum_of_cubes, "double[4]", "int=4");
