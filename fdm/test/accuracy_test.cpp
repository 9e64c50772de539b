// Accuracy, and honesty about it, over a sweep of functions with known derivatives.
#include <assay/fdm.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace assay::fdm {
namespace {

template <class T>
struct Known {
  std::string name;
  std::function<T(T)> function;
  std::function<long double(long double)> derivative;
  double lower, upper;
};

template <class T>
std::vector<Known<T>> smooth_functions() {
  using L = long double;
  return {
      {"sin", [](T x) { return std::sin(x); }, [](L x) { return std::cos(x); }, -10, 10},
      {"exp", [](T x) { return std::exp(x); }, [](L x) { return std::exp(x); }, -5, 5},
      {"log", [](T x) { return std::log(x); }, [](L x) { return 1 / x; }, 1e-3, 10},
      {"sqrt", [](T x) { return std::sqrt(x); }, [](L x) { return 0.5L / std::sqrt(x); }, 1e-3, 10},
      {"1/x", [](T x) { return 1 / x; }, [](L x) { return -1 / (x * x); }, 1e-2, 10},
      {"tan", [](T x) { return std::tan(x); }, [](L x) { return 1 + std::tan(x) * std::tan(x); }, -1.4, 1.4},
      {"x^3 - 2x + 1", [](T x) { return x * x * x - 2 * x + 1; }, [](L x) { return 3 * x * x - 2; }, -3, 3},
      {"exp(-x^2)", [](T x) { return std::exp(-x * x); }, [](L x) { return -2 * x * std::exp(-x * x); }, -3, 3},
      {"sin(100 x)", [](T x) { return std::sin(100 * x); }, [](L x) { return 100 * std::cos(100 * x); }, -1, 1},
      {"3 x + 1000", [](T x) { return 3 * x + 1000; }, [](L) { return 3.0L; }, -100, 100},
      {"7", [](T) { return T(7); }, [](L) { return 0.0L; }, -100, 100},
      {"atan", [](T x) { return std::atan(x); }, [](L x) { return 1 / (1 + x * x); }, -5, 5},
      {"tanh", [](T x) { return std::tanh(x); }, [](L x) { return 1 / (std::cosh(x) * std::cosh(x)); }, -5, 5},
      {"asin", [](T x) { return std::asin(x); }, [](L x) { return 1 / std::sqrt(1 - x * x); }, -0.99, 0.99},
      {"erf", [](T x) { return std::erf(x); }, [](L x) { return 2 * std::numbers::inv_sqrtpi_v<L> * std::exp(-x * x); },
       -3, 3},
  };
}

/// Points spread over the function's range by multiples of the golden ratio.
template <class T>
std::vector<T> points(const Known<T> &known, int count) {
  std::vector<T> result;
  for (int i = 0; i < count; ++i) {
    const double fraction = std::fmod(i * std::numbers::phi, 1.0);
    result.push_back(static_cast<T>(known.lower + (known.upper - known.lower) * fraction));
  }
  return result;
}

struct Tally {
  int honest = 0, total = 0;
  double median_error = 0; ///< relative
};

template <class T>
Tally measure(const FiniteDifferenceMethod &method, const Known<T> &known) {
  Tally tally;
  std::vector<double> errors;
  for (const T x : points(known, 200)) {
    const auto estimate = method(known.function, x);
    EXPECT_TRUE(estimate.reliable()) << known.name << " at " << x << ": " << describe(estimate.trouble);
    const long double truth = known.derivative(x);
    const auto error = static_cast<double>(std::fabs(static_cast<long double>(estimate.value) - truth));
    tally.honest += error <= static_cast<double>(estimate.error) ? 1 : 0;
    ++tally.total;
    errors.push_back(truth == 0 ? error : error / static_cast<double>(std::fabs(truth)));
  }
  std::nth_element(errors.begin(), errors.begin() + 100, errors.end());
  tally.median_error = errors[100];
  return tally;
}

template <class T>
double share_of_honest_errors(const FiniteDifferenceMethod &method) {
  int honest = 0, total = 0;
  for (const auto &known : smooth_functions<T>()) {
    const Tally tally = measure(method, known);
    honest += tally.honest;
    total += tally.total;
  }
  return static_cast<double>(honest) / total;
}

TEST(Accuracy, OfFivePointsOnSmoothFunctionsIsTwelveDigits) {
  const auto method = central_fdm(5, 1);
  for (const auto &known : smooth_functions<double>())
    if (known.name != "3 x + 1000") // Its round-off is that of numbers near 1000.
      EXPECT_LT(measure(method, known).median_error, 2e-12) << known.name;
}

TEST(Accuracy, OfFivePointsInFloatIsFiveDigits) {
  const auto method = central_fdm(5, 1);
  for (const auto &known : smooth_functions<float>())
    if (known.name != "3 x + 1000")
      EXPECT_LT(measure(method, known).median_error, 2e-5) << known.name;
}

TEST(Accuracy, GrowsWithTheOrderOfTheMethod) {
  const auto sine = smooth_functions<double>().front();
  const double three = measure(central_fdm(3, 1), sine).median_error;
  const double five = measure(central_fdm(5, 1), sine).median_error;
  const double seven = measure(central_fdm(7, 1), sine).median_error;
  EXPECT_LT(five, three / 10);
  EXPECT_LT(seven, five);
}

TEST(Accuracy, OfLongDoubleGoesBeyondDouble) {
  for (const auto &known : smooth_functions<long double>())
    if (known.name != "3 x + 1000")
      EXPECT_LT(measure(central_fdm(5, 1), known).median_error, 5e-15) << known.name;
}

TEST(Accuracy, OfHigherDerivativesIsWithinTheirErrorEstimates) {
  const auto exponential = [](double x) { return std::exp(x); };
  for (int derivative = 0; derivative <= 4; ++derivative) {
    const auto estimate = central_fdm(derivative + 5, derivative)(exponential, 0.5);
    EXPECT_TRUE(estimate.reliable());
    EXPECT_NEAR(estimate.value, std::exp(0.5), estimate.error) << "derivative " << derivative;
    EXPECT_LT(estimate.error, 1e-6) << "derivative " << derivative;
  }
}

TEST(Accuracy, OfOneSidedMethodsIsTenDigits) {
  const auto cosine = [](double x) { return std::cos(x); };
  EXPECT_NEAR(forward_fdm(5, 1)(cosine, 1.0).value, -std::sin(1.0), 1e-10);
  EXPECT_NEAR(backward_fdm(5, 1)(cosine, 1.0).value, -std::sin(1.0), 1e-10);
}

TEST(ErrorEstimate, BoundsTheTrueErrorOfDoubleInMoreThanNineteenOfTwentyCases) {
  EXPECT_GT(share_of_honest_errors<double>(central_fdm(3, 1)), 0.95);
  EXPECT_GT(share_of_honest_errors<double>(central_fdm(5, 1)), 0.95);
  EXPECT_GT(share_of_honest_errors<double>(central_fdm(7, 1)), 0.95);
  EXPECT_GT(share_of_honest_errors<double>(forward_fdm(5, 1)), 0.95);
}

TEST(ErrorEstimate, BoundsTheTrueErrorOfFloatInMoreThanNineteenOfTwentyCases) {
  EXPECT_GT(share_of_honest_errors<float>(central_fdm(5, 1)), 0.95);
}

TEST(ErrorEstimate, SeesRoundOffThatTheMagnitudeOfTheValueHides) {
  const auto cancelling = [](double x) { return (1e6 + std::sin(x)) - 1e6; };
  int honest = 0;
  for (int i = 0; i < 100; ++i) {
    const double x = -3 + 0.0597 * i;
    const auto estimate = central_fdm(5, 1)(cancelling, x);
    honest += std::fabs(estimate.value - std::cos(x)) <= estimate.error ? 1 : 0;
  }
  EXPECT_GT(honest, 95);
}

TEST(ErrorEstimate, KnowsThatADoubleFunctionComputesInFloat) {
  const auto narrow = [](double x) { return static_cast<double>(std::sin(static_cast<float>(x))); };
  const auto estimate = central_fdm(5, 1, {.epsilon = 1.2e-7})(narrow, 1.0);
  EXPECT_NEAR(estimate.value, std::cos(1.0), estimate.error);
  EXPECT_LT(estimate.error, 1e-3);
}

TEST(ErrorEstimate, IsTheSameForTheSameQuestion) {
  const auto f = [](double x) { return std::sin(x) * std::exp(x); };
  const auto one = central_fdm(5, 1)(f, 0.7);
  const auto two = central_fdm(5, 1)(f, 0.7);
  EXPECT_EQ(one.value, two.value);
  EXPECT_EQ(one.error, two.error);
}

} // namespace
} // namespace assay::fdm
