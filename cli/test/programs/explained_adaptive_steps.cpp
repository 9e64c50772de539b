// Adaptive Runge-Kutta (Bogacki-Shampine) with rejected steps, of a van der Pol oscillator.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

struct Settings {
  double tolerance, first_step;
  int most_steps;
};

using Vector = std::vector<double>;

void rhs(double mu, const Vector &y, Vector &dy) {
  dy[0] = y[1];
  dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
}

double final_position(double mu, double y0, double end, const Settings *settings) {
  Vector y{y0, 0.0}, k1(2), k2(2), k3(2), k4(2), trial(2);
  double t = 0, h = settings->first_step;
  int rejected = 0;
  rhs(mu, y, k1);
  for (int step = 0; step < settings->most_steps && t < end; ++step) {
    h = std::min(h, end - t);
    for (int i = 0; i < 2; ++i)
      trial[i] = y[i] + h / 2 * k1[i];
    rhs(mu, trial, k2);
    for (int i = 0; i < 2; ++i)
      trial[i] = y[i] + 0.75 * h * k2[i];
    rhs(mu, trial, k3);
    for (int i = 0; i < 2; ++i)
      trial[i] = y[i] + h * (2.0 / 9 * k1[i] + 1.0 / 3 * k2[i] + 4.0 / 9 * k3[i]);
    rhs(mu, trial, k4);
    double error = 0;
    for (int i = 0; i < 2; ++i) {
      const double e = h * (-5.0 / 72 * k1[i] + 1.0 / 12 * k2[i] + 1.0 / 9 * k3[i] - 1.0 / 8 * k4[i]);
      error = std::max(error, std::fabs(e));
    }
    const double factor = std::clamp(0.9 * std::cbrt(settings->tolerance / (error + 1e-300)), 0.2, 5.0);
    if (error > settings->tolerance) {
      h *= factor;
      ++rejected;
      continue;
    }
    t += h;
    std::swap(y, trial);
    std::swap(k1, k4);
    h *= factor;
  }
  return y[0];
}
