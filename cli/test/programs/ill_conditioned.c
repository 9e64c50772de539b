/* Right functions in which rounding takes digits of the derivative: the check must call none of them wrong. */
#include <assay/check.h>
#include <float.h>
#include <math.h>

/* Gram-Schmidt of three vectors in the plane: the third residual is noise. */
double gram_schmidt_3_in_2(const double *a, int n) {
  double q[3][2], sum = 0;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 2; ++i)
      q[k][i] = a[2 * k + i];
    for (int j = 0; j < k; ++j) {
      double d = q[k][0] * q[j][0] + q[k][1] * q[j][1];
      for (int i = 0; i < 2; ++i)
        q[k][i] -= d * q[j][i];
    }
    double r = sqrt(q[k][0] * q[k][0] + q[k][1] * q[k][1]);
    for (int i = 0; i < 2; ++i)
      q[k][i] /= r;
    sum += q[k][0] + 2 * q[k][1];
  }
  return sum;
}
ASSAY_CHECK(gram_schmidt_3_in_2, "double[6]", "int=2");

/* polynomial near a multiple root, Horner */
double near_root(double d) {
  double x = 1 + 1e-5 * d;
  double p = 1;
  double c[8] = {1, -7, 21, -35, 35, -21, 7, -1};
  p = c[0];
  for (int i = 1; i < 8; ++i)
    p = p * x + c[i];
  return p;
}
ASSAY_CHECK(near_root, "double:(0.5,1)");

/* Wilkinson's crowded roots: expanded */
double wilkinson(double x) {
  double c[13] = {0};
  c[0] = 1;
  for (int r = 1; r <= 12; ++r)
    for (int i = r; i > 0; --i)
      c[i] -= r * c[i - 1];
  double p = c[0];
  for (int i = 1; i <= 12; ++i)
    p = p * x + c[i];
  return p;
}
ASSAY_CHECK(wilkinson, "double:(6.9,7.1)");

/* difference of nearly equal numbers */
double nearly_equal(double x) {
  double big = 1e8;
  return (sqrt(big * big + x) - big) * 1e8;
}
ASSAY_CHECK(nearly_equal, "double:positive");

/* exp-log near zero */
double exp_log(double x) {
  double y = 1e-9 * x;
  return (exp(log(1 + y)) - 1) / y;
}
ASSAY_CHECK(exp_log, "double:positive");

/* quadratic formula with cancellation */
double small_root(double a, double b, double c) {
  double B = 1e7 * b;
  return (-B + sqrt(B * B - 4 * a * c)) / (2 * a);
}
ASSAY_CHECK(small_root, "double:positive", "double:positive", "double:positive");

/* two-sum */
double two_sum(double a, double b) {
  double s = a + b * 1e-3, bb = s - a, e = (a - (s - bb)) + (b * 1e-3 - bb);
  return s * s + 3 * e;
}
ASSAY_CHECK(two_sum, "double", "double");

/* Dekker splitting product */
double dekker(double a, double b) {
  double c = 134217729 * a, h = c - (c - a), l = a - h;
  double d = 134217729 * b, g = d - (d - b), m = b - g;
  double p = a * b, e = ((h * g - p) + h * m + l * g) + l * m;
  return p + e;
}
ASSAY_CHECK(dekker, "double", "double");

/* sums in subnormals */
double subnormal(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * 1e-310 * (i + 1);
  return s;
}
ASSAY_CHECK(subnormal, "double[5]", "int=5");

/* float rounding inside double code */
double through_float(double x, double y) {
  float a = (float)(x * y), b = (float)(x + y);
  return (double)a * b - (float)(x * x * y);
}
ASSAY_CHECK(through_float, "double", "double");

/* lanes under cancellation in float */
float float_cancel(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * 1000;
  for (int i = 0; i < n; ++i)
    s -= x[i] * 999.9f;
  return s * s;
}
ASSAY_CHECK(float_cancel, "float[8]", "int=8");

/* reverse overflows where forward does not */
double scaled(double x) {
  double t = x * 1e-200;
  t = t * 1e-100;
  return t * 1e200 * 1e100 + sin(t * 1e200);
}
ASSAY_CHECK(scaled, "double:positive");

/* Hilbert solve 8x8 by Gauss without pivoting */
double hilbert(const double *b, int n) {
  double a[8][8], x[8];
  for (int i = 0; i < 8; ++i) {
    x[i] = b[i];
    for (int j = 0; j < 8; ++j)
      a[i][j] = 1.0 / (i + j + 1) + 1e-9 * b[i] * b[j];
  }
  for (int k = 0; k < 8; ++k)
    for (int i = k + 1; i < 8; ++i) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j < 8; ++j)
        a[i][j] -= f * a[k][j];
      x[i] -= f * x[k];
    }
  for (int i = 7; i >= 0; --i) {
    for (int j = i + 1; j < 8; ++j)
      x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
  double s = 0;
  for (int i = 0; i < 8; ++i)
    s += x[i];
  return s;
}
ASSAY_CHECK(hilbert, "double[8]:positive", "int=8");

