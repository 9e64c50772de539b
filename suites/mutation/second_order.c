/* Derivatives that are differentiated again. */
#include <assay/check.h>
#include <math.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double wave(double x) {
  return sin(x) * x * x;
}
double slope(double x) {
  return __enzyme_autodiff((void *)wave, x);
}
ASSAY_CHECK(slope);

double speed(double x) {
  return __enzyme_fwddiff((void *)wave, x, 1.0) * x;
}
ASSAY_CHECK(speed);
