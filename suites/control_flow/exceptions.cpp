// Exceptions: thrown past functions that have changed memory, caught inside and outside of what is differentiated, and
// what is left on the heap when they leave a derivative.
#include "support/heap_growth.hpp"
#include "support/vector_program.hpp"
#include <stdexcept>
#include <string>
#include <vector>

struct TapedException {
  void *tape;
  double result;
};
template <class Return, class... Arguments>
Return __enzyme_augmentfwd(void *, Arguments...);
template <class Return, class... Arguments>
Return __enzyme_reverse(void *, Arguments...);

namespace {

__attribute__((noinline)) double write_and_throw(double *buffer, double value, int i) {
  buffer[i] = value * value;
  if (value > 1.0)
    throw 1;
  return value;
}

/// What was written before the throw is read by the handler's function.
double written_before_the_throw(const double *x, int n) {
  double buffer[8] = {};
  double sum = 0;
  for (int i = 0; i < n; ++i)
    try {
      sum += write_and_throw(buffer, x[i], i);
    } catch (int) {
      sum += 2 * buffer[i];
    }
  return sum;
}

__attribute__((noinline)) double push_and_throw(std::vector<double> &values, double value) {
  values.push_back(value * value * value);
  if (value > 1.0)
    throw std::out_of_range("too large");
  return value;
}
__attribute__((noinline)) double through_a_destructor(std::vector<double> &values, double value) {
  const std::vector<double> copies(3, value);
  const double pushed = push_and_throw(values, value) * copies[1];
  return pushed + copies[2];
}

double thrown_through_two_functions(const double *x, int n) {
  std::vector<double> values;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    try {
      sum += through_a_destructor(values, x[i]);
    } catch (const std::exception &) {
      sum += 2 * values.back();
    }
  return sum;
}

struct Failure : std::runtime_error {
  int code;
  explicit Failure(int code) : std::runtime_error("code " + std::to_string(code)), code(code) {}
};

__attribute__((noinline)) double square_of_small(double value) {
  if (value > 1.0)
    throw Failure(3);
  return value * value;
}
__attribute__((noinline)) double rethrown(double value) {
  try {
    return 2 * square_of_small(value);
  } catch (const Failure &failure) {
    if (failure.code == 3)
      throw;
    return 0;
  }
}

double caught_by_type(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    try {
      sum += rethrown(x[i]);
    } catch (const Failure &failure) {
      sum += x[i] * failure.code;
    } catch (...) {
      return -1;
    }
  return sum;
}

double never_throws_out(const double *x, int n) noexcept {
  const std::vector<double> values(x, x + n);
  double sum = 0;
  for (int i = 0; i < n + 2; ++i)
    try {
      sum += values.at(i) * values.at(0);
    } catch (const std::out_of_range &) {
      sum *= 1.5;
    }
  return sum;
}

struct NoRoot : std::runtime_error {
  int steps;
  explicit NoRoot(int steps) : std::runtime_error("no root after " + std::to_string(steps)), steps(steps) {}
};

/// Thrown at two places, which optimisation makes one.
double root_or_exception(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    try {
      double root = 2;
      for (int step = 0; step < 30; ++step) {
        const double change = (root * root * root - x[i] - root * x[0]) / (3 * root * root - x[0]);
        root -= change;
        if (std::fabs(change) < 1e-15)
          break;
        if (!std::isfinite(root))
          throw NoRoot(step);
        if (step == 29)
          throw NoRoot(30);
      }
      sum += root;
    } catch (const NoRoot &failure) {
      sum += failure.steps * x[0];
    }
  return sum;
}

/// Adds when it goes out of scope.
struct Adder {
  double &sum;
  double value;
  Adder(double &sum, double value) : sum(sum), value(value) {}
  Adder(const Adder &) = delete;
  ~Adder() { sum += value * value; }
};

/// Which handler it was the reverse sweep must know, too, although it runs in another function than the handlers.
double caught_in_turns(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    try {
      const Adder first(sum, x[i]);
      if (i % 2 != 0)
        throw i;
      const Adder second(sum, x[0] * x[i]);
      if (i == 2)
        throw "text";
    } catch (int index) {
      sum *= x[index];
    } catch (...) {
      sum += std::sin(x[i]);
    }
  return sum;
}

// --- exceptions that leave the derivative ----------------------------------------------------------------------------

__attribute__((noinline)) void check_bound(double value) {
  if (value > 100)
    throw std::runtime_error("diverged");
}

double iterated(const double *x, int n) {
  std::vector<double> states;
  double state = x[0];
  for (int i = 0; i < 300; ++i) {
    state = 0.9 * state * state * x[i % n] + 0.2;
    states.push_back(state);
    check_bound(state);
  }
  double sum = 0;
  for (const double kept : states)
    sum += std::sin(kept);
  return sum;
}

struct Owner {
  double *values;
  explicit Owner(int n) : values(new double[n]) {}
  Owner(const Owner &) = delete;
  ~Owner() { delete[] values; }
};

double with_owners(const double *x, int n) {
  const Owner first(n);
  for (int i = 0; i < n; ++i)
    first.values[i] = x[i] * x[i];
  const Owner second(2 * n);
  double sum = 0;
  for (int i = 0; i < 2 * n; ++i) {
    second.values[i] = first.values[i % n];
    if (second.values[i] > 50)
      throw std::runtime_error("too large");
    sum += second.values[i] * x[0];
  }
  return sum;
}

/// Recursive, so it is never a part of its caller.
void add_squares(const double *x, int n, double &sum) {
  sum += x[0] * x[0];
  if (n == 1)
    throw n;
  add_squares(x + 1, n - 1, sum);
  sum *= x[1];
}
double caught_above_recursion(const double *x, int n) {
  double sum = 0;
  try {
    add_squares(x, n, sum);
  } catch (int) {
  }
  return sum;
}

/// Returns only a number: there is nothing to undo where it throws.
double product_up_to_one(const double *x, int n) {
  if (n == 0)
    throw n;
  try {
    return x[0] < 1 ? std::sin(x[0]) * product_up_to_one(x + 1, n - 1) : x[0];
  } catch (int) {
    return x[0] * x[0];
  }
}

template <double (*program)(const double *, int)>
void expect_clean_exit() {
  int caught = 0;
  EXPECT_NO_GROWTH([&] {
    double x[] = {40, 0.5, 0.5, 0.5}, shadow[4] = {1, 0, 0, 0};
    try {
      __enzyme_autodiff<void>((void *)program, enzyme_dup, x, shadow, enzyme_const, 4);
    } catch (const std::runtime_error &) {
      ++caught;
    }
    try {
      __enzyme_fwddiff<double>((void *)program, enzyme_dup, x, shadow, enzyme_const, 4);
    } catch (const std::runtime_error &) {
      ++caught;
    }
  });
  EXPECT_HOLDS(caught == 2 * (assay::suites::warming_runs + assay::suites::counted_runs));
}

} // namespace

