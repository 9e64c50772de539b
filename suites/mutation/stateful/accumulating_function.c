/* A function that adds up what it is called with. */
#include "../wrong_rules/rule.h"

static double total;

double accumulate(double x, double y) {
  total += x * y;
  return total * x;
}
ASSAY_CHECK(accumulate);
