/* Right functions in which rounding, early stops, scales and pieces stand in the way: the check must call none of them
 * wrong. */
#include <assay/check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Householder's QR of more columns than rows. */
double qr_wide(const double *in, int m, int n) {
  double a[2][5];
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      a[i][j] = in[i * n + j];
  for (int k = 0; k < m && k < n; ++k) {
    double s = 0;
    for (int i = k; i < m; ++i)
      s += a[i][k] * a[i][k];
    s = sqrt(s);
    double alpha = a[k][k] > 0 ? -s : s;
    double v[2] = {0, 0}, vv = 0;
    for (int i = k; i < m; ++i)
      v[i] = a[i][k];
    v[k] -= alpha;
    for (int i = k; i < m; ++i)
      vv += v[i] * v[i];
    if (vv == 0)
      continue;
    for (int j = k; j < n; ++j) {
      double d = 0;
      for (int i = k; i < m; ++i)
        d += v[i] * a[i][j];
      for (int i = k; i < m; ++i)
        a[i][j] -= 2 * d / vv * v[i];
    }
  }
  double sum = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      sum += (i + 1) * a[i][j] * (j + 1);
  return sum;
}
ASSAY_CHECK(qr_wide, "double[2x4]", "int=2", "int=4");

/* Modified Gram-Schmidt of nearly parallel vectors, in place. */
void mgs_near(double *a, int n) {
  for (int k = 0; k < n; ++k) {
    double r = 0;
    for (int i = 0; i < n; ++i)
      a[k * n + i] = 1 + 1e-7 * a[k * n + i];
  }
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) {
      double d = 0;
      for (int i = 0; i < n; ++i)
        d += a[k * n + i] * a[j * n + i];
      for (int i = 0; i < n; ++i)
        a[k * n + i] -= d * a[j * n + i];
    }
    double r = 0;
    for (int i = 0; i < n; ++i)
      r += a[k * n + i] * a[k * n + i];
    r = sqrt(r);
    for (int i = 0; i < n; ++i)
      a[k * n + i] /= r;
  }
}
ASSAY_CHECK(mgs_near, "double[3x3]", "int=3");

/* An expanded power near its sixfold root. */
double sextic(double x) {
  double t = 1 + 1e-3 * x;
  double p = ((((((t - 6) * t + 15) * t - 20) * t + 15) * t - 6) * t + 1);
  return p / pow(t - 1, 6);
}
ASSAY_CHECK(sextic, "double:nonzero");

/* Kahan's formula for exp(x) - 1. */
double expm1_kahan(double x) {
  x *= 1e-6;
  double u = exp(x);
  if (u == 1)
    return x;
  double um1 = u - 1;
  if (um1 == -1)
    return -1;
  return um1 * x / log(u);
}
ASSAY_CHECK(expm1_kahan, "double");

/* A dot product in twice the precision. */
static void two_sum(double a, double b, double *s, double *e) {
  *s = a + b;
  double bb = *s - a;
  *e = (a - (*s - bb)) + (b - bb);
}
static void two_prod(double a, double b, double *p, double *e) {
  *p = a * b;
  *e = fma(a, b, -*p);
}
double dd_dot(const double *x, const double *y, int n) {
  double s = 0, c = 0;
  for (int i = 0; i < n; ++i) {
    double p, e, t, f;
    two_prod(x[i], y[i], &p, &e);
    two_sum(s, p, &t, &f);
    s = t;
    c += e + f;
  }
  return s + c;
}
ASSAY_CHECK(dd_dot, "double[5]", "double[5]", "int=5");

/* The low part alone of a difference in twice the precision: the compiler joins 1 + 1e-12 in the adjoint. */
double dd_residual(double a, double b) {
  double p, e, q, f;
  two_prod(a, b, &p, &e);
  two_prod(a + 1, b, &q, &f);
  double s, g;
  two_sum(q, -p, &s, &g);
  return ((s - b) + g) + (f - e) + a * b * 1e-12;
}
ASSAY_CHECK(dd_residual, "double", "double");

/* Neumaier's sum, which branches on magnitudes. */
double neumaier(const double *x, int n) {
  double sum = 1e16, c = 0;
  for (int i = 0; i <= n; ++i) {
    double v = i < n ? x[i] : -1e16;
    double t = sum + v;
    if (fabs(sum) >= fabs(v))
      c += (sum - t) + v;
    else
      c += (v - t) + sum;
    sum = t;
  }
  return sum + c;
}
ASSAY_CHECK(neumaier, "double[6]", "int=6");

