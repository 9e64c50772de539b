// Candidates are 0, 1 and -1, the value rounded down and up to 0, 1, 2, .. decimals, and, at its own number of
// decimals, half of it.
#include "simple_reals.hpp"

#include <algorithm>
#include <cmath>
#include <compare>

namespace assay::gen::detail {

namespace {

constexpr int most_decimals = 6;

template <class T>
T power_of_ten(int exponent) {
  T power = 1;
  for (int i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

/// `value` with that many decimals, rounded by `round`; the result is the nearest number of type T to that decimal.
template <class T, class Round>
T to_decimals(T value, int decimals, Round round) {
  using Wide = decltype(value + 1.0);
  const Wide scale = power_of_ten<Wide>(decimals);
  return static_cast<T>(round(static_cast<Wide>(value) * scale) / scale);
}

/// Decimals that the value needs; one more than the most that count if it needs more.
template <class T>
int decimals_of(T value) {
  for (int decimals = 0; decimals <= most_decimals; ++decimals)
    if (to_decimals(value, decimals, [](auto x) { return std::nearbyint(x); }) == value)
      return decimals;
  return most_decimals + 1;
}

template <class T>
bool simpler(T candidate, T value) {
  const int candidate_decimals = decimals_of(candidate);
  const int decimals = decimals_of(value);
  if (candidate_decimals != decimals)
    return candidate_decimals < decimals;
  if (std::fabs(candidate) != std::fabs(value))
    return std::fabs(candidate) < std::fabs(value);
  return candidate > value;
}

} // namespace

template <class T>
std::vector<T> simpler_reals(T value, T lower, T upper) {
  const auto floor = [](auto x) { return std::floor(x); };
  const auto ceil = [](auto x) { return std::ceil(x); };
  const auto toward_zero = [](auto x) { return std::trunc(x); };
  const int own = decimals_of(value);
  std::vector<T> candidates{T(0), T(1), T(-1), -value};
  for (int decimals = 0; decimals <= std::min(own, most_decimals); ++decimals) {
    candidates.push_back(to_decimals(value, decimals, toward_zero));
    candidates.push_back(to_decimals(value, decimals, floor));
    candidates.push_back(to_decimals(value, decimals, ceil));
    candidates.push_back(to_decimals(value / 2, decimals, toward_zero));
  }
  if (own <=
      most_decimals) // One unit of the last decimal nearer to zero: halving alone stops at twice the smallest failure.
    candidates.push_back(to_decimals(value - std::copysign(T(1) / power_of_ten<T>(own), value), own,
                                     [](auto x) { return std::nearbyint(x); }));
  std::vector<T> result;
  for (const T candidate : candidates) {
    const bool fits = candidate >= lower && candidate <= upper && simpler(candidate, value);
    if (fits && std::find(result.begin(), result.end(), candidate) == result.end())
      result.push_back(candidate + T(0)); // No negative zero.
  }
  return result;
}

template std::vector<float> simpler_reals(float, float, float);
template std::vector<double> simpler_reals(double, double, double);
template std::vector<long double> simpler_reals(long double, long double, long double);

} // namespace assay::gen::detail
