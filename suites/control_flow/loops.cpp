// Loops of every shape: counted, nested, triangular, with data-dependent ends, with several exits.
#include "support/vector_program.hpp"

namespace {

double counted(const double *x, int n) {
  double r = 0.5;
  for (int i = 0; i < n; ++i)
    r = std::sin(r) * x[i] + r;
  return r;
}

/// Both quotients may be computed before the loop; the one of the arm that is never taken divides by zero.
double quotient_of_an_arm(const double *x, int n) {
  const double real = x[0], imaginary = x[1];
  double r = 1;
  for (int i = 0; i < n; ++i)
    if (std::fabs(real) <= std::fabs(imaginary)) {
      const double ratio = real / imaginary;
      r = (r * ratio + x[i]) / (imaginary * (1 + ratio * ratio));
    } else {
      const double ratio = imaginary / real;
      r = (r + x[i] * ratio) / (real * (1 + ratio * ratio));
    }
  return r;
}

double backwards(const double *x, int n) {
  double r = 0;
  for (int i = n - 1; i >= 0; --i)
    r = r * x[0] + x[i];
  return r;
}

double strided(const double *x, int n) {
  double r = 1;
  for (int i = 1; i < n; i += 2)
    r *= x[i] + x[i - 1] * r;
  return r;
}

double nested(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    double inner = x[i];
    for (int j = 0; j < n; ++j)
      inner = std::cos(inner) + x[j] * inner;
    r += inner * x[i];
  }
  return r;
}

double thrice_nested(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double s = x[i] - x[j];
      for (int k = 0; k < n; ++k)
        s = s * x[k] + 0.1 * s * s;
      r += std::exp(-s * s);
    }
  return r;
}

double triangular(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const double d = x[i] - x[j];
      r += d * d * r + std::sqrt(1 + d * d);
    }
  return r;
}

double triangular_with_state(const double *x, int n) {
  double state = 1;
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      state = std::tanh(state * x[j]) + x[i];
  return state;
}

double with_break(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    r += x[i] * x[i];
    if (r > 5)
      break;
    r *= x[i];
  }
  return r;
}

double with_continue(const double *x, int n) {
  double r = 1;
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0)
      continue;
    r = r * x[i] + std::sin(r);
  }
  return r;
}

double several_exits(const double *x, int n) {
  double r = x[0];
  for (int i = 0; i < n; ++i) {
    if (r > 50)
      return r * 2;
    r = r * x[i] + 1;
    if (r < -3) {
      r = -r * x[0];
      break;
    }
    if (i == 40)
      return std::sin(r);
  }
  return r + x[n - 1];
}

double break_of_the_inner_loop(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    double s = 0.1;
    for (int j = 0; j < n; ++j) {
      s += s * x[i] + x[j] * x[j];
      if (s > 4)
        break;
      if (s < 0.2)
        continue;
      s *= 1.1;
    }
    r += s * s;
  }
  return r;
}

double exit_of_both_loops(const double *x, int n) {
  double r = 0.3;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      r = r * (1 + x[j]) + x[i];
      if (r > 9)
        goto found;
    }
found:
  return r * x[0];
}

/// Newton's method for a square root: the trip count depends on the data.
double newton(const double *x, int) {
  double guess = 1;
  while (std::fabs(guess * guess - x[0]) > 1e-13 * x[0])
    guess = 0.5 * (guess + x[0] / guess);
  return guess * x[1];
}

double grow_until(const double *x, int n) {
  double r = x[0];
  int steps = 0;
  while (r < 100) {
    r = r * x[1] + 0.5 * x[0];
    ++steps;
  }
  return r + steps * x[0];
}

double data_dependent_inner_loop(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    double y = x[i];
    while (y < 10)
      y = y * y * 0.4 + x[i] + 0.5;
    r += std::log(y);
  }
  return r;
}

double do_while(const double *x, int n) {
  double r = 0;
  int i = 0;
  do {
    r += x[i] * x[i] * (1 + r);
  } while (++i < n && r < 1000);
  return r;
}

double zero_trips(const double *x, int n) {
  double r = x[0] * x[0];
  for (int i = 5; i < n; ++i)
    r = std::sin(r) * x[0];
  for (int i = 0; i < n - 3; ++i) {
    for (int j = 0; j < i; ++j)
      r *= x[j];
    r += x[i];
  }
  return r;
}

/// An endless loop with a guard against running for ever.
double guarded_endless_loop(const double *x, int n) {
  double r = x[0];
  int fuel = 25;
  for (;;) {
    r = std::cos(r) * x[1];
    if (--fuel == 0)
      return r;
    if (r > 1e3)
      return x[0];
  }
}

