/* Right rules whose own derivative finite differences find hard to tell: the check must call none of them wrong. */
#include <assay/check.h>
#include <math.h>

struct augmented {
  void *tape;
  double primal;
};
#define GRADIENT(function, augmented, reverse)                                                                         \
  void *__enzyme_register_gradient_##function[] = {(void *)(function), (void *)(augmented), (void *)(reverse)}
#define RULE static __attribute__((noinline))

/* Its second derivative is 0 at 0, where differences of length h of the first give h^0.2. */
struct pair {
  double a, b;
};
RULE double power(double x, double y) {
  return x == 0 ? 0 : pow(fabs(x), y);
}
static struct augmented power_augmented(double x, double y) {
  return (struct augmented){0, power(x, y)};
}
static struct pair power_reverse(double x, double y, double seed, void *tape) {
  double value = power(x, y);
  return x == 0 ? (struct pair){0, 0} : (struct pair){seed * y * value / x, seed * value * log(fabs(x))};
}
GRADIENT(power, power_augmented, power_reverse);
double uses_power(double x, double y) {
  return power(x, y);
}
ASSAY_CHECK(uses_power, "double", "double:(2,4)");

/* The same where differences fall by few parts in a hundred each time that their length is halved. */
double uses_power_near_two(double x, double y) {
  return power(x, y);
}
ASSAY_CHECK(uses_power_near_two, "double", "double:(2,2.05)");

/* A series near 0, whose second derivative is off by 1e-9 where it ends: that of one side is as good as the other's. */
RULE double sinc(double x) {
  return fabs(x) < 1e-4 ? 1 - x * x / 6 : sin(x) / x;
}
static struct augmented sinc_augmented(double x) {
  return (struct augmented){0, sinc(x)};
}
static double sinc_reverse(double x, double seed, void *tape) {
  double q = x * x;
  if (fabs(x) < 1e-4)
    return -x / 3 * seed;
  if (fabs(x) > 0.5)
    return seed * (cos(x) - sin(x) / x) / x;
  return seed * x * (-1.0 / 3 + q * (1.0 / 30 - q * (1.0 / 840 - q * (1.0 / 45360 - q / 3991680))));
}
GRADIENT(sinc, sinc_augmented, sinc_reverse);
double uses_sinc(double x) {
  return sinc(x);
}
ASSAY_CHECK(uses_sinc);

/* It has no second derivative at 0: differences of the first one are others at each length. */
RULE double oscillating(double x) {
  return x == 0 ? 0 : x * x * x * sin(1 / x);
}
static struct augmented oscillating_augmented(double x) {
  return (struct augmented){0, oscillating(x)};
}
static double oscillating_reverse(double x, double seed, void *tape) {
  return x == 0 ? 0 : seed * (3 * x * x * sin(1 / x) - x * cos(1 / x));
}
GRADIENT(oscillating, oscillating_augmented, oscillating_reverse);
double uses_oscillating(double x) {
  return oscillating(x);
}
ASSAY_CHECK(uses_oscillating);
