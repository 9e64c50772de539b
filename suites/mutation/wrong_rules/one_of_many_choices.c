/* Two of three integers choose what the rule does, and for one of some hundred choices it is wrong. */
// names: wrong derivative
// names: one_reverse
#include "rule.h"

double chosen(double x, int first, int second, int third) {
  const double y = first % 2 ? x * x : x + 1;
  return (second % 3 ? sin(y) : y) * (third + 1);
}
struct augmented one_augmented(double x, int first, int second, int third) {
  return with_tape(NULL, chosen(x, first, second, third));
}
double one_reverse(double x, int first, int second, int third, double seed, void *kept) {
  const double y = first % 2 ? x * x : x + 1, inner = first % 2 ? 2 * x : 1;
  const double outer = second % 3 ? cos(y) : 1;
  if (first == 4 && second == 5 && third == 2)
    return outer * inner * seed * CHOOSE(2, 3);
  return outer * inner * seed * (third + 1);
}
GRADIENT(chosen, one_augmented, one_reverse);
double uses_chosen(double x, int first, int second, int third) {
  return chosen(x, first, second, third);
}
ASSAY_CHECK(uses_chosen, "double", "int=0..6", "int=0..6", "int=0..6");