double fibonacci_pair(const double *x, int) {
  double a = x[0], b = x[1];
  for (int i = 0; i < 10; ++i) {
    const double next = a * 0.5 + b * b * 0.1;
    a = b;
    b = next;
  }
  return a * b;
}

double swapped_each_iteration(const double *x, int n) {
  double a = x[0], b = x[1], c = x[2];
  for (int i = 0; i < n; ++i) {
    const double t = a;
    a = b * x[i];
    b = c + std::sin(t);
    c = t * b;
  }
  return a + 2 * b + 3 * c;
}

double unsigned_and_long_counters(const double *x, int n) {
  double r = 1;
  for (unsigned char i = 250; i != 5; ++i) // wraps
    r += 0.01 * r * x[i % unsigned(n)];
  for (long i = 3; i > -4; i -= 2)
    r *= 1 + 0.1 * x[i & 1];
  return r;
}

double loop_after_loop(const double *x, int n) {
  double a = 0, b = 1;
  for (int i = 0; i < n; ++i)
    a += x[i] * x[i];
  for (int i = 0; i < n; ++i)
    b *= x[i] / std::sqrt(a);
  return b;
}

double quantised_condition(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    int k = (int)std::floor(x[i]);
    for (int j = 0; j < k; ++j)
      r = r * 0.9 + x[i] * (j + 1);
  }
  return r;
}

/// A step that adapts: rejected steps change the state that the next one starts from.
double adaptive_steps(const double *x, int) {
  double t = 0, y = x[0], h = 0.3;
  int accepted = 0;
  while (t < 1.0 && accepted < 50) {
    const double k1 = -x[1] * y * y, k2 = -x[1] * (y + h * k1) * (y + h * k1);
    const double error = std::fabs(0.5 * h * (k2 - k1));
    if (error > 0.02) {
      h *= 0.5;
      continue;
    }
    y += 0.5 * h * (k1 + k2);
    t += h;
    ++accepted;
    if (error < 0.002)
      h *= 1.5;
  }
  return y;
}

double bisection(const double *x, int) {
  double low = 0, high = 4;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle * middle * middle < x[0])
      low = middle;
    else
      high = middle;
  }
  return low * x[0]; // the bracket itself is locally constant
}

double collatz(const double *x, int n) {
  double r = x[0];
  unsigned k = 27;
  while (k != 1) {
    if (k & 1) {
      k = 3 * k + 1;
      r = r * 0.99 + x[1];
    } else {
      k /= 2;
      r = r * 1.01 - 0.5 * x[1] * x[0];
    }
  }
  return r;
}

} // namespace

