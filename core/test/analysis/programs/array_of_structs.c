// Elements of several types are swapped and moved by memmove.
#include "common.h"
double __enzyme_autodiff(void *, ...);
struct E {
  int key;
  double w;
  float z;
};
double f(const double *x, int n) {
  struct E e[8];
  for (int i = 0; i < n; i++) {
    e[i].key = (7 * i + 3) % n;
    e[i].w = x[i] * x[i];
    e[i].z = (float)i;
  }
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && e[j - 1].key > e[j].key; j--) {
      struct E t = e[j];
      e[j] = e[j - 1];
      e[j - 1] = t;
    }
  memmove(&e[1], &e[0], sizeof(struct E) * (n - 1));
  double s = 0;
  for (int i = 0; i < n; i++)
    s += e[i].w * (i + 1);
  return s;
}
int main() {
  double x[5] = {1, 2, 3, 4, 5}, d[5] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 5);
  int bad = 0;
  const double h = 1e-6;
  for (int i = 0; i < 5; i++) {
    double a[5], b[5];
    memcpy(a, x, sizeof a);
    memcpy(b, x, sizeof b);
    a[i] += h;
    b[i] -= h;
    double fd = (f(a, 5) - f(b, 5)) / (2 * h);
    if (fabs(fd - d[i]) > 1e-6) {
      printf("WRONG %d %g %g\n", i, d[i], fd);
      bad++;
    }
  }
  if (!bad)
    puts("OK");
  return bad;
}
