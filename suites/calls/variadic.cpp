// Variadic functions of the program's own.
#include "support/vector_program.hpp"
#include <cmath>
#include <cstdarg>
#include <cstdio>

struct Two {
  double first, second;
};

namespace {

double weighted(int n, ...) {
  va_list list;
  va_start(list, n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * va_arg(list, double);
  va_end(list);
  return sum;
}

double read_twice(va_list first, va_list second) {
  return va_arg(first, double) * std::sin(va_arg(second, double));
}

struct Large {
  double a, b, c;
};

double mixed(double x, ...) {
  va_list list, again;
  va_start(list, x);
  va_copy(again, list);
  const double twice = read_twice(list, again);
  va_end(again);
  const int factor = va_arg(list, int);
  const double *place = va_arg(list, double *);
  const Large large = va_arg(list, Large);
  const auto extended = va_arg(list, long double);
  va_end(list);
  return twice * factor + *place * x + large.a * large.b * large.c + double(extended);
}

/// As a format says: numbers d, long numbers l and places p, read in two passes.
double described(const char *kinds, va_list first) {
  va_list second;
  va_copy(second, first);
  double sum = 0, product = 1;
  for (const char *kind = kinds; *kind; ++kind)
    switch (*kind) {
    case 'd':
      sum += va_arg(first, double);
      break;
    case 'p':
      sum += *va_arg(first, const double *);
      break;
    default:
      sum -= double(va_arg(first, long double));
    }
  for (const char *kind = kinds; *kind; ++kind)
    switch (*kind) {
    case 'd':
      product *= va_arg(second, double);
      break;
    case 'p':
      product *= *va_arg(second, const double *);
      break;
    default:
      product += double(va_arg(second, long double));
    }
  va_end(second);
  return sum * product;
}
double as_described(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  const double result = described(kinds, list);
  va_end(list);
  return result;
}

char text[32];
int writes = 0;
void note(const char *format, ...) {
  va_list list;
  va_start(list, format);
  std::vsnprintf(text, sizeof text, format, list);
  va_end(list);
  ++writes;
}

double sums(double x, double y) {
  return weighted(2, x, y) * weighted(3, x, y, x * y);
}
double of_all_kinds(double *x) {
  return mixed(x[0], x[1], 3, &x[2], Large{x[0], x[1], 2}, (long double)(x[2]));
}
double described_numbers(const double *x, int) {
  return as_described("ldpd", (long double)(x[0]) * x[1], x[2], x + 1, x[0]) + as_described("dp", x[1], x + 2);
}
double noted(double x) {
  note("%d %.2f", 7, x);
  return x * x;
}

} // namespace

PLUGIN_TEST(Variadic, ArgumentsAreReadInALoop) {
  const Two g = __enzyme_autodiff<Two>((void *)sums, 2.0, 3.0);
  EXPECT_CLOSE(g.first, 26 + 8 * 10.0); // (x + 2y)' (x + 2y + 3xy) + ...
  EXPECT_CLOSE(g.second, 2 * 26 + 8 * 8.0);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)sums, 2.0, 1.0, 3.0, 0.0), 106);
}
PLUGIN_TEST(Variadic, AllKindsOfArgumentsCarryDerivatives) {
  double x[3] = {0.5, 1.5, 2.5}, dx[3] = {};
  __enzyme_autodiff<void>((void *)of_all_kinds, x, dx);
  EXPECT_CLOSE(dx[0], x[2] + 2 * x[1]);
  EXPECT_CLOSE(dx[1], 3 * (std::sin(x[1]) + x[1] * std::cos(x[1])) + 2 * x[0]);
  EXPECT_CLOSE(dx[2], x[0] + 1);
}
PLUGIN_TEST(Variadic, AListThatAnotherFunctionReadsTwice) {
  CHECK_FUNCTION(described_numbers, 0.5, 1.5, 2.5);
}
PLUGIN_TEST(Variadic, AListThatGoesOnToTheLibraryIsOne) {
  writes = 0;
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)noted, 3.0), 6);
  EXPECT_HOLDS(writes == 1 && text[0] == '7' && text[2] == '3' && text[5] == '0');
}
