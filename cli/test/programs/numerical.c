/* Numerical programs as users write them: factorisations, integrators, recursion, state machines, heap and in-place
 * structures. The command checks every one of them at every optimisation level. */
#include <assay/check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
double cholesky_logdet(const double *m, int n) {
  double *l = calloc(n * n, sizeof(double));
  double d = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double s = 0;
      for (int k = 0; k < n; ++k)
        s += m[i * n + k] * m[j * n + k];
      if (i == j)
        s += 3;
      for (int k = 0; k < j; ++k)
        s -= l[i * n + k] * l[j * n + k];
      if (i == j) {
        l[i * n + i] = sqrt(s);
        d += log(l[i * n + i]);
      } else
        l[i * n + j] = s / l[j * n + j];
    }
  free(l);
  return 2 * d;
}
ASSAY_CHECK(cholesky_logdet, "double[3x3]", "int=3");

void lu_inplace(double *a, int n) {
  for (int k = 0; k < n; ++k) {
    a[k * n + k] += 5;
    for (int i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  }
}
ASSAY_CHECK(lu_inplace, "double[4x4]:(-1,1)", "int=4");

static void rhs(const double *y, double *dy, double p) {
  dy[0] = p * y[1];
  dy[1] = -sin(y[0]) - 0.1 * y[1] * y[1];
}
void rk4(double *y, double p, int steps) {
  double k1[2], k2[2], k3[2], k4[2], t[2];
  const double h = 0.05;
  for (int s = 0; s < steps; ++s) {
    rhs(y, k1, p);
    for (int i = 0; i < 2; ++i)
      t[i] = y[i] + h / 2 * k1[i];
    rhs(t, k2, p);
    for (int i = 0; i < 2; ++i)
      t[i] = y[i] + h / 2 * k2[i];
    rhs(t, k3, p);
    for (int i = 0; i < 2; ++i)
      t[i] = y[i] + h * k3[i];
    rhs(t, k4, p);
    for (int i = 0; i < 2; ++i)
      y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}
ASSAY_CHECK(rk4, "double[2]", "double", "int=9");

static void fft(double *re, double *im, int n) {
  if (n == 1)
    return;
  double *t = malloc(2 * n * sizeof(double));
  int h = n / 2;
  for (int i = 0; i < h; ++i) {
    t[i] = re[2 * i];
    t[h + i] = re[2 * i + 1];
    t[n + i] = im[2 * i];
    t[n + h + i] = im[2 * i + 1];
  }
  memcpy(re, t, n * sizeof(double));
  memcpy(im, t + n, n * sizeof(double));
  free(t);
  fft(re, im, h);
  fft(re + h, im + h, h);
  for (int k = 0; k < h; ++k) {
    double c = cos(2 * M_PI * k / n), s = -sin(2 * M_PI * k / n);
    double xr = c * re[h + k] - s * im[h + k], xi = c * im[h + k] + s * re[h + k];
    re[h + k] = re[k] - xr;
    im[h + k] = im[k] - xi;
    re[k] += xr;
    im[k] += xi;
  }
}
double spectrum(double *re, double *im, int n) {
  fft(re, im, n);
  double e = 0;
  for (int i = 0; i < n; ++i)
    e += (i + 1) * (re[i] * re[i] + im[i] * im[i]);
  return e;
}
ASSAY_CHECK(spectrum, "double[8]", "double[8]", "int=8");

double interp(const double *table, double x, int n) {
  int i = (int)floor(x);
  if (i < 0)
    i = 0;
  if (i > n - 2)
    i = n - 2;
  double f = x - i;
  return table[i] * (1 - f) * (1 - f) + table[i + 1] * f;
}
ASSAY_CHECK(interp, "double[6]", "double:(0.1,4.9)", "int=6");

double automaton(const double *x, int n) {
  double s = 1;
  int state = 0;
  for (int i = 0; i < n; ++i)
    switch (state) {
    case 0:
      s *= x[i];
      state = x[i] > 0 ? 1 : 2;
      break;
    case 1:
      s += x[i] * x[i];
      state = 2;
      break;
    default:
      s = s - x[i] * s;
      state = 0;
    }
  return s;
}
ASSAY_CHECK(automaton, "double[7]", "int=7");

double gotos(double x) {
  int i = 0;
  double s = x;
again:
  s = s * x + 1;
  if (++i < 4)
    goto again;
  if (s > 3)
    goto out;
  s *= s;
out:
  return s;
}
ASSAY_CHECK(gotos);

static int is_even(int n, double *x);
static int is_odd(int n, double *x) {
  if (n == 0)
    return 0;
  *x *= 1.1 * *x;
  return is_even(n - 1, x);
}
static int is_even(int n, double *x) {
  if (n == 0)
    return 1;
  *x += sin(*x);
  return is_odd(n - 1, x);
}
double mutual(double x, int n) {
  double y = x;
  is_even(n, &y);
  return y;
}
ASSAY_CHECK(mutual, "double:(-1,1)", "int=5");

typedef double (*op)(double, double);
static double add(double a, double b) {
  return a + b;
}
static double mul(double a, double b) {
  return a * b;
}
static double pw(double a, double b) {
  return pow(fabs(a) + 1, b);
}
double table_of_functions(double x, double y, int k) {
  static const op ops[] = {add, mul, pw};
  return ops[k % 3](x, y) + ops[(k + 1) % 3](y, x);
}
ASSAY_CHECK(table_of_functions, "double", "double", "int=1");

double growing(const double *x, int n) {
  double *a = 0;
  int c = 0, m = 0;
  for (int i = 0; i < n; ++i) {
    if (c == m) {
      m = m ? 2 * m : 1;
      a = realloc(a, m * sizeof(double));
    }
    a[c++] = x[i] * x[i];
  }
  double s = 0;
  for (int i = 0; i < c; ++i)
    s += a[i] * a[c - 1 - i];
  free(a);
  return s;
}
ASSAY_CHECK(growing, "double[5]", "int=5");

struct node {
  double v;
  struct node *next;
};
double linked_list(const double *x, int n) {
  struct node *h = 0;
  for (int i = 0; i < n; ++i) {
    struct node *k = malloc(sizeof *k);
    k->v = x[i];
    k->next = h;
    h = k;
  }
  double s = 0, p = 1;
  while (h) {
    p *= h->v;
    s += p;
    struct node *k = h->next;
    free(h);
    h = k;
  }
  return s;
}
ASSAY_CHECK(linked_list, "double[5]", "int=5");

void swap_sort(double *x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j + 1 < n - i; ++j)
      if (x[j] > x[j + 1]) {
        double t = x[j];
        x[j] = x[j + 1];
        x[j + 1] = t;
      }
  for (int i = 0; i < n; ++i)
    x[i] *= i + 1;
}
ASSAY_CHECK(swap_sort, "double[6]", "int=6");

double bisect(double a) {
  double lo = 0, hi = 10;
  for (int i = 0; i < 60; ++i) {
    double m = (lo + hi) / 2;
    if (m * m * m + m < a)
      lo = m;
    else
      hi = m;
  }
  double m = (lo + hi) / 2;
  return m - (m * m * m + m - a) / (3 * m * m + 1);
}
ASSAY_CHECK(bisect, "double:(1,20)");

double early(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] < -1)
      continue;
    if (s > 2)
      break;
    s += exp(x[i]);
    for (int j = 0;; ++j) {
      if (j > i)
        break;
      s *= 1.01;
    }
  }
  return s;
}
ASSAY_CHECK(early, "double[6]", "int=6");

