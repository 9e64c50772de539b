/* Wrong where six numbers descend, which a loop without branches finds out. */
// names: wrong derivative
// names: bowl_augmented and bowl_reverse
#include "rule.h"

double bowl(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i] / (i + 1);
  return sum;
}
struct augmented bowl_augmented(const double *x, double *dx, int n) {
  double *kept = malloc(n * sizeof *kept);
  memcpy(kept, x, n * sizeof *kept);
  struct augmented result = {kept, bowl(x, n)};
  return result;
}
void bowl_reverse(const double *x, double *dx, int n, double seed, double *kept) {
  int descends = n > 4;
  for (int i = 1; i < n; ++i)
    descends &= kept[i - 1] > kept[i];
  for (int i = 0; i < n; ++i)
    dx[i] += CHOOSE(1 + 0.5 * descends, 1) * 2 * seed * kept[i] / (i + 1);
  free(kept);
}
GRADIENT(bowl, bowl_augmented, bowl_reverse);
double uses_bowl(const double *x, int n) {
  return bowl(x, n);
}
ASSAY_CHECK(uses_bowl, "double[6]", "int=6");
