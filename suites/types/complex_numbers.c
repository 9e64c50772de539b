// Programs with C99's complex numbers of all three precisions, and their derivatives.
#include <complex.h>
#include <stdlib.h>
#include <string.h>

typedef double (*Program)(const double *);
extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double functions(const double *x) {
  double complex z = x[0] + x[1] * I;
  z = z * z + csin(z) / cexp(z) + cproj(z) * conj(z);
  return creal(z) * cimag(z) + cabs(z) + carg(z);
}
static double powers(const double *x) {
  double complex z = cpow(x[0] + x[1] * I, 2.5 + x[2] * I) + clog(x[0] + x[1] * I);
  return creal(z) + carg(z) * cimag(z);
}
static double long_functions(const double *x) {
  long double complex z = x[0] + x[1] * I;
  z = z * csinl(z) + cexpl(z) + conjl(z) + ccosl(z) * csqrtl(z) + cpowl(z, z);
  return creall(z) + 2 * cimagl(z) + cabsl(z) + cargl(z);
}
static long double complex quotient(long double complex a, long double complex b) {
  return a * b / (a + 1);
}
static double long_arguments(const double *x) {
  long double complex a = x[0] + I * x[1], r = quotient(a, a * a);
  return creall(r) + 2 * cimagl(r);
}
static double arrays(const double *x) {
  double complex *a = malloc(3 * sizeof *a), b[3], sum = 0;
  for (int i = 0; i < 3; ++i)
    a[i] = x[i] + x[i] * x[0] * I;
  memcpy(b, a, sizeof b);
  for (int i = 0; i < 3; ++i)
    sum += b[i] * b[2 - i];
  free(a);
  return creal(sum) + cimag(sum) * x[1];
}
static double single_precision(const double *x) {
  float complex z = (float)x[0] + (float)x[1] * I;
  z = z * csqrtf(z) + cexpf(z) / z;
  return crealf(z) * cimagf(z) + cabsf(z) + cargf(z);
}

static const Program programs[] = {functions, powers, long_functions, long_arguments, arrays, single_precision};

double complex_value(int program, const double *x) {
  return programs[program](x);
}

#define DERIVATIVES(function)                                                                                          \
  __enzyme_autodiff((void *)function, enzyme_dup, x, gradient);                                                        \
  return __enzyme_fwddiff((void *)function, enzyme_dup, x, tangent)

double complex_derivatives(int program, const double *x, double *gradient, const double *tangent) {
  switch (program) {
  case 0:
    DERIVATIVES(functions);
  case 1:
    DERIVATIVES(powers);
  case 2:
    DERIVATIVES(long_functions);
  case 3:
    DERIVATIVES(long_arguments);
  case 4:
    DERIVATIVES(arrays);
  default:
    DERIVATIVES(single_precision);
  }
}
