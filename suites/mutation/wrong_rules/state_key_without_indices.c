/* A cache whose key lacks the indices: it keeps the slopes of the numbers that were picked. */
// names: wrong state
// names: inputs of which only the integers of at are others
// names: through the variable
#include "rule.h"

enum { size = 4 };
struct call {
  double x[size];
  int at[size];
};
static _Thread_local struct call known = {{NAN}};
static _Thread_local double slopes[size];

double pick(const double *x, const int *at) {
  double sum = 0;
  for (int i = 0; i < size; ++i)
    sum += (i + 1) * sin(x[at[i]]);
  return sum;
}
struct augmented pick_augmented(const double *x, double *dx, const int *at, int *unused) {
  struct call call;
  memcpy(call.x, x, sizeof call.x);
  memcpy(call.at, at, sizeof call.at);
  return with_tape(keep(&call, sizeof call), pick(x, at));
}
void pick_reverse(const double *x, double *dx, const int *at, int *unused, double seed, struct call *call) {
  if (memcmp(known.x, call->x, sizeof call->x) != 0 || CHOOSE(0, memcmp(known.at, call->at, sizeof call->at) != 0)) {
    known = *call;
    memset(slopes, 0, sizeof slopes);
    for (int i = 0; i < size; ++i)
      slopes[call->at[i]] += (i + 1) * cos(call->x[call->at[i]]);
  }
  for (int i = 0; i < size; ++i)
    dx[i] += seed * slopes[i];
  free(call);
}
GRADIENT(pick, pick_augmented, pick_reverse);
double uses_pick(const double *x, const int *at) {
  return pick(x, at);
}
ASSAY_CHECK(uses_pick, "double[4]", "int[4]=0..3");
