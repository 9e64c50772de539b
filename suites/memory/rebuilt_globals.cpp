// A global list that each call releases and builds anew, in the derivative, too: its shadows end with it.
#include "support/vector_program.hpp"
#include <cstdlib>
#include <malloc.h>

namespace {

struct Link {
  double value;
  Link *next;
};

Link *newest = nullptr;

double anew_each_time(const double *x, int n) {
  while (newest != nullptr) {
    Link *next = newest->next;
    std::free(newest);
    newest = next;
  }
  for (int i = 0; i < n; ++i) {
    auto *link = static_cast<Link *>(std::malloc(sizeof(Link)));
    *link = {x[i] * x[0], newest};
    newest = link;
  }
  double result = 0;
  for (const Link *link = newest; link != nullptr; link = link->next)
    result = result * 0.5 + link->value * link->value;
  return result;
}

std::size_t heap_in_use() {
  return ::mallinfo2().uordblks;
}

} // namespace

PLUGIN_TEST(RebuiltGlobals, ShadowsThatDerivativesAllocateAreReleased) {
  const auto take_gradient = [] {
    const double x[3] = {0.7, 1.3, 0.4};
    double gradient[3] = {};
    __enzyme_autodiff<void>((void *)anew_each_time, enzyme_dup, x, gradient, enzyme_const, 3);
  };
  CHECK_FUNCTION(anew_each_time, 0.7, 1.3, 0.4);
  for (int i = 0; i < 10; ++i)
    take_gradient();
  const std::size_t before = heap_in_use();
  for (int i = 0; i < 20; ++i)
    take_gradient();
  EXPECT_HOLDS(heap_in_use() == before);
}
