// Vectors grow by moving their elements and are copied.
#include "common.h"
#include <algorithm>
#include <vector>
double __enzyme_autodiff(void *, ...);
struct P {
  double x, y;
  int id;
};
double f(const double *x, int n) {
  std::vector<P> ps;
  for (int i = 0; i < n; i++)
    ps.push_back(P{x[i], x[i] * x[i], i});
  std::vector<double> out;
  for (auto &p : ps)
    out.push_back(p.x * p.y * (p.id + 1));
  std::vector<double> copy = out;
  double s = 0;
  for (double v : copy)
    s += v;
  return s;
}
int main() {
  double x[5] = {1, 2, 3, 4, 5}, d[5] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 5);
  int bad = 0;
  for (int i = 0; i < 5; i++)
    bad += check("d", d[i], 3 * x[i] * x[i] * (i + 1));
  if (!bad)
    puts("OK");
  return bad;
}
