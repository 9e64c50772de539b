/* Complex arithmetic on pairs. */
#include <assay/check.h>
#include <complex.h>

/* Without products with zero, which `re + im * I` has. */
static double complex pair(double re, double im) {
  return __builtin_complex(re, im);
}

double product(const double *a, const double *b) {
  const double complex z = pair(a[0], a[1]) * pair(b[0], b[1]);
  return creal(z) * creal(z) - 3 * cimag(z);
}
ASSAY_CHECK(product, "double[2]", "double[2]");

void rotate(double *z, double re, double im, int n) {
  const double complex factor = pair(re, im);
  for (int i = 0; i < n; ++i) {
    const double complex old = pair(z[2 * i], z[2 * i + 1]);
    const double complex new = conj(old) * factor + old * old;
    z[2 * i] = creal(new);
    z[2 * i + 1] = cimag(new);
  }
}
ASSAY_CHECK(rotate, "double[6]", "double", "double", "int=3");

double quotient(const double *a, const double *b) {
  const double complex z = pair(a[0], a[1]) / pair(b[0], b[1]);
  return creal(z) + 2 * cimag(z) * creal(z);
}
ASSAY_CHECK(quotient, "double[2]", "double[2]:positive");

double exponential(const double *a) {
  const double complex z = cexp(pair(a[0], a[1]) * pair(1, -2));
  return creal(z) * cimag(z);
}
ASSAY_CHECK(exponential, "double[2]:(-0.7,0.7)");