/* A product that passes through subnormal numbers. */
double subnormal_product(double x, double y) {
  double t = x * 1e-308 * 1e-5;
  t *= y;
  return t * 1e308 * 1e5;
}
ASSAY_CHECK(subnormal_product, "double:positive", "double:positive");

/* A variance about a large mean, in float. */
float float_variance(const float *x, int n) {
  float s = 0, q = 0;
  for (int i = 0; i < n; ++i) {
    float y = 1000 + x[i];
    s += y;
    q += y * y;
  }
  return (q - s * s / n) / (n - 1);
}
ASSAY_CHECK(float_variance, "float[6]", "int=6");

/* An entropy where one probability is 1 but for 1e-35. */
double softmax_entropy(const double *x, int n) {
  double m = x[0], s = 0, h = 0;
  for (int i = 1; i < n; ++i)
    m = x[i] > m ? x[i] : m;
  for (int i = 0; i < n; ++i)
    s += exp(40 * (x[i] - m));
  for (int i = 0; i < n; ++i) {
    double p = exp(40 * (x[i] - m)) / s;
    h -= p > 0 ? p * log(p) : 0;
  }
  return h;
}
ASSAY_CHECK(softmax_entropy, "double[5]", "int=5");

/* A length without overflow. */
double dnrm2(const double *x, int n) {
  double scale = 0, ssq = 1;
  for (int i = 0; i < n; ++i)
    if (x[i] != 0) {
      double a = fabs(x[i]);
      if (scale < a) {
        ssq = 1 + ssq * (scale / a) * (scale / a);
        scale = a;
      } else
        ssq += (a / scale) * (a / scale);
    }
  return scale * sqrt(ssq);
}
ASSAY_CHECK(dnrm2, "double[6]", "int=6");

/* The same at 1e300. */
double dnrm2_huge(const double *x, int n) {
  double y[6];
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * 1e300;
  return dnrm2(y, n) * 1e-300;
}
ASSAY_CHECK(dnrm2_huge, "double[6]", "int=6");

/* A fixed-point iteration that stops early. */
double fixed_point(double a) {
  double x = 0;
  for (int i = 0; i < 1000; ++i) {
    double next = cos(a * x) * 0.7;
    if (fabs(next - x) < 1e-6)
      break;
    x = next;
  }
  return x;
}
ASSAY_CHECK(fixed_point, "double:(0.1,1)");

/* A bracketed root, whose derivative is in one last step of Newton's method. */
double bisection(double a) {
  double lo = 0, hi = 4;
  while (hi - lo > 1e-12) {
    double mid = 0.5 * (lo + hi);
    if (mid * mid * mid + mid < a)
      lo = mid;
    else
      hi = mid;
  }
  double x = 0.5 * (lo + hi);
  return x - (x * x * x + x - a) / (3 * x * x + 1);
}
ASSAY_CHECK(bisection, "double:positive");

/* Lentz's method for a continued fraction. */
double lentz(double x) {
  double tiny = 1e-300, f = tiny, C = f, D = 0;
  for (int i = 1; i < 200; ++i) {
    double a = i == 1 ? x : (i - 1) * (i - 1) * x * x, b = 2 * i - 1;
    D = b + a * D;
    if (D == 0)
      D = tiny;
    C = b + a / C;
    if (C == 0)
      C = tiny;
    D = 1 / D;
    double delta = C * D;
    f *= delta;
    if (fabs(delta - 1) < 1e-15)
      break;
  }
  return f;
}
ASSAY_CHECK(lentz, "double:(0.1,2)");

/* Miller's backward recurrence for a Bessel function, rescaled on the way. */
double miller(double x) {
  double up = 0, here = 1e-280, sum = 0, wanted = 0;
  for (int k = 60; k > 0; --k) {
    double down = 2 * k / x * here - up;
    up = here;
    here = down;
    if (k - 1 == 3)
      wanted = here;
    if ((k - 1) % 2 == 0 && k > 1)
      sum += 2 * here;
    if (fabs(here) > 1e200) {
      here *= 1e-200;
      up *= 1e-200;
      sum *= 1e-200;
      wanted *= 1e-200;
    }
  }
  sum += here;
  return wanted / sum;
}
ASSAY_CHECK(miller, "double:(0.5,10)");

