/* Right rules and functions with state that does no harm: the check must call none of them wrong. */
#include <assay/check.h>
#include <complex.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct augmented {
  void *tape;
  double primal;
};
#define GRADIENT(function, augmented, reverse)                                                                         \
  void *__enzyme_register_gradient_##function[] = {(void *)(function), (void *)(augmented), (void *)(reverse)}
#define TANGENT(function, forward)                                                                                     \
  void *__enzyme_register_derivative_##function[] = {(void *)(function), (void *)(forward)}
#define AUGMENTED(function)                                                                                            \
  static struct augmented function##_augmented(double x) {                                                             \
    return (struct augmented){0, function(x)};                                                                         \
  }
#define RULE static __attribute__((noinline))

/* An implicit function, whose adjoint is solved for by an iteration of its own that stops at 1e-13. */
RULE double implicit(double x) {
  double y = x;
  for (int i = 0; i < 100; ++i) {
    double step = (y * y * y + y - x) / (3 * y * y + 1);
    y -= step;
    if (fabs(step) <= 1e-15 * fabs(y))
      break;
  }
  return y;
}
AUGMENTED(implicit)
static double implicit_reverse(double x, double seed, void *tape) {
  double y = implicit(x), a = 3 * y * y + 1, adjoint = 0;
  for (int i = 0; i < 200; ++i) {
    double rest = seed - a * adjoint;
    if (fabs(rest) <= 1e-13 * fabs(seed))
      break;
    adjoint += 0.9 / a * rest;
  }
  return adjoint;
}
static double implicit_tangent(double x, double dx) {
  double y = implicit(x);
  return dx / (3 * y * y + 1);
}
GRADIENT(implicit, implicit_augmented, implicit_reverse);
TANGENT(implicit, implicit_tangent);
double uses_implicit(double x, double y) {
  return implicit(x * y) + x;
}
ASSAY_CHECK(uses_implicit);

/* Linear equations by iteration, to 1e-13, in function and rule; the rule has scratch memory of its own. */
RULE void solve(const double *b, double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = 0;
  for (int sweep = 0; sweep < 1000; ++sweep) {
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      double next = b[i] + 0.3 * ((i ? x[i - 1] : 0) + (i < n - 1 ? x[i + 1] : 0));
      worst = fmax(worst, fabs(next - x[i]));
      x[i] = next;
    }
    if (worst < 1e-13)
      break;
  }
}
static void *solve_augmented(const double *b, double *db, double *x, double *dx, int n) {
  solve(b, x, n);
  return 0;
}
static void solve_reverse(const double *b, double *db, double *x, double *dx, int n, void *tape) {
  double *adjoint = malloc(n * sizeof *adjoint);
  solve(dx, adjoint, n);
  for (int i = 0; i < n; ++i) {
    db[i] += adjoint[i];
    dx[i] = 0;
  }
  free(adjoint);
}
static void solve_tangent(const double *b, const double *db, double *x, double *dx, int n) {
  solve(b, x, n);
  solve(db, dx, n);
}
GRADIENT(solve, solve_augmented, solve_reverse);
TANGENT(solve, solve_tangent);
double uses_solve(const double *b, int n) {
  double x[8], sum = 0;
  solve(b, x, n);
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i] * (i + 1);
  return sum;
}
ASSAY_CHECK(uses_solve, "double[n]", "int=1..8");

/* In long double, and without the overflow of the function's own formula. */
RULE double softplus(double x) {
  return log(exp(x) + 1);
}
AUGMENTED(softplus)
static double softplus_reverse(double x, double seed, void *tape) {
  return (double)(seed / (1 + expl(-(long double)x)));
}
GRADIENT(softplus, softplus_augmented, softplus_reverse);
double uses_softplus(double x) {
  return softplus(30 * x) / 30;
}
ASSAY_CHECK(uses_softplus);

/* By a complex step. */
RULE double rational(double x) {
  return (x * x + 1) / (x * x * x * x + 2);
}
AUGMENTED(rational)
static double rational_tangent(double x, double dx) {
  double _Complex z = x + 1e-100 * I, y = (z * z + 1) / (z * z * z * z + 2);
  return dx * cimag(y) / 1e-100;
}
static double rational_reverse(double x, double seed, void *tape) {
  return rational_tangent(x, seed);
}
GRADIENT(rational, rational_augmented, rational_reverse);
TANGENT(rational, rational_tangent);
double uses_rational(double x) {
  return rational(x) * x;
}
ASSAY_CHECK(uses_rational);

