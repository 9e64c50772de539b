// A struct of an integer, a double and a pointer is copied as bytes.
#include "common.h"
double __enzyme_autodiff(void *, ...);
struct S {
  int n;
  double x;
  double *p;
};
__attribute__((noinline)) double f(struct S *s) {
  struct S local = *s; // memcpy of mixed struct
  struct S other;
  memcpy(&other, &local, sizeof other);
  double r = 0;
  for (int i = 0; i < other.n; i++)
    r += other.p[i] * other.x;
  return r;
}
int main() {
  double d[3] = {1, 2, 3}, dd[3] = {0};
  struct S s = {3, 2.0, d}, ds = {3, 0.0, dd};
  __enzyme_autodiff((void *)f, enzyme_dup, &s, &ds);
  int bad = check("dx", ds.x, 6) + check("d0", dd[0], 2) + check("d2", dd[2], 2) + check("n", ds.n, 3);
  if (!bad)
    puts("OK");
  return bad;
}
