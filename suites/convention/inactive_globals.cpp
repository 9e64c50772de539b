// Globals that are declared inactive end derivatives, whether or not the optimiser forwards what is stored there to
// what is loaded.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"

double last_value;
static double table[4];
static thread_local double of_thread;
static double total;
void *__enzyme_inactive_global_last[] = {(void *)&last_value};
[[maybe_unused]] static void *__enzyme_inactive_global_table[] = {(void *)table};
[[maybe_unused]] static void *__enzyme_inactive_global_total[] = {(void *)&total};
__attribute__((annotate("enzyme_inactive"))) static double annotated;

namespace {

double stored_and_loaded(double x) {
  last_value = x * x;
  return last_value * x;
}
double elements(double x) {
  for (int i = 0; i < 4; ++i)
    table[i] = x * i;
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += table[i] * x;
  return sum;
}
double one_element(double x) {
  table[1] = x * x;
  table[2] = x;
  return table[1] * x + table[2];
}
double accumulated(double x) {
  total = 0;
  for (int i = 0; i < 3; ++i)
    total += x;
  return total * x;
}
double through_an_annotation(double x) {
  annotated = x * x;
  return annotated * x;
}
double stays_active(double x) {
  of_thread = x * x;
  return of_thread * x;
}

void check(double (*function)(double), double expected, double derivative) {
  EXPECT_CLOSE(function(3), expected);
  EXPECT_CLOSE(derivative, expected / 3);
}

} // namespace

#define CHECK(f, value)                                                                                                \
  check(f, value, __enzyme_autodiff<double>((void *)f, 3.0));                                                          \
  check(f, value, __enzyme_fwddiff<double>((void *)f, 3.0, 1.0))

PLUGIN_TEST(InactiveGlobals, EndTheDerivativeOfWhatIsStored) {
  CHECK(stored_and_loaded, 27);
  CHECK(through_an_annotation, 27);
}
PLUGIN_TEST(InactiveGlobals, EndThatOfTheirElements) {
  CHECK(elements, 54);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)one_element, 3.0), 9);
}
PLUGIN_TEST(InactiveGlobals, MayAccumulate) {
  CHECK(accumulated, 27);
}
PLUGIN_TEST(InactiveGlobals, AreOnlyTheDeclaredOnes) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)stays_active, 3.0), 27);
}
