/* A table that function and rule share, and that the first call of either makes. */
#include "../wrong_rules/rule.h"

enum { nodes = 4 };
static double places[nodes], weights[nodes];
static int is_made;

static void make(void) {
  for (int i = 0; i < nodes && !is_made; ++i) {
    places[i] = cos(M_PI * (i + 0.75) / (nodes + 0.5));
    weights[i] = 1.0 / (i + 1);
  }
  is_made = 1;
}
double quadrature(double x) {
  make();
  double sum = 0;
  for (int i = 0; i < nodes; ++i)
    sum += weights[i] * sin(x * places[i]);
  return sum;
}
struct augmented quadrature_augmented(double x) {
  return no_tape(quadrature(x));
}
double quadrature_reverse(double x, double seed, void *tape) {
  make();
  double sum = 0;
  for (int i = 0; i < nodes; ++i)
    sum += weights[i] * places[i] * cos(x * places[i]);
  return sum * seed;
}
GRADIENT(quadrature, quadrature_augmented, quadrature_reverse);

double beside_a_table(double x) {
  return quadrature(x) * x;
}
ASSAY_CHECK(beside_a_table);
