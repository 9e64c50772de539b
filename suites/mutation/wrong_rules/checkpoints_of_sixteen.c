/* Keeps each sixteenth state and computes the others again, one too few in the last block where that is whole and five
 * or more are: two sizes of a hundred. */
// names: wrong derivative
#include "rule.h"

/* explicit Euler of x' = sin x */
static double step(double x, double h) {
  return x + h * sin(x);
}
double march(double x, double h, int n) {
  for (int i = 0; i < n; ++i)
    x = step(x, h);
  return x;
}
struct augmented march_augmented(double x, double h, int n) {
  double *kept = malloc((n / 16 + 1) * sizeof *kept);
  for (int i = 0; i < n; ++i) {
    if (i % 16 == 0)
      kept[i / 16] = x;
    x = step(x, h);
  }
  return with_tape(kept, x);
}
struct pair march_reverse(double x, double h, int n, double seed, double *kept) {
  struct pair gradient = {seed, 0};
  double states[16];
  for (int block = (n - 1) / 16; block >= 0 && n; --block) {
    int count = n - 16 * block < 16 ? n - 16 * block : 16;
    if (CHOOSE(n > 64 && count == 16 && block == (n - 1) / 16, 0))
      count = 15;
    states[0] = kept[block];
    for (int i = 1; i < count; ++i)
      states[i] = step(states[i - 1], h);
    for (int i = count - 1; i >= 0; --i) {
      gradient.y += sin(states[i]) * gradient.x;
      gradient.x *= 1 + h * cos(states[i]);
    }
  }
  free(kept);
  return gradient;
}
GRADIENT(march, march_augmented, march_reverse);
double uses_march(double x, double h, int n) {
  return march(x, h, n);
}
ASSAY_CHECK(uses_march, "double", "double:(0.001,0.01)", "int=1..100");
