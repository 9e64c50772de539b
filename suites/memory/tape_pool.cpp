// Tapes of callees whose reverse sweeps are functions of their own: many small ones, in any order, with exceptions,
// threads and contexts in between.
#include "support/heap_growth.hpp"
#include "support/vector_program.hpp"
#include <memory>
#include <stdexcept>
#include <thread>
#include <ucontext.h>
#include <vector>

template <class Result, class... Arguments>
Result __enzyme_augmentfwd(void *, Arguments...);
template <class Result, class... Arguments>
Result __enzyme_reverse(void *, Arguments...);

namespace {

using namespace assay::suites;

/// Each call has a tape with a record for each of its iterations, whose number is not known before, and its own calls
/// in between.
__attribute__((noinline)) double branches(const double *x, int n, int depth, double value) {
  double sum = 0;
  for (int i = depth + 1; i != 1; i = i % 2 ? 3 * i + 1 : i / 2) {
    value *= 0.5 + 0.2 * x[i % n] * value;
    if (depth > 0)
      sum += branches(x, n, depth - 1, value + 0.1 * x[(i + depth) % n]);
    sum += value * value * x[i % n];
  }
  return sum + value;
}
double tree_of_calls(const double *x, int n) {
  return branches(x, n, 4, 0.9 * x[0]);
}

/// The tape of one call outgrows every piece of memory that small ones are cut off, while those of its callees grow.
__attribute__((noinline)) double one_step(double value, double slope) {
  return value * (1 - 1e-4 * slope * value) / (1 + 1e-4 * value * value);
}
__attribute__((noinline)) double many_steps(const double *x, int n, double value) {
  double sum = 0;
  for (int i = 0; i < 20000 && value < 100; ++i) {
    value = one_step(value, x[i % n]);
    sum += value * 1e-4;
  }
  return sum * sum;
}
double long_tapes(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += many_steps(x, n, x[i]);
  return sum;
}

__attribute__((noinline)) double inverse(const double *x, int n, int at, double limit) {
  if (x[at] * x[at] < limit)
    throw std::runtime_error("too small");
  return at + 1 < n ? x[at] * inverse(x, n, at + 1, limit) + 1 / x[at] : 1 / x[at];
}
double with_caught_exceptions(const double *x, int n) {
  double sum = 0;
  for (double limit : {0.1, 0.9, 0.2}) {
    try {
      sum += inverse(x, n, 0, limit);
    } catch (const std::runtime_error &) {
      sum += x[0] * x[1];
    }
  }
  return sum + branches(x, n, 1, x[0]);
}
double with_lost_exception(const double *x, int n) {
  return branches(x, n, 1, x[0]) * inverse(x, n, 0, 0.9);
}

/// Other gradients of the program begin and end, in threads and on stacks of their own, while this one is under way.
ucontext_t outside, inside;
double other_x[3] = {0.8, 1.1, 0.9}, other_shadow[3];
int switches = 0;

__attribute__((noinline)) void go_outside() {
  ++switches;
  swapcontext(&inside, &outside);
}
double in_two_parts(const double *x, int n) {
  const double first = branches(x, n, 3, x[0]);
  go_outside();
  return first * branches(x, n, 3, x[1]);
}

template <class Program>
void gradient_of(Program program, const double *x, double *shadow, int n) {
  __enzyme_autodiff<void>((void *)program, enzyme_dup, x, shadow, enzyme_const, n);
}

void run_inside() {
  gradient_of(in_two_parts, other_x, other_shadow, 3);
}

} // namespace

void *__enzyme_inactivefn_go_outside[] = {(void *)go_outside};

PLUGIN_TEST(TapePool, HoldsTapesOfRecursiveCalls) {
  CHECK_FUNCTION(tree_of_calls, 0.9, 1.1, 0.7);
}

PLUGIN_TEST(TapePool, HoldsLongTapesBesideShortOnes) {
  CHECK_FUNCTION(long_tapes, 0.9, 0.4, 0.7);
}

PLUGIN_TEST(TapePool, HoldsTapesBeforeAndAfterExceptions) {
  CHECK_FUNCTION(with_caught_exceptions, 0.8, 1.1, 0.7);
}

