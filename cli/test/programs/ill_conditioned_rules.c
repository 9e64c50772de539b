/* Wrong rules where the problem is ill-conditioned, too: rounding must not excuse them. */
#include <assay/check.h>
#include <math.h>

struct augmented {
  void *tape;
  double primal;
};

/* The adjoint is computed in single precision. */
static double square(double x) {
  return x * x;
}
static struct augmented square_augmented(double x) {
  struct augmented augmented = {};
  augmented.primal = square(x);
  return augmented;
}
static double square_reverse(double x, double seed, void *tape) {
  (void)tape;
  return (float)(2 * x * seed);
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_augmented, (void *)square_reverse};

double squared(double x) {
  return square(x) * 3;
}
ASSAY_CHECK_FAILS(squared, "double");

double variance(const double *x, int n) {
  double s = 0, q = 0;
  for (int i = 0; i < n; ++i) {
    double y = 1e7 + x[i];
    s += y;
    q += square(y);
  }
  return q / n - s / n * (s / n);
}
ASSAY_CHECK_FAILS(variance, "double[6]", "int=6");

/* A constant is off by one part in a hundred million. */
static double power(double x) {
  return exp(x);
}
static double power_forward(double x, double dx) {
  return dx * (exp(x) + 1e-8f);
}
static struct augmented power_augmented(double x) {
  struct augmented augmented = {};
  augmented.primal = power(x);
  return augmented;
}
static double power_reverse(double x, double seed, void *tape) {
  (void)tape;
  return seed * exp(x) * 1.00000001;
}
void *__enzyme_register_derivative_power[] = {(void *)power, (void *)power_forward};
void *__enzyme_register_gradient_power[] = {(void *)power, (void *)power_augmented, (void *)power_reverse};

double slope_at_zero(double x) {
  double y = 1e-7 * x;
  return (power(y) - 1) / y;
}
ASSAY_CHECK_FAILS(slope_at_zero, "double:positive");
