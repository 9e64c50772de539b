// Whole numerical programs: factorisations, transforms, integrators, filters, networks.
#include "support/vector_program.hpp"
#include <algorithm>
#include <complex>
#include <vector>
namespace {
double lu_pivot(const double *x, int n) { // 3x3 from 9
  double a[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      a[i][j] = x[3 * i + j] + (i == j ? 0.5 : 0);
  double det = 1;
  for (int k = 0; k < 3; ++k) {
    int p = k;
    for (int i = k + 1; i < 3; ++i)
      if (std::fabs(a[i][k]) > std::fabs(a[p][k]))
        p = i;
    if (p != k) {
      det = -det;
      for (int j = 0; j < 3; ++j)
        std::swap(a[p][j], a[k][j]);
    }
    det *= a[k][k];
    for (int i = k + 1; i < 3; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < 3; ++j)
        a[i][j] -= a[i][k] * a[k][j];
    }
  }
  return det + a[1][0] * a[2][1];
}
double cholesky(const double *x, int n) {
  double a[3][3] = {{4 + x[0] * x[0], x[1], x[2]}, {x[1], 5 + x[1] * x[1], x[0] * x[2]}, {x[2], x[0] * x[2], 6 + x[2]}};
  double l[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      double s = a[i][j];
      for (int k = 0; k < j; ++k)
        s -= l[i][k] * l[j][k];
      l[i][j] = i == j ? std::sqrt(s) : s / l[j][j];
    }
  double logdet = 0;
  for (int i = 0; i < 3; ++i)
    logdet += 2 * std::log(l[i][i]);
  return logdet;
}
void fft_rec(std::complex<double> *a, int n) {
  if (n == 1)
    return;
  std::vector<std::complex<double>> even(n / 2), odd(n / 2);
  for (int i = 0; i < n / 2; ++i) {
    even[i] = a[2 * i];
    odd[i] = a[2 * i + 1];
  }
  fft_rec(even.data(), n / 2);
  fft_rec(odd.data(), n / 2);
  for (int k = 0; k < n / 2; ++k) {
    std::complex<double> w = std::polar(1.0, -2 * M_PI * k / n);
    std::complex<double> t(w.real() * odd[k].real() - w.imag() * odd[k].imag(),
                           w.real() * odd[k].imag() + w.imag() * odd[k].real());
    a[k] = even[k] + t;
    a[k + n / 2] = even[k] - t;
  }
}
double spectrum(const double *x, int n) {
  std::vector<std::complex<double>> a(n);
  for (int i = 0; i < n; ++i)
    a[i] = x[i];
  fft_rec(a.data(), n);
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += std::norm(a[i]) * (i + 1) + a[i].real() * a[i].imag();
  return r;
}
using Field = void (*)(const double *, double *, const double *);
void lorenz(const double *y, double *dy, const double *p) {
  dy[0] = p[0] * (y[1] - y[0]);
  dy[1] = y[0] * (p[1] - y[2]) - y[1];
  dy[2] = y[0] * y[1] - p[2] * y[2];
}
void rk4(Field f, double *y, const double *p, double h, int steps) {
  for (int s = 0; s < steps; ++s) {
    double k1[3], k2[3], k3[3], k4[3], t[3];
    f(y, k1, p);
    for (int i = 0; i < 3; ++i)
      t[i] = y[i] + h / 2 * k1[i];
    f(t, k2, p);
    for (int i = 0; i < 3; ++i)
      t[i] = y[i] + h / 2 * k2[i];
    f(t, k3, p);
    for (int i = 0; i < 3; ++i)
      t[i] = y[i] + h * k3[i];
    f(t, k4, p);
    for (int i = 0; i < 3; ++i)
      y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}
double ode(const double *x, int n) {
  double y[3] = {x[0], x[1], x[2]};
  double p[3] = {2 + x[3], 1.5, 0.7 * x[4]};
  rk4(lorenz, y, p, 0.05, 8);
  return y[0] * y[1] + y[2];
}
double softmax_loss(const double *x, int n) {
  double m = x[0];
  for (int i = 1; i < n; ++i)
    m = std::max(m, x[i]);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += std::exp(x[i] - m);
  return std::log(s) + m - x[2];
}
double lstm(const double *x, int n) {
  double h = 0.1, c = -0.2;
  auto sig = [](double v) { return 1 / (1 + std::exp(-v)); };
  for (int t = 0; t < n; ++t) {
    double i = sig(x[t] * 0.5 + h * x[0]), f = sig(x[t] * 0.3 - h), o = sig(-x[t] + h * 0.2),
           g = std::tanh(x[t] + h * x[1]);
    c = f * c + i * g;
    h = o * std::tanh(c);
  }
  return h * c;
}
double conv(const double *x, int n) { // 4x4 image from x, 2x2 kernel
  double img[4][4], out[3][3] = {}, k[2][2] = {{x[0], x[1]}, {x[2], x[3]}};
  for (int i = 0; i < 16; ++i)
    img[i / 4][i % 4] = x[i % n] * (1 + i * 0.1);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
          out[i][j] += img[i + a][j + b] * k[a][b];
  double r = 0;
  for (auto &row : out)
    for (double v : row)
      r += v > 0 ? v * v : 0.1 * v;
  return r;
}
double training(const double *x,
                int n) { // train a tiny network in place, differentiate the final loss with respect to the data
  double w[2] = {0.3, -0.4}, b = 0.1;
  double loss = 0;
  for (int epoch = 0; epoch < 5; ++epoch) {
    loss = 0;
    double gw[2] = {}, gb = 0;
    for (int i = 0; i + 1 < n; ++i) {
      double p = std::tanh(w[0] * x[i] + w[1] * x[i + 1] + b), e = p - x[i] * 0.5;
      loss += e * e;
      double d = 2 * e * (1 - p * p);
      gw[0] += d * x[i];
      gw[1] += d * x[i + 1];
      gb += d;
    }
    for (int k = 0; k < 2; ++k)
      w[k] -= 0.1 * gw[k];
    b -= 0.1 * gb;
  }
  return loss;
}
double interpolate(const double *x, int n) {
  const double grid[5] = {0, 0.5, 1.0, 2.0, 4.0};
  double r = 0;
  for (int i = 0; i < n; ++i) {
    int lo = 0, hi = 4;
    while (hi - lo > 1) {
      int mid = (lo + hi) / 2;
      if (grid[mid] <= x[i])
        lo = mid;
      else
        hi = mid;
    }
    double t = (x[i] - grid[lo]) / (grid[hi] - grid[lo]);
    r += (1 - t) * std::sin(grid[lo]) + t * t * std::sin(grid[hi]);
  }
  return r;
}
double monte_carlo(const double *x, int n) {
  unsigned long s = 12345;
  double r = 0;
  for (int i = 0; i < 200; ++i) {
    s = s * 6364136223846793005ul + 1442695040888963407ul;
    double u = double(s >> 11) * (1.0 / 9007199254740992.0);
    r += std::exp(x[0] * u + x[1] * u * u) / 200;
  }
  return r;
}
double kalman(const double *x, int n) {
  double s[2] = {0, 1}, p[2][2] = {{1, 0.1}, {0.1, 1}};
  for (int t = 0; t < n; ++t) {
    s[0] += 0.1 * s[1];
    double q[2][2] = {{p[0][0] + 0.1 * (p[1][0] + p[0][1]) + 0.01 * p[1][1] + 0.01, p[0][1] + 0.1 * p[1][1]},
                      {p[1][0] + 0.1 * p[1][1], p[1][1] + 0.01}};
    double S = q[0][0] + x[0] * x[0], K0 = q[0][0] / S, K1 = q[1][0] / S, y = x[t] - s[0];
    s[0] += K0 * y;
    s[1] += K1 * y;
    p[0][0] = (1 - K0) * q[0][0];
    p[0][1] = (1 - K0) * q[0][1];
    p[1][0] = q[1][0] - K1 * q[0][0];
    p[1][1] = q[1][1] - K1 * q[0][1];
  }
  return s[0] * s[1];
}
double long_doubles(const double *x, int n) {
  long double r = 1;
  for (int i = 0; i < n; ++i)
    r = sinl(r) * x[i] + r;
  return double(r);
}
double logsumexp_rec(const double *x, int n) {
  return n == 1 ? x[0] : std::log(std::exp(x[n - 1]) + std::exp(logsumexp_rec(x, n - 1)));
}
double lse(const double *x, int n) {
  return logsumexp_rec(x, n);
}
double jacobi(const double *x, int n) { // eigenvalue of symmetric 2x2 via rotations
  double a = x[0], b = x[1], c = x[2];
  for (int i = 0; i < 3 && std::fabs(b) > 1e-14; ++i) {
    double th = 0.5 * std::atan2(2 * b, a - c), cs = std::cos(th), sn = std::sin(th);
    double na = cs * cs * a + 2 * cs * sn * b + sn * sn * c, nc = sn * sn * a - 2 * cs * sn * b + cs * cs * c,
           nb = (cs * cs - sn * sn) * b - cs * sn * (a - c);
    a = na;
    b = nb;
    c = nc;
    break;
  }
  return a * a + 2 * c;
}
double dp_edit(const double *x, int n) { // soft dtw
  double d[6][6];
  for (auto &r : d)
    for (double &v : r)
      v = 1e3;
  d[0][0] = 0;
  for (int i = 1; i < 6; ++i)
    for (int j = 1; j < 6; ++j) {
      double c = x[i % n] - x[(2 * j) % n];
      double m = std::min({d[i - 1][j] + 0.1, d[i][j - 1] + 0.17, d[i - 1][j - 1]});
      d[i][j] = c * c + m;
    }
  return d[5][5];
}
} // namespace
PLUGIN_TEST(Numerics, DeterminantByEliminationWithPivoting) {
  CHECK_FUNCTION(lu_pivot, 0.3, 1.2, -0.4, 1.9, 0.7, 0.2, -0.8, 1.1, 2.5);
}
PLUGIN_TEST(Numerics, CholeskyFactorisation) {
  CHECK_FUNCTION(cholesky, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(Numerics, RecursiveFourierTransform) {
  CHECK_FUNCTION(spectrum, 0.3, 1.2, -0.4, 1.9, 0.7, 0.2, -0.8, 1.1);
}
PLUGIN_TEST(Numerics, RungeKuttaWithAFunctionPointer) {
  CHECK_FUNCTION(ode, 0.3, 1.2, -0.4, 1.9, 0.7);
}
PLUGIN_TEST(Numerics, SoftmaxLoss) {
  CHECK_FUNCTION(softmax_loss, 0.3, 1.2, -0.4, 1.9, 0.7);
}
PLUGIN_TEST(Numerics, RecurrentCell) {
  CHECK_FUNCTION(lstm, 0.3, 1.2, -0.4, 1.9, 0.7);
}
PLUGIN_TEST(Numerics, ConvolutionWithRectifier) {
  CHECK_FUNCTION(conv, 0.3, 1.2, -0.4, 1.9, 0.7);
}
PLUGIN_TEST(Numerics, TrainingInsideTheFunction) {
  CHECK_FUNCTION(training, 0.3, 1.2, -0.4, 1.9, 0.7);
}
PLUGIN_TEST(Numerics, TableLookup) {
  CHECK_FUNCTION(interpolate, 0.3, 1.2, 3.4, 1.9, 0.7);
}
PLUGIN_TEST(Numerics, MonteCarloWithIntegerGenerator) {
  CHECK_FUNCTION(monte_carlo, 0.3, 1.2);
}
PLUGIN_TEST(Numerics, KalmanFilter) {
  CHECK_FUNCTION(kalman, 0.3, 1.2, 3.4, 1.9, 0.7);
}
PLUGIN_TEST(Numerics, ExtendedPrecision) {
  CHECK_FUNCTION(long_doubles, 0.3, 1.2, 3.4);
}
PLUGIN_TEST(Numerics, RecursiveLogSumExp) {
  CHECK_FUNCTION(lse, 0.3, 1.2, 3.4);
}
PLUGIN_TEST(Numerics, JacobiRotation) {
  CHECK_FUNCTION(jacobi, 0.3, 1.2, 3.4);
}
PLUGIN_TEST(Numerics, DynamicProgramming) {
  CHECK_FUNCTION(dp_edit, 0.31, 1.27, 3.45, -0.6, 2.2);
}
