/* Rules of functions of one and two numbers, with branches. */
#include "../registration.h"

/* log(1 + exp(x)) without overflow. */
double softplus(double x) {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}
struct augmented softplus_augmented(double x) {
  return no_tape(softplus(x));
}
static double logistic(double x) {
  return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}
double softplus_reverse(double x, double seed, void *tape) {
  return logistic(x) * seed;
}
GRADIENT(softplus, softplus_augmented, softplus_reverse);
double softplus_tangent(double x, double dx) {
  return logistic(x) * dx;
}
TANGENT(softplus, softplus_tangent);
double of_softplus(double x) {
  return softplus(x) * 0.7;
}
ASSAY_CHECK(of_softplus, "double:(-4,4)");

/* Quadratic near zero, linear beyond 1.5. */
double huber(double x, double weight) {
  const double size = fabs(x);
  return size <= 1.5 ? 0.5 * weight * x * x : 1.5 * weight * (size - 0.75);
}
struct augmented huber_augmented(double x, double weight) {
  return no_tape(huber(x, weight));
}
struct pair huber_reverse(double x, double weight, double seed, void *tape) {
  const double size = fabs(x), side = x < 0 ? -1 : 1;
  struct pair adjoint;
  if (size <= 1.5) {
    adjoint.x = weight * x * seed;
    adjoint.y = 0.5 * x * x * seed;
  } else {
    adjoint.x = 1.5 * weight * side * seed;
    adjoint.y = 1.5 * (size - 0.75) * seed;
  }
  return adjoint;
}
GRADIENT(huber, huber_augmented, huber_reverse);
double huber_tangent(double x, double dx, double weight, double dweight) {
  const double size = fabs(x), side = x < 0 ? -1 : 1;
  if (size <= 1.5)
    return weight * x * dx + 0.5 * x * x * dweight;
  return 1.5 * weight * side * dx + 1.5 * (size - 0.75) * dweight;
}
TANGENT(huber, huber_tangent);
double of_huber(double x, double weight) {
  return huber(x, weight);
}
ASSAY_CHECK(of_huber, "double:(-4,4)", "double");

/* sin(x) / x. */
double sinc(double x) {
  return fabs(x) < 1e-4 ? 1 - x * x / 6 : sin(x) / x;
}
struct augmented sinc_augmented(double x) {
  return no_tape(sinc(x));
}
double sinc_reverse(double x, double seed, void *tape) {
  const double slope = fabs(x) < 1e-4 ? -x / 3 : (cos(x) - sin(x) / x) / x;
  return slope * seed;
}
GRADIENT(sinc, sinc_augmented, sinc_reverse);
double of_sinc(double x) {
  return sinc(x) * 3.1;
}
ASSAY_CHECK(of_sinc);