/* Restores errno and the floating-point environment. */
RULE double careful(double x) {
  return exp(x) * cos(x);
}
AUGMENTED(careful)
static double careful_reverse(double x, double seed, void *tape) {
  int error = errno;
  fenv_t environment;
  feholdexcept(&environment);
  double adjoint = seed * exp(x) * (cos(x) - sin(x)) + 0 * log(fabs(x) + 1e-300);
  fesetenv(&environment);
  errno = error;
  return adjoint;
}
GRADIENT(careful, careful_augmented, careful_reverse);
double uses_careful(double x) {
  return careful(x) + x;
}
ASSAY_CHECK(uses_careful);

/* Restores a variable that it sets for calls of its own; the tape has what it held. */
static double factor = 3;
RULE double scaled(double x) {
  return factor * x * x;
}
static struct augmented scaled_augmented(double x) {
  double *tape = malloc(sizeof *tape);
  *tape = factor;
  return (struct augmented){tape, scaled(x)};
}
static double scaled_reverse(double x, double seed, void *tape) {
  double held = factor;
  factor = 2 * *(double *)tape / x;
  double adjoint = scaled(x) * seed;
  factor = held;
  free(tape);
  return adjoint;
}
GRADIENT(scaled, scaled_augmented, scaled_reverse);
double uses_scaled(double x) {
  return scaled(sin(x));
}
ASSAY_CHECK(uses_scaled, "double:(0.5,1)");

/* Values by argument, in a ring that function and rule share. */
static double keys[4] = {NAN, NAN, NAN, NAN}, values[4];
static unsigned turn;
static double remembered_gamma(double x) {
  for (int i = 0; i < 4; ++i)
    if (keys[i] == x)
      return values[i];
  double value = tgamma(x);
  keys[turn % 4] = x;
  values[turn++ % 4] = value;
  return value;
}
RULE double gamma_of(double x) {
  return remembered_gamma(x);
}
AUGMENTED(gamma_of)
static double gamma_of_tangent(double x, double dx) {
  double y = x, digamma = 0;
  for (; y < 12; y += 1)
    digamma -= 1 / y;
  double i = 1 / (y * y);
  digamma += log(y) - 0.5 / y - i * (1.0 / 12 - i * (1.0 / 120 - i * (1.0 / 252 - i * (1.0 / 240 - i * (1.0 / 132)))));
  return dx * remembered_gamma(x) * digamma;
}
static double gamma_of_reverse(double x, double seed, void *tape) {
  return gamma_of_tangent(x, seed);
}
GRADIENT(gamma_of, gamma_of_augmented, gamma_of_reverse);
TANGENT(gamma_of, gamma_of_tangent);
double uses_memory(double x, double y) {
  return gamma_of(x) * y + gamma_of(y);
}
ASSAY_CHECK(uses_memory, "double:(1,4)", "double:(1,4)");

/* A table that the first call fills row by row. */
static double *binomials;
static int rows;
double bernstein(double t, double a, double b) {
  if (!binomials)
    binomials = calloc(36, sizeof *binomials);
  for (; rows < 6; ++rows) {
    binomials[rows * 6] = 1;
    for (int k = 1; k <= rows; ++k)
      binomials[rows * 6 + k] = binomials[(rows - 1) * 6 + k - 1] + (k < rows ? binomials[(rows - 1) * 6 + k] : 0);
  }
  double sum = 0;
  for (int k = 0; k <= 5; ++k)
    sum += binomials[30 + k] * pow(t, k) * pow(1 - t, 5 - k) * (a * k + b);
  return sum;
}
ASSAY_CHECK(bernstein, "double:(0.1,0.9)", "double", "double");

