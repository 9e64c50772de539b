// A union holds a double in one element and an integer in another.
#include "common.h"
double __enzyme_autodiff(void *, ...);
union U {
  double d;
  long l;
  float f[2];
};
struct V {
  int kind;
  union U u;
};
__attribute__((noinline)) double get(struct V *v) {
  switch (v->kind) {
  case 0:
    return v->u.d;
  case 1:
    return (double)v->u.l;
  default:
    return v->u.f[0] * v->u.f[1];
  }
}
double f(double x, double y) {
  struct V v[3];
  v[0].kind = 0;
  v[0].u.d = x * y;
  v[1].kind = 1;
  v[1].u.l = 7;
  double s = 0;
  for (int i = 0; i < 2; i++)
    s += get(&v[i]) * x;
  return s;
}
int main() {
  double dx = 0;
  struct {
    double a, b;
  };
  double g = __enzyme_autodiff((void *)f, enzyme_out, 3.0, enzyme_const, 2.0);
  int bad = check("dx", g, 2 * 3 * 2 + 7);
  if (!bad)
    puts("OK");
  return bad;
}
