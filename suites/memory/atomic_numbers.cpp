// Atomic floats and fences, as one thread uses them.
#include "support/vector_program.hpp"
#include <atomic>

namespace {

double updated(const double *x, int n) {
  std::atomic<double> sum{x[0]};
  for (int i = 0; i < n; ++i) {
    sum += x[i] * x[i];
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  sum.fetch_sub(x[1] * x[0]);
  double seen = sum.load();
  while (!sum.compare_exchange_weak(seen, seen * x[1])) {
  }
  return sum.exchange(0) * x[0] + sum;
}

_Atomic double total;

double compound_assignments(const double *x, int n) {
  total = x[0];
  for (int i = 0; i < n; ++i) {
    total += x[i] * x[i];
    total *= x[0];
  }
  __sync_synchronize();
  return total * total;
}

} // namespace

PLUGIN_TEST(AtomicNumbers, AreUpdatedByComparingTheirBits) {
  CHECK_FUNCTION(updated, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(AtomicNumbers, HaveCompoundAssignments) {
  CHECK_FUNCTION(compound_assignments, 0.7, -1.2, 0.4);
}