double libm(double x, double y) {
  return atan2(y, x) + hypot(x, y) * fmod(x, 0.7) + cbrt(x) + lgamma(x + 2) + erf(y) + log1p(x * x) + expm1(y) +
         copysign(x, y) + fma(x, y, x) + fmax(x, y) + tanh(x);
}
ASSAY_CHECK(libm, "double:positive", "double");

float floats(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += sqrtf(fabsf(x[i]) + 1) * powf(fabsf(x[i]) + 1, 1.5f);
  return s;
}
ASSAY_CHECK(floats, "float[5]", "int=5");

void gray_scott(double *u, double *v, int n, int steps, double f) {
  double *nu = malloc(n * sizeof(double)), *nv = malloc(n * sizeof(double));
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i) {
      int l = (i + n - 1) % n, r = (i + 1) % n;
      double uvv = u[i] * v[i] * v[i];
      nu[i] = u[i] + 0.1 * (u[l] - 2 * u[i] + u[r]) - uvv + f * (1 - u[i]);
      nv[i] = v[i] + 0.05 * (v[l] - 2 * v[i] + v[r]) + uvv - (f + 0.06) * v[i];
    }
    double *t;
    memcpy(u, nu, n * sizeof(double));
    t = nv;
    memmove(v, t, n * sizeof(double));
  }
  free(nu);
  free(nv);
}
ASSAY_CHECK(gray_scott, "double[6]:(0.2,0.8)", "double[6]:(0.1,0.4)", "int=6", "int=4", "double:(0.02,0.06)");

double swap_buffers(const double *x, int n, int steps) {
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  memcpy(a, x, n * sizeof *a);
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i)
      b[i] = a[i] * a[(i + 1) % n];
    double *t = a;
    a = b;
    b = t;
  }
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += a[i];
  free(a);
  free(b);
  return r;
}
ASSAY_CHECK(swap_buffers, "double[5]:(0.5,1.5)", "int=5", "int=3");

union pun {
  double d;
  unsigned long u;
};
double bits(double x) {
  union pun p;
  p.d = x;
  p.u ^= 0x8000000000000000ul;
  return p.d * x;
}
ASSAY_CHECK(bits);

double vla(int n, double x) {
  double a[n];
  a[0] = x;
  for (int i = 1; i < n; ++i)
    a[i] = a[i - 1] * x;
  double s = 0;
  for (int i = n; i-- > 0;)
    s += a[i];
  return s;
}
ASSAY_CHECK(vla, "int=5", "double:(-1,1)");

void saxpy(float a, const float *x, float *y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}
ASSAY_CHECK(saxpy, "float", "float[9]", "float[9]", "long=9");

double mandel(double cr, double ci) {
  double x = 0, y = 0;
  int it = 0;
  while (x * x + y * y < 4 && it < 30) {
    double t = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = t;
    ++it;
  }
  return x * x + y * y;
}
ASSAY_CHECK(mandel, "double:(0.4,0.6)", "double:(0.4,0.6)");

static double counter_state;
double global_state(double x) {
  counter_state = x * x;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += counter_state;
    counter_state *= x;
  }
  return s;
}
ASSAY_CHECK(global_state);

/* At 0 the chain rule multiplies an infinite slope by zero, though the function is smooth: undecided there. */
double root_of_cube(double x) {
  return cbrt(x * x * x);
}
ASSAY_CHECK(root_of_cube);
