// What the programs of this folder share: the convention's markers and a check of one number.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif
extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_dupnoneed;
#ifdef __cplusplus
}
#endif

static int check(const char *what, double got, double want) {
  if (fabs(got - want) <= 1e-9 * (1 + fabs(want)))
    return 0;
  printf("WRONG %s: got %.12g want %.12g\n", what, got, want);
  return 1;
}