/* recurrence that amplifies */
double recurrence(double x) {
  double a = 1.0 / 3 + 1e-12 * x, b = 1.0 / 9;
  for (int i = 0; i < 25; ++i) {
    double c = 13.0 / 3 * b - 4.0 / 3 * a;
    a = b;
    b = c;
  }
  return b;
}
ASSAY_CHECK(recurrence, "double");
/* logistic map */
double logistic(double x) {
  for (int i = 0; i < 40; ++i)
    x = 3.9 * x * (1 - x);
  return x;
}
ASSAY_CHECK(logistic, "double:(0.1,0.9)");
/* log-sum-exp naive */
double variance(const double *x, int n) {
  double s = 0, q = 0;
  for (int i = 0; i < n; ++i) {
    double y = 1e7 + x[i];
    s += y;
    q += y * y;
  }
  return q / n - s / n * (s / n);
}
ASSAY_CHECK(variance, "double[6]", "int=6");
/* finite difference inside */
double inner_difference(double x) {
  double h = 1e-6;
  return (sin(x + h) - sin(x - h)) / (2 * h);
}
ASSAY_CHECK(inner_difference, "double");
/* (1-cos)/x2 */
double versine(double x) {
  double y = 1e-5 * x;
  return (1 - cos(y)) / (y * y);
}
ASSAY_CHECK(versine, "double:nonzero");
/* tan near pole, acos near 1*/
double near_pole(double x) {
  return 1 / (tan(1.5707963 + 1e-9 * x));
}
ASSAY_CHECK(near_pole, "double");
double angle(double x) {
  return acos(1 - 1e-12 * x * x);
}
ASSAY_CHECK(angle, "double:positive");
/* Heron needle triangle */
double heron(double a, double e) {
  double b = a, c = 1e-8 * e;
  double s = (a + b + c) / 2;
  return sqrt(s * (s - a) * (s - b) * (s - c));
}
ASSAY_CHECK(heron, "double:positive", "double:positive");

/* A secant's slope. */
double secant(double x) {
  double h = 1e-7;
  return (exp(x + h) - exp(x)) / h;
}
ASSAY_CHECK(secant, "double");

/* Cardano's formula where its two cube roots cancel. */
double cardano(double p) {
  double q = 1e-5, d = sqrt(q * q / 4 + p * p * p / 27);
  return cbrt(-q / 2 + d) + cbrt(-q / 2 - d);
}
ASSAY_CHECK(cardano, "double:positive");

/* Compensated summation. */
double kahan(const double *x, int n) {
  double sum = 1e8, rest = 0;
  for (int i = 0; i < n; ++i) {
    double y = x[i] - rest, t = sum + y;
    rest = (t - sum) - y;
    sum = t;
  }
  return (sum - 1e8) * (sum - 1e8);
}
ASSAY_CHECK(kahan, "double[6]", "int=6");

/* A ratio of gamma functions by their logarithms. */
double gamma_ratio(double x) {
  return exp(lgamma(x + 60) - lgamma(x + 59.5)) - sqrt(x + 59.25);
}
ASSAY_CHECK(gamma_ratio, "double:positive");

/* Angles of nearly the same direction. */
double turn(double x, double y) {
  return (atan2(1e8 * y, 1e8 * x) - atan2(1e8 * y + 1, 1e8 * x)) * 1e8;
}
ASSAY_CHECK(turn, "double:positive", "double:positive");

/* Least squares by the normal equations of nearly parallel columns. */
double normal_equations(const double *b, int n) {
  double a11 = 0, a12 = 0, a22 = 0, r1 = 0, r2 = 0;
  for (int i = 0; i < n; ++i) {
    double u = 1, v = 1 + 1e-6 * (i + b[i]);
    a11 += u * u;
    a12 += u * v;
    a22 += v * v;
    r1 += u * b[i];
    r2 += v * b[i];
  }
  return (a11 * r2 - a12 * r1) / (a11 * a22 - a12 * a12) * 1e-6;
}
ASSAY_CHECK(normal_equations, "double[5]", "int=5");

/* Bessel's functions by the forward recurrence, which amplifies errors. */
double bessel_forward(double x) {
  double a = j0(x), b = j1(x);
  for (int k = 1; k < 10; ++k) {
    double c = 2 * k / x * b - a;
    a = b;
    b = c;
  }
  return b;
}
ASSAY_CHECK(bessel_forward, "double:(0.5,2)");

/* Newton's method on a triple root. */
double triple_root(double a) {
  double x = a + 1;
  for (int i = 0; i < 40; ++i) {
    double u = x - a;
    x -= (u * u * u + 1e-12 * u) / (3 * u * u + 1e-12);
  }
  return x;
}
ASSAY_CHECK(triple_root, "double");

/* The tail of a normal distribution as a difference. */
double tail(double x) {
  return (1 - erf(x)) / erfc(x);
}
ASSAY_CHECK(tail, "double:(3,5)");

/* A determinant of a nearly singular matrix. */
double determinant(const double *e, int n) {
  double a[9];
  for (int i = 0; i < n * n; ++i)
    a[i] = i + 1 + 1e-9 * e[i];
  return (a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
          a[2] * (a[3] * a[7] - a[4] * a[6])) *
         1e9;
}
ASSAY_CHECK(determinant, "double[9]", "int=3");

/* The part of a square in a sum of squares, where it is all of it: 1 - 1e-35 is 1 in 113 bits, too. */
double part_of_squares(double a, double b) {
  return a * a / (a * a + b * b);
}
ASSAY_CHECK(part_of_squares, "double:log(1e-9,1e-8)", "double:log(1e-27,1e-26)");
