// European call and put options by Black and Scholes, one of each kind in turn.
#include "bench/kernel_of.hpp"

#include <cmath>

namespace assay::bench {

namespace {

double normal_distribution(double x) {
  return 0.5 * std::erfc(-x * 0.70710678118654752440);
}

double price(bool is_call, double spot, double strike, double volatility, double rate, double maturity) {
  const double spread = volatility * std::sqrt(maturity);
  const double first = (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * maturity) / spread;
  const double second = first - spread;
  const double discounted = strike * std::exp(-rate * maturity);
  if (is_call)
    return spot * normal_distribution(first) - discounted * normal_distribution(second);
  return discounted * normal_distribution(-second) - spot * normal_distribution(-first);
}

/// Spots, strikes, volatilities and rates; maturities are data.
double value(const double *x, const double *maturities, int count, int, int) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += price(i % 2 == 0, x[i], x[count + i], x[2 * count + i], x[3 * count + i], 0.5 + maturities[i]);
  return sum;
}

constexpr int count = 500;

} // namespace

Kernel option_prices() {
  return kernel_of<value>({"option_prices", 4 * count, 0, 0.2, 0.9, count, {count, 0, 0}});
}

} // namespace assay::bench
