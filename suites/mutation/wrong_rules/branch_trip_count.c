/* Wrong beyond eight halvings: the number of them is cut off. */
// names: wrong derivative
#include "rule.h"

double halved(double x) {
  double sum = x;
  while (x > 1) {
    x *= 0.5;
    sum += x * x;
  }
  return sum;
}
struct augmented halved_augmented(double x) {
  return no_tape(halved(x));
}
double halved_reverse(double x, double seed, void *tape) {
  double factor = 1, derivative = 1;
  for (int count = 0; x > 1 && count < CHOOSE(8, 1000); ++count) {
    x *= 0.5;
    factor *= 0.5;
    derivative += 2 * x * factor;
  }
  return derivative * seed;
}
GRADIENT(halved, halved_augmented, halved_reverse);

double uses_halved(double x) {
  return halved(x);
}
ASSAY_CHECK(uses_halved);
