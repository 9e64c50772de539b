// Structs are passed and returned in registers and in memory.
#include "common.h"
double __enzyme_autodiff(void *, ...);
typedef struct {
  float a, b;
} F2;
typedef struct {
  int n;
  float x;
} IF;
typedef struct {
  double re, im;
} D2;
typedef struct {
  double v[3];
  int k;
} Big;
__attribute__((noinline)) static F2 mulf(F2 p, F2 q) {
  F2 r = {p.a * q.a - p.b * q.b, p.a * q.b + p.b * q.a};
  return r;
}
__attribute__((noinline)) static IF step(IF s, double g) {
  IF r = {s.n + 1, (float)(s.x * g)};
  return r;
}
__attribute__((noinline)) static D2 muld(D2 p, D2 q) {
  D2 r = {p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re};
  return r;
}
__attribute__((noinline)) static Big big(Big b, double s) {
  for (int i = 0; i < 3; i++)
    b.v[i] *= s + i;
  b.k++;
  return b;
}
double f(double x) {
  F2 p = {(float)x, 2.0f};
  p = mulf(p, p);
  IF s = {0, (float)x};
  while (s.n < 3)
    s = step(s, x);
  D2 z = {x, 1};
  z = muld(z, z);
  Big b = {{x, x, 1}, 0};
  b = big(b, x);
  b = big(b, 2);
  return p.a + p.b + s.x + z.re * z.im + b.v[0] + b.v[1] * b.v[2] * b.k;
}
int main() {
  double x = 1.25, h = 1e-3, g = __enzyme_autodiff((void *)f, enzyme_out, x);
  // x^2-4 + 4x + x^4 + (x^2-1)*2x + 2x*x + 3x(x+1) * (4)(x+2) * 2
  double w = 2 * x + 4 + 4 * x * x * x + 6 * x * x - 2 + 4 * x + 24 * ((2 * x + 1) * (x + 2) + x * (x + 1));
  int bad = fabs(g - w) > 1e-4;
  if (bad)
    printf("WRONG %.9g %.9g\n", g, w);
  if (!bad)
    puts("OK");
  return bad;
}
