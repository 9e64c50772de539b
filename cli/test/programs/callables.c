// Parameters and members that are pointers to functions.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef double (*integrand)(double x, void *with);
struct problem {
  integrand f;
  const double *coefficients;
  int n;
};

double square(double x) {
  return x * x;
}
double two(double x, double y) {
  return x * y;
}
int rounded(double x) {
  return (int)x;
}
// Only a spec names it.
static double cube(double x) {
  return x * x * x;
}

double integrate(double (*f)(double), double a, double b, int n) {
  const double h = (b - a) / n;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += f(a + (i + 0.5) * h);
  return sum * h;
}

double scaled(double x, void *with) {
  const double *numbers = with;
  return numbers[0] * x + numbers[1] * x * x;
}
double with_context(integrand f, void *context, double x) {
  return f(x, context) * x;
}
double of_problem(const struct problem *p, double x) {
  double sum = 0;
  for (int i = 0; i < p->n; ++i)
    sum += p->coefficients[i] * p->f(x, (void *)p->coefficients);
  return sum;
}
double of_problem_by_value(struct problem p, double x) {
  return of_problem(&p, x);
}

void apply(double (*f)(double), double (*g)(double), bool (*chosen)(int, bool), double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = chosen && chosen(i, true) ? g(x[i]) : f(x[i]);
}
bool is_odd(int i, bool flag) {
  return (i & 1) == flag;
}

double unprototyped(double (*f)(), double x) {
  return f(x);
}

// The rule is wrong where it is used.
__attribute__((noinline)) double quartic(double x) {
  return x * x * x * x;
}
double quartic_tangent(double x, double tangent) {
  return 3 * x * x * x * tangent;
}
void *__enzyme_register_derivative_quartic[] = {(void *)quartic, (void *)quartic_tangent};
