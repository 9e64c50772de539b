#include "against_differences.h"

// Const and active data through the same noinline helpers; void* generic code
typedef void (*unused)(void);
__attribute__((noinline)) static void copy_bytes(void *to, const void *from, size_t n) {
  memcpy(to, from, n);
}
__attribute__((noinline)) static void swap_bytes(void *a, void *b, size_t n) {
  char t[64];
  memcpy(t, a, n);
  memcpy(a, b, n);
  memcpy(b, t, n);
}
__attribute__((noinline)) static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
static double f(const double *x, int n) {
  double w[8], y[8];
  int p[8], q[8];
  for (int i = 0; i < n; i++) {
    w[i] = 1.0 / (i + 1);
    p[i] = (i * 3 + 1) % n;
  }
  copy_bytes(y, x, n * sizeof(double));
  copy_bytes(q, p, n * sizeof(int));
  swap_bytes(&y[0], &y[1], sizeof(double));
  swap_bytes(&q[0], &q[1], sizeof(int));
  double norm = dot(w, w, n), s = 0;
  for (int i = 0; i < n; i++)
    s += y[q[i]] * y[i];
  return dot(y, w, n) / norm + s;
}
MAIN(f, 5, 0.5, 1e-5)
