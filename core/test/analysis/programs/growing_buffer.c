// A buffer grows by realloc beside globals and constant tables.
#include "common.h"
double __enzyme_autodiff(void *, ...);
static double state[4];
static int calls;
static const double table[4] = {1, 0.5, 0.25, 0.125};
double gamma_ = 1.4;
__attribute__((noinline)) static void push(double v) {
  for (int i = 3; i > 0; i--)
    state[i] = state[i - 1];
  state[0] = v;
  calls++;
}
double f(double x) {
  memset(state, 0, sizeof state);
  int cap = 1, n = 0;
  double *buf = (double *)malloc(sizeof(double));
  long *ids = (long *)calloc(8, sizeof(long));
  for (int i = 0; i < 5; i++) {
    if (n == cap) {
      cap *= 2;
      buf = (double *)realloc(buf, cap * sizeof(double));
    }
    buf[n] = x * (i + 1);
    ids[n] = i;
    n++;
    push(buf[n - 1] * x);
  }
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += state[i] * table[i] * gamma_;
  for (int i = 0; i < n; i++)
    s += buf[ids[i]];
  free(buf);
  free(ids);
  return s;
}
int main() {
  double x = 1.5, h = 1e-6;
  double g = __enzyme_autodiff((void *)f, enzyme_out, x);
  double fd = (f(x + h) - f(x - h)) / (2 * h);
  int bad = fabs(g - fd) > 1e-6;
  if (bad)
    printf("WRONG %g %g\n", g, fd);
  if (!bad)
    puts("OK");
  return bad;
}
