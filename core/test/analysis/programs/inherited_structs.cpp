#include "against_differences.h"
#include <list>
#include <memory>
#include <vector>
struct Base {
  int kind;
  double a;
};
struct Derived : Base {
  float b;
  std::vector<double> v;
  Derived *next;
};
__attribute__((noinline)) static double use(const Derived &d) {
  double s = d.a * d.b;
  for (double t : d.v)
    s += t * d.kind;
  return s;
}
static double f(const double *x, int n) {
  std::vector<std::unique_ptr<Derived>> owned;
  Derived *head = nullptr;
  for (int i = 0; i < n; i++) {
    auto d = std::make_unique<Derived>();
    d->kind = i;
    d->a = x[i];
    d->b = (float)(i + 1);
    d->v.assign(3, x[i] * x[(i + 1) % n]);
    d->next = head;
    head = d.get();
    owned.push_back(std::move(d));
  }
  double s = 0;
  for (Derived *d = head; d; d = d->next)
    s += use(*d) * (d->next ? d->next->a : 1.0);
  std::vector<Derived> copies;
  for (auto &o : owned)
    copies.push_back(*o);
  for (auto &c : copies)
    s += use(c);
  return s;
}
MAIN(f, 5, 0.5, 1e-5)