/* Adaptive quadrature of a narrow peak. */
static double g(double t, double a) {
  return 1 / (1e-2 + (t - a) * (t - a));
}
static double simpson(double a, double b, double fa, double fm, double fb, double whole, double p, int depth) {
  double m = (a + b) / 2, l = (a + m) / 2, r = (m + b) / 2;
  double fl = g(l, p), fr = g(r, p);
  double left = (m - a) / 6 * (fa + 4 * fl + fm), right = (b - m) / 6 * (fm + 4 * fr + fb);
  double d = left + right - whole;
  if (depth <= 0 || fabs(d) < 1e-6)
    return left + right + d / 15;
  return simpson(a, m, fa, fl, fm, left, p, depth - 1) + simpson(m, b, fm, fr, fb, right, p, depth - 1);
}
double adaptive(double p, double b) {
  double fa = g(0, p), fm = g(b / 2, p), fb = g(b, p);
  return simpson(0, b, fa, fm, fb, b / 6 * (fa + 4 * fm + fb), p, 12);
}
ASSAY_CHECK(adaptive, "double:(0,1)", "double:(1,2)");

/* A differential equation with adaptive steps, on which the result depends. */
double ode(double y, double k) {
  double t = 0, h = 0.1;
  for (int i = 0; i < 1000 && t < 1; ++i) {
    if (t + h > 1)
      h = 1 - t;
    double k1 = -k * y + sin(t), e = y + h * k1, k2 = -k * e + sin(t + h);
    double z = y + h / 2 * (k1 + k2), err = fabs(z - e) + 1e-14;
    if (err < 1e-4) {
      t += h;
      y = z;
    }
    double f = 0.9 * sqrt(1e-4 / err);
    h *= f > 2 ? 2 : f < 0.2 ? 0.2 : f;
  }
  return y;
}
ASSAY_CHECK(ode, "double", "double:(0.5,3)");

/* A median by insertion, at ties as well. */
double median(const double *x, int n) {
  double a[9];
  memcpy(a, x, n * sizeof *a);
  for (int i = 1; i < n; ++i) {
    double v = a[i];
    int j = i;
    while (j > 0 && a[j - 1] > v) {
      a[j] = a[j - 1];
      --j;
    }
    a[j] = v;
  }
  return n % 2 ? a[n / 2] : 0.5 * (a[n / 2] + a[n / 2 - 1]);
}
ASSAY_CHECK(median, "double[n]:quantised(0.5)", "int=1..9");

/* Pieces: rounding and remainders. */
double pieces(double x) {
  return fmod(x, 0.5) + floor(x) * 2 + round(3 * x) + rint(x) + trunc(x) * x + remainder(x, 0.3);
}
ASSAY_CHECK(pieces, "double");

/* A radiation law in SI units, whose exponential overflows at the edge of the domain. */
double planck(double nu, double T) {
  double h = 6.62607015e-34, k = 1.380649e-23, c = 2.99792458e8;
  double n = nu * 1e13, t = T * 300;
  return 2 * h * n * n * n / (c * c) / expm1(h * n / (k * t));
}
ASSAY_CHECK(planck, "double:positive", "double:positive");

/* An interaction in SI units, of a number of atoms that is drawn. */
double lj(const double *x, int n) {
  double e = 0, k = 1.380649e-23 * 120, s = 3.4e-10;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
      double r2 = dx * dx + dy * dy + dz * dz, q = s * s / r2, q3 = q * q * q;
      e += 4 * k * (q3 * q3 - q3);
    }
  return e;
}
ASSAY_CHECK(lj, "double[3*n]:any*1e-9", "int=2..5");

/* The inverse square root by its bits. */
double rsqrt_double(double x) {
  long long i;
  memcpy(&i, &x, 8);
  i = 0x5fe6eb50c7b537a9LL - (i >> 1);
  double y;
  memcpy(&y, &i, 8);
  for (int k = 0; k < 5; ++k)
    y = y * (1.5 - 0.5 * x * y * y);
  return y;
}
ASSAY_CHECK(rsqrt_double, "double:positive");

/* Stochastic rounding by a hash of the index. */
static unsigned long long mix(unsigned long long z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
double stochastic(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double y = x[i] * 1024, f = floor(y), r = (mix(i + 7) >> 11) * 0x1p-53;
    double q = f + (y - f > r);
    s += x[i] * x[i] + q / 1024 * x[i];
  }
  return s;
}
ASSAY_CHECK(stochastic, "double[5]", "int=5");

/* A ratio of numbers beyond and below all ordinary ones. */
double overflow_middle(double x, double y) {
  double a = exp(300 * x) * 1e-200, b = exp(300 * y) * 1e-200;
  return a / (a + b);
}
ASSAY_CHECK(overflow_middle, "double:(1,2)", "double:(1,2)");

