/* The cosine and the first half of a right rule for it, which needs no tape. */
#include "rule.h"

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  return no_tape(cos(x));
}
double uses_cosine(double x) {
  return cosine(x);
}
