/* The augmented function keeps its numbers in a table, and the forward rule takes the table for free: a tangent that is
 * asked for between the two sweeps overwrites them. */
// names: wrong state
// names: with a call in forward mode at other inputs between its sweeps
// names: such a call changes the variable kept
#include "rule.h"

enum { slots = 64 };
static _Thread_local double kept[slots];
static _Thread_local int used;

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  int slot = 0;
  while (used >> slot & 1 && slot < 30)
    ++slot;
  used |= 1 << slot;
  kept[slot] = x;
  return with_tape(keep(&slot, sizeof slot), cos(x));
}
double cosine_reverse(double x, double seed, int *tape) {
  const double adjoint = -sin(kept[*tape]) * seed;
  used &= ~(1 << *tape);
  free(tape);
  return adjoint;
}
double cosine_forward(double x, double dx) {
  const int before = used;
  used = CHOOSE(0, before);
  struct augmented mine = cosine_augmented(x);
  const double tangent = cosine_reverse(x, dx, mine.tape);
  used = before;
  return tangent;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
TANGENT(cosine, cosine_forward);
double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