PLUGIN_TEST(Exceptions, WhatWasWrittenBeforeTheThrowIsDifferentiated) {
  CHECK_FUNCTION(written_before_the_throw, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Exceptions, FunctionsAndDestructorsOnTheWayAreDifferentiated) {
  CHECK_FUNCTION(thrown_through_two_functions, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Exceptions, AHandlerMayRethrowOrTellTypesApart) {
  CHECK_FUNCTION(caught_by_type, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Exceptions, LibraryFunctionsMayThrow) {
  CHECK_FUNCTION(never_throws_out, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Exceptions, OneOfSeveralIsThrown) {
  CHECK_FUNCTION(root_or_exception, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Exceptions, TheHandlerIsKnownInSplitMode) {
  CHECK_FUNCTION(caught_in_turns, 0.7, 1.1, 1.6, 0.4);
  double x[] = {0.7, 1.1, 1.6, 0.4}, expected[4] = {}, gradient[4] = {};
  __enzyme_autodiff<void>((void *)caught_in_turns, enzyme_dup, x, expected, enzyme_const, 4);
  const auto forward =
      __enzyme_augmentfwd<TapedException>((void *)caught_in_turns, enzyme_dup, x, gradient, enzyme_const, 4);
  __enzyme_reverse<void>((void *)caught_in_turns, enzyme_dup, x, gradient, enzyme_const, 4, 1.0, forward.tape);
  for (int i = 0; i < 4; ++i)
    EXPECT_CLOSE(gradient[i], expected[i]);
}
PLUGIN_TEST(Exceptions, APathThatDoesNotThrowIsDifferentiated) {
  CHECK_FUNCTION(iterated, 0.5, 0.6, 0.4, 0.5);
  CHECK_FUNCTION(with_owners, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Exceptions, MayPassThroughRecursionThatOnlyReads) {
  CHECK_FUNCTION(product_up_to_one, 0.7, 0.4, 0.6, 0.3);
  CHECK_FUNCTION(product_up_to_one, 0.7, 1.4, 0.6, 0.3);
}
PLUGIN_TEST(Exceptions, MayPassThroughRecursionThatHasWritten) {
  CHECK_FUNCTION(caught_above_recursion, 0.7, 1.1, 1.6, 0.4);
  EXPECT_NOTHING_LEFT(caught_above_recursion, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Exceptions, OneThatLeavesTheDerivativeReleasesTheTape) {
  expect_clean_exit<iterated>();
}
PLUGIN_TEST(Exceptions, OneThatLeavesTheDerivativeRunsDestructorsOfShadowsToo) {
  expect_clean_exit<with_owners>();
}
