/* Memory that is overwritten in place, copied, cleared, allocated, and used through structs and pointers to pointers.
 */
#include <assay/check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void smooth(double *u, int n) {
  for (int i = 1; i + 1 < n; ++i)
    u[i] = u[i] * u[i - 1] + 0.5 * u[i + 1] * u[i];
}
ASSAY_CHECK(smooth, "double[7]", "int=7");

void cumulate(const double *x, double *y, double *z, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i] * x[i];
    y[i] = sum;
    z[i] += sum * x[i];
  }
}
ASSAY_CHECK(cumulate, "double[5]", "double[5]", "double[5]", "int=5");

double heap(const double *x, int n) {
  double *work = malloc(sizeof(double) * n);
  memcpy(work, x, sizeof(double) * n);
  for (int sweep = 0; sweep < 3; ++sweep)
    for (int i = 1; i < n; ++i)
      work[i] = sin(work[i]) * work[i - 1];
  double result = work[n - 1] + work[0];
  free(work);
  return result;
}
ASSAY_CHECK(heap, "double[5]", "int=5");

double cleared(const double *x, int n) {
  double bins[4];
  double sum = 0;
  for (int round = 0; round < 2; ++round) {
    memset(bins, 0, sizeof bins);
    for (int i = 0; i < n; ++i)
      bins[i % 4] += x[i] * x[(i + round) % n];
    for (int i = 0; i < 4; ++i)
      sum += bins[i] * bins[i];
  }
  return sum;
}
ASSAY_CHECK(cleared, "double[6]", "int=6");

struct Body {
  double position[2], velocity[2], mass;
};

void step(double *numbers, double h) {
  struct Body *body = (struct Body *)numbers;
  for (int axis = 0; axis < 2; ++axis) {
    const double force = -body->position[axis] * body->mass;
    body->velocity[axis] += h * force;
    body->position[axis] += h * body->velocity[axis];
  }
}
ASSAY_CHECK(step, "double[5]", "double");

float in_float(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = y[i] * x[i];
    sum += y[i] * y[i];
  }
  return sum;
}
ASSAY_CHECK(in_float, "float[5]", "float[5]", "int=5");
