// Threads that are waited for by conditions: of the C++ library, and of POSIX.
#include "support/stop_test.hpp"
#include "support/vector_program.hpp"
#include "threads/part_of_sum.hpp"
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <queue>
#include <thread>
#include <vector>

namespace {

using namespace assay::suites;

double waited_for(const double *x, int n) {
  std::mutex mutex;
  std::condition_variable all_done;
  int done = 0;
  double total = 1;
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k)
    threads.emplace_back([&, k] {
      const double sum = part(x, k * n / 3, (k + 1) * n / 3);
      const std::lock_guard lock(mutex);
      total *= 1 + sum;
      if (++done == 3)
        all_done.notify_one();
    });
  double result = 0;
  {
    std::unique_lock lock(mutex);
    all_done.wait(lock, [&] { return done == 3; });
    result = total;
  }
  for (std::thread &thread : threads)
    thread.join();
  return result;
}

/// Nobody will say that the sum is that large.
double with_a_limit(const double *x, int n) {
  std::mutex mutex;
  std::condition_variable changed;
  double total = 0;
  std::thread thread([&] {
    const std::lock_guard lock(mutex);
    total = part(x, 0, n);
    changed.notify_all();
  });
  std::unique_lock lock(mutex);
  const bool is_large = changed.wait_for(lock, std::chrono::milliseconds(1), [&] { return total > 1e6; });
  lock.unlock();
  thread.join();
  return is_large ? 0 : total * total;
}

/// Tasks that are there before the threads that take them.
class Tasks {
public:
  void add(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    tasks_.push(std::move(task));
    changed_.notify_one();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }
  void run() {
    while (true) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_over_ || !tasks_.empty(); });
        if (tasks_.empty())
          return;
        task = std::move(tasks_.front());
        tasks_.pop();
      }
      task();
    }
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> tasks_;
  bool is_over_ = false;
};

double by_tasks(const double *x, int n) {
  std::vector<double> out(n);
  Tasks tasks;
  for (int i = 0; i < n; ++i)
    tasks.add([&, i] { out[i] = std::exp(-x[i]) * x[(i + 1) % n]; });
  tasks.end();
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.emplace_back([&] { tasks.run(); });
  for (std::thread &thread : threads)
    thread.join();
  double sum = 0;
  for (const double number : out)
    sum += number * number;
  return sum;
}

double with_threads_first(const double *x, int n) {
  double out = 0;
  Tasks tasks;
  std::thread thread([&] { tasks.run(); });
  tasks.add([&] { out = part(x, 0, n); });
  tasks.end();
  thread.join();
  return out;
}

void differentiate_what_waits() {
  double x[] = {0.5, 0.7}, shadow[] = {0.0, 0.0};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(with_threads_first), enzyme_dup, x, shadow, enzyme_const, 2);
}

struct Job {
  const double *x;
  int begin, end;
  double *total;
  pthread_mutex_t *mutex;
  pthread_cond_t *changed;
  int *done;
};

void *run_job(void *argument) {
  auto *job = static_cast<Job *>(argument);
  const double sum = part(job->x, job->begin, job->end);
  pthread_mutex_lock(job->mutex);
  *job->total += sum * sum;
  ++*job->done;
  pthread_cond_signal(job->changed);
  pthread_mutex_unlock(job->mutex);
  return nullptr;
}

double of_posix(const double *x, int n) {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_mutex_init(&mutex, nullptr);
  pthread_cond_init(&changed, nullptr);
  double total = 0;
  int done = 0;
  pthread_t threads[2];
  Job jobs[2];
  for (int k = 0; k < 2; ++k) {
    jobs[k] = {x, k * n / 2, (k + 1) * n / 2, &total, &mutex, &changed, &done};
    pthread_create(&threads[k], nullptr, run_job, &jobs[k]);
  }
  pthread_mutex_lock(&mutex);
  while (done < 2)
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  for (const pthread_t thread : threads)
    pthread_join(thread, nullptr);
  pthread_cond_destroy(&changed);
  pthread_mutex_destroy(&mutex);
  return total;
}

} // namespace

PLUGIN_TEST(Conditions, AreWaitedForByWhoStartedTheThreads) {
  CHECK_FUNCTION(waited_for, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(Conditions, AreWaitedForUntilATime) {
  CHECK_FUNCTION(with_a_limit, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(Conditions, AreThoseOfTasks) {
  CHECK_FUNCTION(by_tasks, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(Conditions, OfPosixAreWaitedFor) {
  CHECK_FUNCTION(of_posix, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(Conditions, ThatWouldComeLaterStopTheProgram) {
  EXPECT_STOP(differentiate_what_waits, "a thread waits for what another one does later");
}
