// Functions whose gradient check has to end soon although they compute for long: bench/check_limits/README.md.

#include <assay/check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// c = a b, n x n.
void product(const double *restrict a, const double *restrict b, double *restrict c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
ASSAY_CHECK(product, "double[100x100]", "double[100x100]", "double[100x100]", "int=100");

/// The lower factor in place.
void cholesky(double *a, int n) {
  for (int j = 0; j < n; ++j) {
    double d = a[j * n + j];
    for (int k = 0; k < j; ++k)
      d -= a[j * n + k] * a[j * n + k];
    d = sqrt(d);
    a[j * n + j] = d;
    for (int i = j + 1; i < n; ++i) {
      double s = a[i * n + j];
      for (int k = 0; k < j; ++k)
        s -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = s / d;
    }
  }
}
ASSAY_CHECK(cholesky, "double[100x100]:spd", "int=100");

/// 1,000 inputs.
double rosenbrock(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) {
    const double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];
    sum += a * a + 100 * b * b;
  }
  return sum;
}
ASSAY_CHECK(rosenbrock, "double[1000]", "int=1000");

/// Lotka-Volterra by the midpoint rule, 1e5 steps.
double predators(double *state, const double *rates, int steps) {
  const double h = 1e-4;
  for (int i = 0; i < steps; ++i) {
    const double x = state[0], y = state[1];
    const double mx = x + h / 2 * (rates[0] * x - rates[1] * x * y), my = y + h / 2 * (rates[2] * x * y - rates[3] * y);
    state[0] = x + h * (rates[0] * mx - rates[1] * mx * my);
    state[1] = y + h * (rates[2] * mx * my - rates[3] * my);
  }
  return state[0] + state[1];
}
ASSAY_CHECK(predators, "double[2]:(0.5,2)", "double[4]:(0.5,1.5)", "int=100000");

/// 64 bodies, 10 steps of leapfrog.
void n_body(double *x, double *v, const double *m, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double d[3], r2 = 0.05;
        for (int k = 0; k < 3; ++k) {
          d[k] = x[3 * j + k] - x[3 * i + k];
          r2 += d[k] * d[k];
        }
        const double f = m[j] / (r2 * sqrt(r2));
        for (int k = 0; k < 3; ++k)
          v[3 * i + k] += 1e-3 * f * d[k];
      }
    for (int i = 0; i < 3 * n; ++i)
      x[i] += 1e-3 * v[i];
  }
}
ASSAY_CHECK(n_body, "double[64x3]", "double[64x3]", "double[64]:(0.5,2)", "int=64", "int=10");

/// |tanh(A .. tanh(A x))|^2, A of 300 x 300.
double layers(const double *a, const double *x, int n, int depth) {
  double *now = malloc(n * sizeof *now), *next = malloc(n * sizeof *next);
  memcpy(now, x, n * sizeof *now);
  for (int l = 0; l < depth; ++l) {
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += a[i * n + j] * now[j];
      next[i] = tanh(sum);
    }
    double *other = now;
    now = next;
    next = other;
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += now[i] * now[i];
  free(now);
  free(next);
  return sum;
}
ASSAY_CHECK(layers, "double[300x300]:(-0.1,0.1)", "double[300]", "int=300", "int=5");

/// In place, radix 2, 4096 points; real and imaginary parts in turn.
void transform(double *z, int n) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j)
      for (int k = 0; k < 2; ++k) {
        const double t = z[2 * i + k];
        z[2 * i + k] = z[2 * j + k];
        z[2 * j + k] = t;
      }
  }
  for (int length = 2; length <= n; length *= 2)
    for (int i = 0; i < n; i += length)
      for (int k = 0; k < length / 2; ++k) {
        const double angle = -2 * 3.14159265358979323846 * k / length, c = cos(angle), s = sin(angle);
        double *p = z + 2 * (i + k), *q = z + 2 * (i + k + length / 2);
        const double re = q[0] * c - q[1] * s, im = q[0] * s + q[1] * c;
        q[0] = p[0] - re, q[1] = p[1] - im;
        p[0] += re, p[1] += im;
      }
}
ASSAY_CHECK(transform, "double[8192]", "int=4096");