PLUGIN_TEST(TapePool, IsGivenBack) {
  EXPECT_NOTHING_LEFT(tree_of_calls, 0.9, 1.1, 0.7);
}
PLUGIN_TEST(TapePool, IsGivenBackByCallersOfWhatThrows) {
  EXPECT_NOTHING_LEFT(with_caught_exceptions, 0.8, 1.1, 0.7);
}

PLUGIN_TEST(TapePool, IsAsBeforeWhereAnExceptionEndsAGradient) {
  double x[3] = {0.8, 1.1, 0.7}, shadow[3] = {};
  EXPECT_NO_GROWTH([&] {
    bool is_caught = false;
    try {
      gradient_of(with_lost_exception, x, shadow, 3);
    } catch (const std::runtime_error &) {
      is_caught = true;
    }
    EXPECT_HOLDS(is_caught);
  });
  CHECK_FUNCTION(tree_of_calls, 0.9, 1.1, 0.7);
}

/// The tapes below are used when the thread that made them has ended, and in no particular order.
PLUGIN_TEST(TapePool, IsNotUsedForTapesOfTheProgram) {
  constexpr int tapes = 5;
  double x[3] = {0.9, 1.1, 0.7}, expected[3] = {};
  gradient_of(tree_of_calls, x, expected, 3);
  EXPECT_NO_GROWTH([&] {
    double shadow[3] = {};
    void *tape[tapes];
    std::thread([&] {
      gradient_of(tree_of_calls, x, std::vector<double>(3).data(), 3);
      for (void *&each : tape)
        each = __enzyme_augmentfwd<void *>((void *)tree_of_calls, enzyme_dup, x, shadow, enzyme_const, 3);
    }).join();
    for (int each : {2, 0, 4, 1, 3})
      __enzyme_reverse<void>((void *)tree_of_calls, enzyme_dup, x, shadow, enzyme_const, 3, 1.0, tape[each]);
    for (int i = 0; i < 3; ++i)
      EXPECT_CLOSE(shadow[i], tapes * expected[i]);
  });
}

PLUGIN_TEST(TapePool, IsOneForEachThread) {
  double x[3] = {0.9, 1.1, 0.7}, expected[3] = {};
  gradient_of(tree_of_calls, x, expected, 3);
  std::vector<std::array<double, 3>> shadows(4);
  std::vector<std::thread> threads;
  for (auto &shadow : shadows)
    threads.emplace_back([&] {
      for (int run = 0; run < 50; ++run)
        gradient_of(tree_of_calls, x, shadow.data(), 3);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const auto &shadow : shadows)
    for (int i = 0; i < 3; ++i)
      EXPECT_CLOSE(shadow[i], 50 * expected[i]);
}

/// One gradient begins on another stack, the next begins and ends meanwhile, and the first goes on.
PLUGIN_TEST(TapePool, IsSharedByGradientsOnTwoStacks) {
  double expected[3] = {}, x[3] = {0.9, 1.1, 0.7}, shadow[3] = {};
  gradient_of(tree_of_calls, x, expected, 3);
  EXPECT_NO_GROWTH([&] {
    std::vector<char> stack(1 << 18);
    std::fill(other_shadow, other_shadow + 3, 0.0);
    std::fill(shadow, shadow + 3, 0.0);
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack.data();
    inside.uc_stack.ss_size = stack.size();
    inside.uc_link = &outside;
    makecontext(&inside, run_inside, 0);
    swapcontext(&outside, &inside);
    gradient_of(tree_of_calls, x, shadow, 3);
    swapcontext(&outside, &inside);
    for (int i = 0; i < 3; ++i)
      EXPECT_CLOSE(shadow[i], expected[i]);
  });
  const auto value = [](double change, int at) {
    double moved[3] = {other_x[0], other_x[1], other_x[2]};
    moved[at] += change;
    return branches(moved, 3, 3, moved[0]) * branches(moved, 3, 3, moved[1]);
  };
  for (int at = 0; at < 3; ++at)
    expect_near(other_shadow[at], central_difference([&](double change) { return value(change, at); }),
                central_tolerance, "gradient of the other", __FILE__, __LINE__);
}
