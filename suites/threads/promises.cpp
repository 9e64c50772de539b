// Futures whose values a program gives by itself, before or after somebody waits for them.
#include "support/stop_test.hpp"
#include "support/vector_program.hpp"
#include "threads/part_of_sum.hpp"
#include <future>
#include <thread>
#include <vector>

namespace {

using namespace assay::suites;

double by_promise(const double *x, int n) {
  std::promise<double> promise;
  std::future<double> future = promise.get_future();
  std::thread thread([&] { promise.set_value(part(x, 0, n)); });
  const double sum = future.get();
  thread.join();
  return sum * sum;
}

double shared_by_threads(const double *x, int n) {
  std::promise<double> promise;
  const std::shared_future<double> shared = promise.get_future().share();
  promise.set_value(x[0] * x[1]);
  double results[2] = {};
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.emplace_back([&results, k, shared, x] { results[k] = shared.get() * x[k + 1]; });
  for (std::thread &thread : threads)
    thread.join();
  return results[0] + results[1] * results[0] * n;
}

/// The value comes after the start of the thread that waits for it.
double waits_for_later(const double *x, int) {
  std::promise<double> promise;
  std::future<double> future = promise.get_future();
  double result = 0;
  std::thread thread([&] { result = future.get() * x[1]; });
  promise.set_value(x[0]);
  thread.join();
  return result;
}

void differentiate_what_waits() {
  const double x[3] = {0.9, 0.4, 0.7};
  double shadow[3] = {};
  __enzyme_autodiff<void>((void *)waits_for_later, enzyme_dup, x, shadow, enzyme_const, 3);
}

} // namespace

PLUGIN_TEST(Futures, AreKeptByPromises) {
  CHECK_FUNCTION(by_promise, 0.9, 0.4, 0.7);
}
PLUGIN_TEST(Futures, AreSharedByThreads) {
  CHECK_FUNCTION(shared_by_threads, 0.9, 0.4, 0.7);
}
PLUGIN_TEST(Futures, StopTheProgramThatWaitsForWhatComesLater) {
  EXPECT_STOP(differentiate_what_waits, "a thread waits for a future whose value comes later than the thread's start");
}