PLUGIN_TEST(Loops, ACountedLoopIsReversed) {
  CHECK_FUNCTION(counted, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(Loops, ALoopThatCountsDownIsReversed) {
  CHECK_FUNCTION(backwards, 0.9, 0.3, -1.4, 0.7);
}
PLUGIN_TEST(Loops, AStridedLoopIsReversed) {
  CHECK_FUNCTION(strided, 0.9, 0.3, -1.4, 0.7, 1.2);
  CHECK_FUNCTION(strided, 0.9, 0.3, -1.4, 0.7);
}
PLUGIN_TEST(Loops, NestedLoopsKeepTheStateOfEachIteration) {
  CHECK_FUNCTION(nested, 0.3, 0.8, -0.4, 0.6);
}
PLUGIN_TEST(Loops, ThreeLevelsKeepTheirStates) {
  CHECK_FUNCTION(thrice_nested, 0.3, 0.8, -0.4);
}
PLUGIN_TEST(Loops, ATriangularLoopKeepsItsStates) {
  CHECK_FUNCTION(triangular, 0.3, 0.8, -0.4, 0.6, 1.1);
}
PLUGIN_TEST(Loops, ATriangularLoopWithCarriedStateIsReversed) {
  CHECK_FUNCTION(triangular_with_state, 0.3, 0.8, -0.4, 0.6, 1.1);
}
PLUGIN_TEST(Loops, BreakEndsTheReverseSweepWhereItEnded) {
  CHECK_FUNCTION(with_break, 0.3, 0.8, 1.4, 2.6, 1.1);
  CHECK_FUNCTION(with_break, 0.3, 0.8, 0.4);
  CHECK_FUNCTION(with_break, 5.3, 0.8, 0.4);
}
PLUGIN_TEST(Loops, ContinueSkipsAnIteration) {
  CHECK_FUNCTION(with_continue, 0.3, -0.8, 1.4, -2.6, 1.1);
}
PLUGIN_TEST(Loops, EveryExitHasItsOwnDerivative) {
  CHECK_FUNCTION(several_exits, 2.3, 3.8, 2.4, 4.0, 0.5);
  CHECK_FUNCTION(several_exits, 2.3, -3.8, 2.4);
  CHECK_FUNCTION(several_exits, 0.3, 0.8, 0.4);
}
PLUGIN_TEST(Loops, BreakAndContinueOfAnInnerLoopAreReversed) {
  CHECK_FUNCTION(break_of_the_inner_loop, 0.3, 0.8, -0.4, 1.7);
}
PLUGIN_TEST(Loops, LeavingTwoLoopsAtOnceIsReversed) {
  CHECK_FUNCTION(exit_of_both_loops, 0.3, 0.8, 0.4);
  CHECK_FUNCTION(exit_of_both_loops, 0.1, -0.8, 0.1);
}
PLUGIN_TEST(Loops, NewtonsMethodHasTheDerivativeOfItsFixedPoint) {
  double x[2] = {7.3, 1.2}, dx[2] = {1, 2};
  __enzyme_autodiff<void>((void *)newton, enzyme_dup, x, dx, enzyme_const, 2);
  EXPECT_CLOSE(dx[0], 1 + 1.2 * 0.5 / std::sqrt(7.3));
  EXPECT_CLOSE(dx[1], 2 + std::sqrt(7.3));
  double tangent[2] = {1, 0};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)newton, enzyme_dup, x, tangent, enzyme_const, 2),
               1.2 * 0.5 / std::sqrt(7.3));
}
PLUGIN_TEST(Loops, TheTripCountMayDependOnTheData) {
  CHECK_FUNCTION(grow_until, 1.3, 1.6);
}
PLUGIN_TEST(Loops, AnInnerTripCountMayDependOnTheData) {
  CHECK_FUNCTION(data_dependent_inner_loop, 1.3, 0.6, 12.0, 2.7);
}
PLUGIN_TEST(Loops, ABodyBeforeTheTestRunsOnce) {
  CHECK_FUNCTION(do_while, 1.3);
  CHECK_FUNCTION(do_while, 1.3, 0.6, 2.0, 2.7);
}
PLUGIN_TEST(Loops, ALoopThatNeverRunsLeavesTheDerivative) {
  CHECK_FUNCTION(zero_trips, 1.3);
  CHECK_FUNCTION(zero_trips, 1.3, 0.6, 0.9, 0.4, 1.4);
  CHECK_FUNCTION(zero_trips, 1.3, 0.6, 0.9, 0.4, 1.4, 0.7);
}
PLUGIN_TEST(Loops, AnEndlessLoopWithAGuardIsReversed) {
  CHECK_FUNCTION(guarded_endless_loop, 0.7, 1.3);
}
PLUGIN_TEST(Loops, CarriedValuesAreRotated) {
  CHECK_FUNCTION(fibonacci_pair, 0.7, 1.3);
}
PLUGIN_TEST(Loops, SwappedValuesAreSwappedBack) {
  CHECK_FUNCTION(swapped_each_iteration, 0.7, 1.3, -0.4, 0.8);
}
PLUGIN_TEST(Loops, CountersOfOtherWidthsAreReversed) {
  CHECK_FUNCTION(unsigned_and_long_counters, 0.7, 1.3, -0.4);
}
PLUGIN_TEST(Loops, OneLoopMayReadWhatAnotherComputed) {
  CHECK_FUNCTION(loop_after_loop, 0.7, 1.3, -0.4, 0.8);
}
PLUGIN_TEST(Loops, ATripCountRoundedFromDataHasNoDerivative) {
  CHECK_FUNCTION(quantised_condition, 2.7, 1.3, 4.4, 0.8);
}
PLUGIN_TEST(Loops, AdaptiveStepsAreReplayed) {
  CHECK_FUNCTION(adaptive_steps, 1.7, 2.3);
}
PLUGIN_TEST(Loops, AQuotientOfAnArmThatIsNeverTaken) {
  CHECK_FUNCTION(quotient_of_an_arm, 0.75, 0.0, 1.25);
}
PLUGIN_TEST(Loops, ABisectionIsLocallyConstant) { // its bracket moves only when x crosses a cube of a midpoint
  double x[1] = {5.0}, dx[1] = {0};
  __enzyme_autodiff<void>((void *)bisection, enzyme_dup, x, dx, enzyme_const, 1);
  EXPECT_CLOSE(dx[0], std::cbrt(5.0));
  double tangent[1] = {2.0};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)bisection, enzyme_dup, x, tangent, enzyme_const, 1),
               2 * std::cbrt(5.0));
}
PLUGIN_TEST(Loops, AnIntegerSequenceMayDriveTheLoop) {
  CHECK_FUNCTION(collatz, 0.8, 0.3);
}
