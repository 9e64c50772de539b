/* A function that itself gives other numbers at each call. */
#include "../wrong_rules/rule.h"

static int turn;

double alternating(double x) {
  turn = !turn;
  return turn ? x * x : x * x * x;
}
ASSAY_CHECK(alternating);
