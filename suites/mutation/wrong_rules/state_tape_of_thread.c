/* The same in memory of the thread. */
// names: wrong state
// names: the variable kept_of_thread
#include "rule.h"

static _Thread_local double kept_of_thread;

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  kept_of_thread = x;
  return no_tape(cos(x));
}
double cosine_reverse(double x, double seed, void *tape) {
  return -sin(CHOOSE(kept_of_thread, x)) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