/* Scratch memory of the function's: static, of the thread, and on the heap for good. */
double static_scratch(const double *x, int n) {
  static double w[16];
  for (int i = 0; i < n; ++i)
    w[i] = x[i] * x[i];
  for (int i = 1; i < n; ++i)
    w[i] += w[i - 1] * 0.5;
  return w[n - 1];
}
ASSAY_CHECK(static_scratch, "double[n]", "int=1..16");
double thread_scratch(const double *x, int n) {
  static _Thread_local double w[16];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    w[i] = sin(x[i]);
  for (int i = 0; i < n; ++i)
    sum += w[i] * w[n - 1 - i];
  return sum;
}
ASSAY_CHECK(thread_scratch, "double[6]", "int=6");

/* A length that is remembered by a hash of the numbers; the tape has a copy of these. */
static uint64_t hash_of(const double *x, int n) {
  uint64_t hash = 1469598103934665603ULL;
  for (int i = 0; i < n; ++i) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    hash = (hash ^ bits) * 1099511628211ULL;
  }
  return hash;
}
static _Thread_local uint64_t known_hash;
static _Thread_local double known_length;
RULE double length(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sqrt(sum);
}
static struct augmented length_augmented(const double *x, double *dx, int n) {
  known_length = length(x, n);
  known_hash = hash_of(x, n);
  double *copy = malloc((n + 1) * sizeof *copy);
  memcpy(copy, x, n * sizeof *copy);
  return (struct augmented){copy, known_length};
}
static void length_reverse(const double *x, double *dx, int n, double seed, void *tape) {
  double *copy = tape;
  double known = known_hash == hash_of(copy, n) ? known_length : length(copy, n);
  for (int i = 0; i < n && known > 0; ++i)
    dx[i] += seed * copy[i] / known;
  free(copy);
}
static double length_tangent(const double *x, const double *dx, int n) {
  double known = length(x, n), sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * dx[i];
  return known > 0 ? sum / known : 0;
}
GRADIENT(length, length_augmented, length_reverse);
TANGENT(length, length_tangent);
double uses_length(const double *x, int n) {
  return length(x, n) * length(x, n) + length(x, n);
}
ASSAY_CHECK(uses_length, "double[n]", "int=0..4");

/* An adjoint in double for a function in float. */
RULE float square(float x) {
  return x * x;
}
struct augmented_float {
  void *tape;
  float primal;
};
static struct augmented_float square_augmented(float x) {
  return (struct augmented_float){0, square(x)};
}
static float square_reverse(float x, float seed, void *tape) {
  return (float)(2.0 * (double)x * seed);
}
GRADIENT(square, square_augmented, square_reverse);
double uses_square(double x) {
  return square((float)x) + x;
}
ASSAY_CHECK(uses_square);

/* What is below 1e-300 becomes zero. */
RULE double bell(double x) {
  return exp(-x * x);
}
AUGMENTED(bell)
static double bell_tangent(double x, double dx) {
  double tangent = -2 * x * exp(-x * x) * dx;
  return fabs(tangent) < 1e-300 ? 0 : tangent;
}
static double bell_reverse(double x, double seed, void *tape) {
  return bell_tangent(x, seed);
}
GRADIENT(bell, bell_augmented, bell_reverse);
TANGENT(bell, bell_tangent);
double uses_bell(double x) {
  return bell(20 * x) + x;
}
ASSAY_CHECK(uses_bell);

/* A formula with less rounding than the function's, and one with more. */
RULE double mean_slope(double a, double b) {
  return (a * a - b * b) / (a - b);
}
struct pair {
  double a, b;
};
static struct augmented mean_slope_augmented(double a, double b) {
  return (struct augmented){0, mean_slope(a, b)};
}
static struct pair mean_slope_reverse(double a, double b, double seed, void *tape) {
  return (struct pair){seed, seed};
}
GRADIENT(mean_slope, mean_slope_augmented, mean_slope_reverse);
double uses_mean_slope(double a) {
  return mean_slope(a + 1e-7, a) + mean_slope(a, 2 * a + 1) * a;
}
ASSAY_CHECK(uses_mean_slope, "double:positive");

RULE double versine(double x) {
  double s = sin(x / 2);
  return 2 * s * s;
}
AUGMENTED(versine)
static double versine_reverse(double x, double seed, void *tape) {
  double c = 1 - versine(x);
  return seed * (x > 0 ? 1 : -1) * sqrt((1 - c) * (1 + c));
}
GRADIENT(versine, versine_augmented, versine_reverse);
double uses_versine(double x) {
  return versine(1e-3 * x) * 1e3 + x;
}
ASSAY_CHECK(uses_versine);

