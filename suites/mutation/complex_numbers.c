/* Complex arithmetic on pairs. */
#include <assay/check.h>
#include <complex.h>
#include <math.h>

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

/* One level of a Fourier transform: products with roots of unity, and their conjugates on the way back. */
void butterfly(double *z, int n) {
  for (int k = 0; k < n / 2; ++k) {
    const double complex root = pair(cos(0.7 * k), -sin(0.7 * k));
    const double complex a = pair(z[2 * k], z[2 * k + 1]);
    const double complex b = pair(z[2 * k + n], z[2 * k + n + 1]) * root;
    const double complex sum = a + b, difference = (a - b) * conj(a);
    z[2 * k] = creal(sum);
    z[2 * k + 1] = cimag(sum);
    z[2 * k + n] = creal(difference);
    z[2 * k + n + 1] = cimag(difference);
  }
}
ASSAY_CHECK(butterfly, "double[8]", "int=4");

double functions(const double *a) {
  const double complex z = pair(a[0], a[1]);
  const double complex w = csin(z) * conj(ccos(z)) + clog(z) * csqrt(conj(z)) + ctanh(z);
  return creal(w) - 2 * cimag(w) * cabs(z) + carg(conj(w));
}
ASSAY_CHECK(functions, "double[2]:(0.3,1.2)");

double resonance(double frequency, double damping, int n) {
  double sum = 0;
  for (int k = 1; k <= n; ++k) {
    const double complex h = 1 / pair(k * k - frequency * frequency, 2 * damping * k * frequency);
    sum += creal(h * conj(h)) + cimag(h * h);
  }
  return sum;
}
ASSAY_CHECK(resonance, "double:(0.2,0.8)", "double:(0.1,0.5)", "int=4");
