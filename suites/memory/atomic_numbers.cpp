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

std::atomic<double> filled;

/// Its store of zero is an integer's to the compiler.
double of_a_global(const double *x, int n) {
  filled = 0;
  for (int i = 0; i < n; ++i)
    filled = filled + x[i] * x[(i + 1) % n];
  return filled * filled;
}

} // namespace

struct Augmented {
  void *tape;
  double value;
};

template <class Result, class... Arguments>
Result __enzyme_augmentfwd(void *, Arguments...);
template <class Result, class... Arguments>
Result __enzyme_reverse(void *, Arguments...);

PLUGIN_TEST(AtomicNumbers, AreUpdatedByComparingTheirBits) {
  CHECK_FUNCTION(updated, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(AtomicNumbers, HaveCompoundAssignments) {
  CHECK_FUNCTION(compound_assignments, 0.7, -1.2, 0.4);
}
/// The store of zero clears the adjoint: nothing of one derivative is left for the next.
PLUGIN_TEST(AtomicNumbers, OfAGlobalInBothHalvesOfASplitDerivative) {
  CHECK_FUNCTION(of_a_global, 0.7, -1.2, 0.4);
  const double x[3] = {0.7, -1.2, 0.4};
  for (int call = 0; call < 3; ++call) {
    double gradient[3] = {};
    const auto forward = __enzyme_augmentfwd<Augmented>((void *)of_a_global, enzyme_dup, x, gradient, enzyme_const, 3);
    __enzyme_reverse<void>((void *)of_a_global, enzyme_dup, x, gradient, enzyme_const, 3, 1.0, forward.tape);
    for (int i = 0; i < 3; ++i)
      assay::suites::expect_near(gradient[i],
                                 2 * (x[0] * x[1] + x[1] * x[2] + x[2] * x[0]) * (x[(i + 1) % 3] + x[(i + 2) % 3]),
                                 1e-14, "gradient", __FILE__, __LINE__);
  }
}
