/* Rules beside variables of the program. */
#include "../registration.h"

double gain = 1.25;
int calls;

/* Counts its calls. A derivative is to leave the same count: the first half of the gradient counts, the second does
 * not, and where a tangent is asked for the function is called as well. */
double amplify(double x) {
  ++calls;
  return gain * x * x;
}
struct augmented amplify_augmented(double x) {
  return no_tape(amplify(x));
}
double amplify_reverse(double x, double seed, void *tape) {
  return 2 * gain * x * seed;
}
GRADIENT(amplify, amplify_augmented, amplify_reverse);
double amplify_tangent(double x, double dx) {
  return 2 * gain * x * dx;
}
TANGENT(amplify, amplify_tangent);
double of_amplify(double x) {
  return amplify(x) * 0.9;
}
ASSAY_CHECK(of_amplify);
