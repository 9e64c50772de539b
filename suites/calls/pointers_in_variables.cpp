// Functions that stay calls find active memory through a pointer that a variable of the program keeps.
#include "support/vector_program.hpp"

#define NOINLINE __attribute__((noinline))

namespace {

const double *rates;

double decay(double t) {
  return std::exp(-rates[0] * t) * rates[1];
}

NOINLINE double integral(double (*f)(double), double a, double b, int depth) {
  const double middle = 0.5 * (a + b);
  if (depth <= 0)
    return (b - a) * f(middle);
  return integral(f, a, middle, depth - 1) + integral(f, middle, b, depth - 1);
}

double through_a_callback(const double *x, int) {
  rates = x;
  const double area = integral(decay, 0, 1, 3);
  rates = nullptr;
  return area;
}

NOINLINE double power(double t, int depth) {
  return depth <= 0 ? rates[0] * t : power(t + rates[1], depth - 1) * rates[0];
}

double through_recursion(const double *x, int) {
  rates = x;
  return power(0.5, 3);
}

struct Environment {
  const double *numbers;
};
Environment *environment;

double of_environment(double t) {
  return std::sin(environment->numbers[0] * t) + environment->numbers[1];
}

double through_a_struct(const double *x, int) {
  Environment own{x};
  environment = &own;
  const double area = integral(of_environment, 0, 1, 2);
  environment = nullptr;
  return area;
}

} // namespace

PLUGIN_TEST(PointersInVariables, AreReadByCallbacksOfARecursiveFunction) {
  CHECK_FUNCTION(through_a_callback, 0.6, 0.35);
}
PLUGIN_TEST(PointersInVariables, AreReadByRecursiveFunctions) {
  CHECK_FUNCTION(through_recursion, 0.6, 0.35);
}
PLUGIN_TEST(PointersInVariables, MayLeadToOthers) {
  CHECK_FUNCTION(through_a_struct, 0.6, 0.35);
}