/* A quotient whose square underflows. */
double divide_small(double x) {
  double t = 1e-200 * x;
  return t / (t * t + 1e-300) * 1e-100;
}
ASSAY_CHECK(divide_small, "double:positive");

/* A fifth divided difference of crowded nodes: no digit is right. */
double vandermonde(const double *c, int n) {
  double t[6], y[6];
  for (int i = 0; i < n; ++i) {
    t[i] = 1 + 1e-3 * i;
    y[i] = sin(c[0] * t[i]) + c[1] * t[i];
  }
  for (int k = 1; k < n; ++k)
    for (int i = n - 1; i >= k; --i)
      y[i] = (y[i] - y[i - 1]) / (t[i] - t[i - k]);
  return y[n - 1];
}
ASSAY_CHECK(vandermonde, "double[2]", "int=6");

/* The determinant of a nearly singular matrix. */
double cholesky_near(const double *x, int n) {
  double a[16], l[16] = {0}, s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] = x[i] * x[j] + (i == j) * 1e-9;
  for (int j = 0; j < n; ++j) {
    double d = a[j * n + j];
    for (int k = 0; k < j; ++k)
      d -= l[j * n + k] * l[j * n + k];
    if (d <= 0)
      return 0;
    l[j * n + j] = sqrt(d);
    for (int i = j + 1; i < n; ++i) {
      double e = a[i * n + j];
      for (int k = 0; k < j; ++k)
        e -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = e / l[j * n + j];
    }
    s += log(d);
  }
  return s;
}
ASSAY_CHECK(cholesky_near, "double[4]:positive", "int=4");

/* The largest eigenvalue by iteration. */
double power_iteration(const double *x, int n) {
  double v[3] = {1, 1, 1}, l = 0;
  for (int it = 0; it < 200; ++it) {
    double w[3], s = 0;
    for (int i = 0; i < 3; ++i) {
      w[i] = 0;
      for (int j = 0; j < 3; ++j)
        w[i] += (x[3 * i + j] + (i == j) * 3) * v[j];
      s += w[i] * w[i];
    }
    s = sqrt(s);
    for (int i = 0; i < 3; ++i)
      v[i] = w[i] / s;
    if (fabs(s - l) < 1e-12)
      break;
    l = s;
  }
  return l;
}
ASSAY_CHECK(power_iteration, "double[9]:positive", "int=3");

/* Conjugate gradients with a matrix that depends on the input. */
double cg(const double *b, int n) {
  double x[6] = {0}, r[6], p[6], rr = 0;
  for (int i = 0; i < n; ++i)
    p[i] = r[i] = b[i], rr += b[i] * b[i];
  for (int it = 0; it < 20 && rr > 1e-24; ++it) {
    double ap[6], pap = 0, rn = 0;
    for (int i = 0; i < n; ++i) {
      ap[i] = (2 + 0.1 * b[i] * b[i]) * p[i] - (i ? p[i - 1] : 0) - (i < n - 1 ? p[i + 1] : 0);
      pap += p[i] * ap[i];
    }
    double al = rr / pap;
    for (int i = 0; i < n; ++i) {
      x[i] += al * p[i];
      r[i] -= al * ap[i];
      rn += r[i] * r[i];
    }
    for (int i = 0; i < n; ++i)
      p[i] = r[i] + rn / rr * p[i];
    rr = rn;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * b[i];
  return s;
}
ASSAY_CHECK(cg, "double[6]", "int=6");

/* The angle between vectors, one of which may be zero: atan2 has no derivative there, though the angle does not move.
 */
double angle(const double *u, const double *v) {
  return atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]) * u[0];
}
ASSAY_CHECK(angle, "double[2]", "double[2]");

/* A cube root with a factor that takes its pole away. */
double tamed_cube_root(double a, double c) {
  return cbrt(a * c) * c;
}
ASSAY_CHECK(tamed_cube_root);

/* The logistic loss with logits, stable at both ends: smooth at 0, where its parts are not. */
double logistic_loss(const double *z, const double *y, int n) {
  double loss = 0;
  for (int i = 0; i < n; ++i)
    loss += fmax(z[i], 0) - z[i] * y[i] + log1p(exp(-fabs(z[i])));
  return loss / n;
}
ASSAY_CHECK(logistic_loss, "double[5]", "double[5]", "int=5");

/* The same by branches. */
double softplus(double x) {
  double most = x > 0 ? x : 0, size = x < 0 ? -x : x;
  return most + log1p(exp(-size));
}
ASSAY_CHECK(softplus);
