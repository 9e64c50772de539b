/* A cache of 32 results, which takes the last one for all others once it is full. */
// names: wrong state
// names: at 96 other inputs
// names: something is kept that is taken for these inputs
#include "rule.h"

enum { places = 32 };
static _Thread_local double keys[places], slopes[places];
static _Thread_local int filled;

double bell(double x) {
  return exp(-x * x);
}
struct augmented bell_augmented(double x) {
  return no_tape(bell(x));
}
double bell_reverse(double x, double seed, void *tape) {
  int place = 0;
  while (place < filled && keys[place] != x)
    ++place;
  if (place == places)
    place = CHOOSE(places - 1, filled = 0);
  if (place == filled) {
    keys[place] = x;
    slopes[place] = -2 * x * exp(-x * x);
    ++filled;
  }
  return seed * slopes[place];
}
GRADIENT(bell, bell_augmented, bell_reverse);

double beside_a_cache(double x) {
  return bell(x);
}
ASSAY_CHECK(beside_a_cache);
