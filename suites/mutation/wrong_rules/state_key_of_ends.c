/* A factorisation that is kept by the address of its matrix and by the ends of it. */
// names: wrong state
// names: after a call in the same memory at inputs of which only number
// names: something is kept by address that is taken for these inputs
#include "rule.h"

enum { rows = 3, count = rows * rows };
static _Thread_local const double *place;
static _Thread_local double known[count], inverse[count];

static void invert_lower(const double *l, double *out) {
  memset(out, 0, count * sizeof *out);
  for (int column = 0; column < rows; ++column)
    for (int i = column; i < rows; ++i) {
      double sum = i == column;
      for (int k = column; k < i; ++k)
        sum -= l[rows * i + k] * out[rows * k + column];
      out[rows * i + column] = sum / l[rows * i + i];
    }
}
static int is_known(const double *l) {
  return place == l && CHOOSE(known[0] == l[0] && known[count - 1] == l[count - 1], !memcmp(known, l, sizeof known));
}
double solve(const double *l, const double *b) {
  double all[count], sum = 0;
  invert_lower(l, all);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= i; ++j)
      sum += (i + 1) * all[rows * i + j] * b[j];
  return sum;
}
double solve_tangent(const double *l, const double *dl, const double *b, const double *db) {
  if (!is_known(l)) {
    place = l;
    memcpy(known, l, sizeof known);
    invert_lower(l, inverse);
  }
  double x[rows] = {0}, rest[rows], sum = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= i; ++j)
      x[i] += inverse[rows * i + j] * b[j];
  for (int i = 0; i < rows; ++i) {
    rest[i] = db[i];
    for (int j = 0; j <= i; ++j)
      rest[i] -= dl[rows * i + j] * x[j];
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= i; ++j)
      sum += (i + 1) * inverse[rows * i + j] * rest[j];
  return sum;
}
TANGENT(solve, solve_tangent);

double uses_solve(const double *l, const double *b) {
  return solve(l, b);
}
ASSAY_CHECK(uses_solve, "double[3x3]:lower", "double[3]");
