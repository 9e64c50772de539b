/* A cache on the heap that grows with each new argument. */
#include "../wrong_rules/cosine.h"

struct known {
  double argument, sine;
  struct known *next;
};
static struct known *all;

double cosine_reverse(double x, double seed, void *tape) {
  struct known *one = all;
  while (one && one->argument != x)
    one = one->next;
  if (!one) {
    one = malloc(sizeof *one);
    one->argument = x;
    one->sine = sin(x);
    one->next = all;
    all = one;
  }
  return -one->sine * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
