// A tree of the caller with pointers, integers and weights is walked by recursion.
#include "common.h"
double __enzyme_autodiff(void *, ...);
typedef struct T {
  long key;
  struct T *l, *r;
  double w;
} T;
double eval(const T *t, double x) {
  if (!t)
    return 1;
  return t->w * x + eval(t->l, x * t->w) * (t->key % 2 ? 1.0 : 0.5) + eval(t->r, x);
}
double f(const T *t, double x) {
  return eval(t, x);
}
int main() {
  T a = {1, 0, 0, 2}, b = {2, 0, 0, 3}, c = {3, &a, &b, 5}, da = {1, 0, 0, 0}, db = {2, 0, 0, 0}, dc = {3, &da, &db, 0};
  double g = __enzyme_autodiff((void *)f, enzyme_dup, &c, &dc, enzyme_out, 1.5);
  double h = 1e-6;
  int bad = 0;
#define FD(v)                                                                                                          \
  ({                                                                                                                   \
    double s = v;                                                                                                      \
    v = s + h;                                                                                                         \
    double u = f(&c, 1.5);                                                                                             \
    v = s - h;                                                                                                         \
    double l = f(&c, 1.5);                                                                                             \
    v = s;                                                                                                             \
    (u - l) / (2 * h);                                                                                                 \
  })
  double ga = FD(a.w), gb = FD(b.w), gc = FD(c.w), gx = (f(&c, 1.5 + h) - f(&c, 1.5 - h)) / (2 * h);
  if (fabs(ga - da.w) > 1e-6 || fabs(gb - db.w) > 1e-6 || fabs(gc - dc.w) > 1e-6 || fabs(gx - g) > 1e-6) {
    printf("WRONG %g %g|%g %g|%g %g|%g %g\n", ga, da.w, gb, db.w, gc, dc.w, gx, g);
    bad = 1;
  }
  if (dc.l != &da || da.key != 1) {
    puts("WRONG structure");
    bad = 1;
  }
  if (!bad)
    puts("OK");
  return bad;
}
