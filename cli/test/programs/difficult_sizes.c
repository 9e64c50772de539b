// Right functions of which a part is lost beside a large number, ends in a float, or goes round in whole numbers.
#include <assay/check.h>

#include <math.h>

/* A double that is rounded to float at once, in a sum of floats that cancel. */
float chain(const float *x, double k, int n) {
  float s = 1;
  for (int i = 0; i < n; ++i)
    s = s * (float)(1 + k * 1e-3) + sinf(x[i]);
  return s;
}
ASSAY_CHECK(chain, "float[n]", "double", "int=30");

float scaled_sum(const float *x, double k, int n) {
  float s = 0, factor = (float)k;
  for (int i = 0; i < n; ++i)
    s += factor * x[i];
  return s;
}
ASSAY_CHECK(scaled_sum, "float[n]", "double", "int=30");

/* Angles of many periods, whose slope is large, beside larger numbers. */
void phases(const double *x, double *y, int n, double a) {
  const double w = a * a;
  for (int i = 0; i < n; ++i)
    y[i] = sin(x[i] * w) / (1 + w) + w;
}
ASSAY_CHECK(phases, "double[8]", "double[8]", "int=8", "double");

/* Of a large velocity nothing changes. */
void kick(const double *x, float *v) {
  *v -= 0.1 * sin(*x);
}
ASSAY_CHECK(kick, "double[1]", "float[1]");

void adam(float *p, float *m, float *v, const float *g, int n) {
  for (int i = 0; i < n; ++i) {
    m[i] = 0.9f * m[i] + 0.1f * g[i];
    v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
    p[i] -= 0.01f * m[i] / (sqrtf(v[i]) + 1e-4f);
  }
}
ASSAY_CHECK(adam, "float[3]", "float[3]", "float[3]:positive", "float[3]", "int=3");

/* A sum of doubles loses its digits, in which the adjoint of the float has no part. */
double spread(float x, double w) {
  const double v = 1e8 + x;
  return w * v * v - w * 1e16;
}
ASSAY_CHECK(spread);

/* The weighted variance of times in float, which do not begin at zero. */
double variance(const float *t, const double *w, int n) {
  double mean = 0, sum = 0, total = 0;
  for (int i = 0; i < n; ++i) {
    const double time = 1e4 + t[i], before = mean;
    total += w[i];
    mean += w[i] / total * (time - mean);
    sum += w[i] * (time - before) * (time - mean);
  }
  return sum / total;
}
ASSAY_CHECK(variance, "float[5]", "double[5]:positive", "int=5");

/* Steps of whole periods tell nothing of a cotangent. */
static double stirling(double x) {
  return (x - 0.5) * log(x) - x + 1 / (12 * x);
}
double log_gamma(double x) {
  return x < 0.5 ? log(M_PI / fabs(sin(M_PI * x))) - stirling(1 - x) : stirling(x);
}
ASSAY_CHECK(log_gamma);
