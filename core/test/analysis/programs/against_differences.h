// A main() that compares both modes of `double F(const double *x, int n)` with central differences and prints OK.
#pragma once
#include "common.h"
#ifdef __cplusplus
template <class... A>
double __enzyme_autodiff(void *, A...);
template <class... A>
double __enzyme_fwddiff(void *, A...);
#else
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
#endif

static int compare(const char *mode, int i, double got, double want, double tolerance) {
  if (fabs(want - got) <= tolerance * (1 + fabs(want)))
    return 0;
  printf("WRONG %s %d: got %.9g want %.9g\n", mode, i, got, want);
  return 1;
}

#define MAIN(F, N, START, TOLERANCE)                                                                                   \
  int main() {                                                                                                         \
    double x[N], gradient[N], tangent[N];                                                                              \
    int wrong = 0;                                                                                                     \
    const double step = 1e-6;                                                                                          \
    for (int i = 0; i < N; i++) {                                                                                      \
      x[i] = START + 0.37 * i + 0.1 * ((i * 7) % 5);                                                                   \
      gradient[i] = 0;                                                                                                 \
    }                                                                                                                  \
    __enzyme_autodiff((void *)F, enzyme_dup, x, gradient, enzyme_const, N);                                            \
    for (int i = 0; i < N; i++) {                                                                                      \
      double at = x[i];                                                                                                \
      x[i] = at + step;                                                                                                \
      double above = F(x, N);                                                                                          \
      x[i] = at - step;                                                                                                \
      double below = F(x, N);                                                                                          \
      x[i] = at;                                                                                                       \
      double want = (above - below) / (2 * step);                                                                      \
      wrong += compare("reverse", i, gradient[i], want, TOLERANCE);                                                    \
      for (int k = 0; k < N; k++)                                                                                      \
        tangent[k] = k == i;                                                                                           \
      wrong += compare("forward", i, __enzyme_fwddiff((void *)F, enzyme_dup, x, tangent, enzyme_const, N), want,       \
                       TOLERANCE);                                                                                     \
    }                                                                                                                  \
    if (wrong == 0)                                                                                                    \
      puts("OK");                                                                                                      \
    return wrong != 0;                                                                                                 \
  }
