/* The function itself fills a table at its first call, and the engine differentiates it. */
#include "../wrong_rules/rule.h"

static double weights[4];
static int is_ready;

double weighted(const double *x) {
  if (!is_ready) {
    for (int i = 0; i < 4; ++i)
      weights[i] = 1.0 / (1 << i);
    is_ready = 1;
  }
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += weights[i] * x[i] * x[i];
  return sum;
}
ASSAY_CHECK(weighted, "double[4]");