/* Quadrature, whose derivative is the integrand. */
RULE double integral(double b) {
  double sum = 0, h = b / 64;
  for (int i = 0; i < 64; ++i) {
    double m = (i + 0.5) * h, d = h / 2 * 0.7745966692414833770;
    sum += h / 18 * (5 * exp(-(m - d) * (m - d)) + 8 * exp(-m * m) + 5 * exp(-(m + d) * (m + d)));
  }
  return sum;
}
AUGMENTED(integral)
static double integral_reverse(double b, double seed, void *tape) {
  return seed * exp(-b * b);
}
GRADIENT(integral, integral_augmented, integral_reverse);
double uses_integral(double x) {
  return integral(x) * x;
}
ASSAY_CHECK(uses_integral);

/* A generator of random numbers that every call starts alike, and one that is put back. */
static uint64_t generator = 88172645463325252ULL;
static double draw(void) {
  generator ^= generator << 13;
  generator ^= generator >> 7;
  generator ^= generator << 17;
  return (double)(generator >> 11) * 0x1p-53;
}
double restored_random(double x) {
  uint64_t held = generator;
  double sum = 0;
  for (int i = 0; i < 20; ++i)
    sum += sin(x * draw());
  generator = held;
  return sum;
}
ASSAY_CHECK(restored_random);
double seeded_random(double x, double y) {
  generator = 12345;
  double sum = 0;
  for (int i = 0; i < 20; ++i) {
    double u = draw();
    sum += u < 0.5 ? x * u : y * u * u;
  }
  return sum;
}
ASSAY_CHECK(seeded_random);

/* Strides, extents by formula, and no elements at all. */
void update(double *x, const double *y, double a, int n, int stride) {
  for (int i = 0; i < n; ++i)
    x[i * stride] = a * x[i * stride] + y[i * stride] * x[i * stride];
}
ASSAY_CHECK(update, "double[max(1,1+(n-1)*stride)]", "double[max(1,1+(n-1)*stride)]", "double", "int=0..5", "int=1..3");
void turn_round(double *x, int n) {
  for (int i = 0, j = n - 1; i < j; ++i, --j) {
    double held = x[i];
    x[i] = x[j] * 2;
    x[j] = sin(held);
  }
}
ASSAY_CHECK(turn_round, "double[n]", "int=0..40");
double mixed_types(float a, double b, const float *c, const double *d, int n) {
  double sum = a * b;
  for (int i = 0; i < n; ++i)
    sum += (float)(c[i] * d[i]) * a;
  return sum;
}
ASSAY_CHECK(mixed_types, "float", "double", "float[3]", "double[3]", "int=3");

/* Sums of thousands of floats beside a result in double: what rounding leaves of them is no fault of the rule. */
RULE void deviations(const float *x, float *y, int n) {
  float mean = 0;
  for (int i = 0; i < n; ++i)
    mean += x[i];
  mean /= n;
  for (int i = 0; i < n; ++i)
    y[i] = (x[i] - mean) * (x[i] - mean) * sinf(x[i]);
}
static void *deviations_augmented(const float *x, float *dx, float *y, float *dy, int n) {
  float *kept = malloc(n * sizeof *kept);
  memcpy(kept, x, n * sizeof *kept);
  deviations(x, y, n);
  return kept;
}
static void deviations_reverse(const float *x, float *dx, float *y, float *dy, int n, float *kept) {
  float mean = 0, of_mean = 0;
  for (int i = 0; i < n; ++i)
    mean += kept[i];
  mean /= n;
  for (int i = 0; i < n; ++i)
    of_mean += dy[i] * 2 * (kept[i] - mean) * sinf(kept[i]);
  for (int i = 0; i < n; ++i) {
    float d = kept[i] - mean;
    dx[i] += dy[i] * (d * 2 * sinf(kept[i]) + d * d * cosf(kept[i])) - of_mean / n;
    dy[i] = 0;
  }
  free(kept);
}
GRADIENT(deviations, deviations_augmented, deviations_reverse);
double uses_deviations(const float *x, float *y, int n) {
  deviations(x, y, n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i];
  return sum;
}
ASSAY_CHECK(uses_deviations, "float[4000]", "float[4000]", "int=4000");
