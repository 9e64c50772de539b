/* Right functions that read their numbers from text. */
#include <assay/check.h>
#include <stdlib.h>

/* A parser, whose numbers end where strtod says. */
struct parser {
  const char *text;
  double x, y;
};
static double sum_of(struct parser *p);
static double factor_of(struct parser *p) {
  if (*p->text == '(') {
    ++p->text;
    double value = sum_of(p);
    ++p->text;
    return value;
  }
  if (*p->text == 'x' || *p->text == 'y')
    return *p->text++ == 'x' ? p->x : p->y;
  return strtod(p->text, (char **)&p->text);
}
static double product_of(struct parser *p) {
  double value = factor_of(p);
  while (*p->text == '*' || *p->text == '/')
    value = *p->text++ == '*' ? value * factor_of(p) : value / factor_of(p);
  return value;
}
static double sum_of(struct parser *p) {
  double value = product_of(p);
  while (*p->text == '+' || *p->text == '-')
    value = *p->text++ == '+' ? value + product_of(p) : value - product_of(p);
  return value;
}
double formula(double x, double y) {
  struct parser p = {"x*(y+2.5)*(x-y*0.125)/(1+x*x)-3*y", x, y};
  return sum_of(&p);
}
ASSAY_CHECK(formula);
