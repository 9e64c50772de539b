/* Roots that iterations find, whose code has another derivative than the root: the check must call no rule wrong. */
#include <assay/check.h>

#define RULE static __attribute__((noinline))

struct augmented {
  void *tape;
  double primal;
};

/* By bisection: the code has the derivative 0, and reverse mode alone has a rule. */
RULE double bisected(double a, double b) {
  double low = -50, high = 50;
  for (int i = 0; i < 200; ++i) {
    double middle = 0.5 * (low + high);
    if (middle * middle * middle + a * middle < b)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}
static struct augmented bisected_augmented(double a, double b) {
  return (struct augmented){0, bisected(a, b)};
}
struct adjoints_of_root {
  double a, b;
};
static struct adjoints_of_root bisected_reverse(double a, double b, double seed, void *tape) {
  double root = bisected(a, b), slope = 3 * root * root + a;
  return (struct adjoints_of_root){-seed * root / slope, seed / slope};
}
void *__enzyme_register_gradient_bisected[] = {(void *)bisected, (void *)bisected_augmented, (void *)bisected_reverse};
double of_bisected(double a, double b) {
  return bisected(a, b);
}
ASSAY_CHECK(of_bisected, "double:(0.5,4)", "double:(-3,3)");
