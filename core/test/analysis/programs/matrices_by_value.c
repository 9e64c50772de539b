#include "against_differences.h"

// Matrices by value with pointers, ping-pong buffers
typedef struct {
  int r, c;
  double *d;
} M;
static M make(int r, int c) {
  M m = {r, c, (double *)calloc(r * c, sizeof(double))};
  return m;
}
__attribute__((noinline)) static M mul(M a, M b) {
  M o = make(a.r, b.c);
  for (int i = 0; i < a.r; i++)
    for (int k = 0; k < a.c; k++)
      for (int j = 0; j < b.c; j++)
        o.d[i * o.c + j] += a.d[i * a.c + k] * b.d[k * b.c + j];
  return o;
}
static double f(const double *x, int n) {
  M a = make(2, 2);
  for (int i = 0; i < 4; i++)
    a.d[i] = x[i % n];
  M b = make(2, 2);
  memcpy(b.d, a.d, 4 * sizeof(double));
  M *cur = &a, *other = &b;
  for (int k = 0; k < 3; k++) {
    M t = mul(*cur, *other);
    free(cur->d);
    *cur = t;
    M *s = cur;
    cur = other;
    other = s;
  }
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += cur->d[i] * other->d[3 - i];
  free(a.d);
  free(b.d);
  return s;
}
MAIN(f, 4, 0.5, 1e-5)
