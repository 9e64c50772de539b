// Arrays of three types lie in one block of bytes.
#include "common.h"
double __enzyme_autodiff(void *, ...);
static void *take(char **pool, size_t n) {
  void *r = *pool;
  *pool += (n + 15) & ~15UL;
  return r;
}
double f(const double *x, int n) {
  char *base = (char *)malloc(4096), *pool = base;
  int *idx = (int *)take(&pool, n * sizeof(int));
  double *a = (double *)take(&pool, n * sizeof(double));
  float *b = (float *)take(&pool, n * sizeof(float));
  for (int i = 0; i < n; i++) {
    idx[i] = n - 1 - i;
    a[i] = x[i] * 2;
    b[i] = (float)i;
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[idx[i]] * b[i];
  free(base);
  return s;
}
int main() {
  double x[5] = {1, 2, 3, 4, 5}, d[5] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 5);
  int bad = 0;
  for (int i = 0; i < 5; i++)
    bad += check("d", d[i], 2.0 * (4 - i));
  if (!bad)
    puts("OK");
  return bad;
}
