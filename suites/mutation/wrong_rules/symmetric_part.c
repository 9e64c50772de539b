/* Takes a matrix for symmetric that is so but for a part of 1e-7: the message tells by how little each number is off.
 */
// names: wrong derivative
// names: each wrong value is 0.99999
#include "rule.h"

enum { size = 3 };
double form(const double *a, const double *x) {
  double sum = 0;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      sum += x[i] * a[size * i + j] * x[j];
  return sum;
}
struct augmented form_augmented(const double *a, double *da, const double *x, double *dx) {
  double kept[size * size + size];
  memcpy(kept, a, size * size * sizeof *kept);
  memcpy(kept + size * size, x, size * sizeof *kept);
  return with_tape(keep(kept, sizeof kept), form(a, x));
}
void form_reverse(const double *a, double *da, const double *x, double *dx, double seed, double *tape) {
  a = tape;
  x = tape + size * size;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      da[size * i + j] += seed * x[i] * x[j];
      dx[i] += seed * (a[size * i + j] + CHOOSE(a[size * i + j], a[size * j + i])) * x[j];
    }
  free(tape);
}
GRADIENT(form, form_augmented, form_reverse);
double nearly_symmetric(const double *x) {
  double a[size * size];
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      a[size * i + j] = 1.0 / (i + j + 1) + (i == 0 && j == 1 ? 1e-7 : 0);
  return form(a, x);
}
ASSAY_CHECK(nearly_symmetric, "double[3]:(0.5,2)");