/// The price of an option over 1e6 paths of one step.
double option(double spot, double volatility, double rate, int paths) {
  unsigned long long seed = 42;
  double sum = 0;
  for (int i = 0; i < paths; ++i) {
    double normal = -6;
    for (int k = 0; k < 12; ++k) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      normal += (double)(seed >> 11) * 0x1p-53;
    }
    const double end = spot * exp(rate - volatility * volatility / 2 + volatility * normal);
    sum += end > 1 ? end - 1 : 0;
  }
  return exp(-rate) * sum / paths;
}
ASSAY_CHECK(option, "double:(0.8,1.2)", "double:(0.1,0.4)", "double:(0,0.1)", "int=1000000");

/// 200 sweeps of Gauss-Seidel on the Laplacian of a 50 x 50 grid in compressed rows.
double relax(const double *values, const double *right, int side) {
  const int n = side * side;
  double *x = calloc(n, sizeof *x);
  for (int sweep = 0; sweep < 200; ++sweep)
    for (int i = 0; i < n; ++i) {
      double sum = right[i];
      const int neighbours[4] = {i - 1, i + 1, i - side, i + side};
      for (int k = 0; k < 4; ++k)
        if (neighbours[k] >= 0 && neighbours[k] < n)
          sum += values[5 * i + k] * x[neighbours[k]];
      x[i] = sum / (4 + values[5 * i + 4]);
    }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  free(x);
  return sum;
}
ASSAY_CHECK(relax, "double[2500x5]:(0.5,1)", "double[2500]", "int=50");

double fibonacci(double x, int n) {
  return n < 2 ? x * (n + 1) : fibonacci(x, n - 1) + 0.5 * fibonacci(x, n - 2);
}
ASSAY_CHECK(fibonacci, "double", "int=27");

/// 5 x 5 Gaussian blur of 128 x 128, ten times.
void blur(const double *in, double *out, int n) {
  const double w[5] = {0.06, 0.24, 0.4, 0.24, 0.06};
  double *a = malloc(n * n * sizeof *a);
  memcpy(out, in, n * n * sizeof *out);
  for (int time = 0; time < 10; ++time) {
    memcpy(a, out, n * n * sizeof *a);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = -2; k <= 2; ++k)
          for (int l = -2; l <= 2; ++l) {
            const int y = i + k < 0 ? 0 : i + k >= n ? n - 1 : i + k, x = j + l < 0 ? 0 : j + l >= n ? n - 1 : j + l;
            sum += w[k + 2] * w[l + 2] * a[y * n + x];
          }
        out[i * n + j] = sum;
      }
  }
  free(a);
}
ASSAY_CHECK(blur, "double[128x128]", "double[128x128]", "int=128");

/// A small LSTM: 8 inputs, 16 cells, 50 times.
double lstm(const double *x, const double *w, const double *b, int times) {
  double h[16] = {0}, c[16] = {0};
  for (int t = 0; t < times; ++t) {
    double gates[64];
    for (int g = 0; g < 64; ++g) {
      double sum = b[g];
      for (int i = 0; i < 8; ++i)
        sum += w[g * 24 + i] * x[t * 8 + i];
      for (int i = 0; i < 16; ++i)
        sum += w[g * 24 + 8 + i] * h[i];
      gates[g] = g < 48 ? 1 / (1 + exp(-sum)) : tanh(sum);
    }
    for (int i = 0; i < 16; ++i) {
      c[i] = gates[16 + i] * c[i] + gates[i] * gates[48 + i];
      h[i] = gates[32 + i] * tanh(c[i]);
    }
  }
  double sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += h[i];
  return sum;
}
ASSAY_CHECK(lstm, "double[50x8]", "double[64x24]:(-0.5,0.5)", "double[64]", "int=50");
