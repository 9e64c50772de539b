// Threads that wait for variables that others change: latches, semaphores, atomic variables, and std::jthread, whose
// destructor joins.
#include "support/stop_test.hpp"
#include "support/vector_program.hpp"
#include "threads/part_of_sum.hpp"
#include <atomic>
#include <barrier>
#include <latch>
#include <semaphore.h>
#include <semaphore>
#include <thread>
#include <vector>

namespace {

using namespace assay::suites;

double joined_by_destructors(const double *x, int n) {
  std::vector<double> sums(3);
  {
    std::vector<std::jthread> threads;
    for (int k = 0; k < 3; ++k)
      threads.emplace_back([&, k] { sums[k] = part(x, k * n / 3, (k + 1) * n / 3); });
  }
  return sums[0] * sums[1] + sums[2] * sums[2];
}

double that_may_be_stopped(const double *x, int n) {
  double sum = 0;
  std::jthread thread([&](const std::stop_token &stop) {
    for (int i = 0; i < n && !stop.stop_requested(); ++i)
      sum += std::exp(-x[i]) * x[i];
  });
  thread.request_stop();
  thread.join();
  return sum;
}

double behind_a_latch(const double *x, int n) {
  std::vector<double> sums(3);
  std::latch done(3);
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k)
    threads.emplace_back([&, k] {
      sums[k] = part(x, k * n / 3, (k + 1) * n / 3);
      done.count_down();
    });
  done.wait();
  const double result = sums[0] * sums[1] + sums[2] * sums[2];
  for (std::thread &thread : threads)
    thread.join();
  return result;
}

double behind_a_semaphore(const double *x, int n) {
  double product = 1;
  std::binary_semaphore free(1);
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k)
    threads.emplace_back([&, k] {
      const double sum = part(x, k * n / 3, (k + 1) * n / 3);
      free.acquire();
      product *= 1 + sum;
      free.release();
    });
  for (std::thread &thread : threads)
    thread.join();
  return product;
}

double behind_a_semaphore_of_posix(const double *x, int n) {
  double product = 1;
  sem_t free;
  sem_init(&free, 0, 1);
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k)
    threads.emplace_back([&, k] {
      const double sum = part(x, k * n / 3, (k + 1) * n / 3);
      sem_wait(&free);
      product *= 1 + sum;
      sem_post(&free);
    });
  for (std::thread &thread : threads)
    thread.join();
  sem_destroy(&free);
  return product;
}

double behind_an_atomic_variable(const double *x, int n) {
  std::atomic<int> is_there = 0;
  double sum = 0;
  std::thread thread([&] {
    sum = part(x, 0, n);
    is_there.store(1);
    is_there.notify_all();
  });
  is_there.wait(0);
  const double result = sum * sum;
  thread.join();
  return result;
}

/// Two threads, each of which needs what the other has done before.
double with_a_barrier(const double *x, int n) {
  double numbers[2] = {x[0], x[n - 1]};
  std::barrier step(2);
  const auto run = [&](int k) {
    const double other = numbers[1 - k];
    step.arrive_and_wait();
    numbers[k] += std::sin(other);
  };
  std::thread first(run, 0), second(run, 1);
  first.join();
  second.join();
  return numbers[0] * numbers[1];
}

void differentiate_what_waits() {
  double x[] = {0.5, 0.7}, shadow[] = {0.0, 0.0};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(with_a_barrier), enzyme_dup, x, shadow, enzyme_const, 2);
}

} // namespace

PLUGIN_TEST(WaitingThreads, AreJoinedByTheirDestructors) {
  CHECK_FUNCTION(joined_by_destructors, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(WaitingThreads, AreStoppedWhereTheyHaveEnded) {
  double x[] = {0.9, 0.4, 0.7}, shadow[] = {1.0, 1.0, 1.0};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(that_may_be_stopped), enzyme_dup, x, shadow, enzyme_const, 3);
  for (int i = 0; i < 3; ++i)
    EXPECT_CLOSE(shadow[i], 1 + std::exp(-x[i]) * (1 - x[i]));
}
PLUGIN_TEST(WaitingThreads, CountDownALatch) {
  CHECK_FUNCTION(behind_a_latch, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(WaitingThreads, TakeASemaphore) {
  CHECK_FUNCTION(behind_a_semaphore, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(WaitingThreads, TakeASemaphoreOfPosix) {
  CHECK_FUNCTION(behind_a_semaphore_of_posix, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(WaitingThreads, ChangeAnAtomicVariable) {
  CHECK_FUNCTION(behind_an_atomic_variable, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(WaitingThreads, ThatNeedOneAnotherStopTheProgram) {
  EXPECT_STOP(differentiate_what_waits, "a thread waits for what another one does later");
}
