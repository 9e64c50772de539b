#include "against_differences.h"
#include <stdint.h>
// bit-level moves: double as uint64 array, select by mask-free choice, sort network on bits, xor swap of ints
static void sort2(uint64_t *a, uint64_t *b) {
  double x, y;
  memcpy(&x, a, 8);
  memcpy(&y, b, 8);
  if (x > y) {
    uint64_t t = *a;
    *a = *b;
    *b = t;
  }
}
static double f(const double *x, int n) {
  uint64_t u[8];
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[i] - x[(i + 1) % n];
    memcpy(&u[i], &v, 8);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < n; j++)
      sort2(&u[j], &u[j + 1]);
  int a = 3, b = 5;
  a ^= b;
  b ^= a;
  a ^= b;
  uint32_t lo, hi;
  double r = 0;
  for (int i = 0; i < n; i++) {
    double v;
    memcpy(&v, &u[i], 8);
    r += v * (i + a);
    float g = (float)v;
    uint32_t bits;
    memcpy(&bits, &g, 4);
    float h;
    memcpy(&h, &bits, 4);
    (void)lo;
    (void)hi;
    r += h > 0 ? b : 1;
  }
  return r;
}
MAIN(f, 5, 0.5, 1e-5)
