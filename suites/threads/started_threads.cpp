// Threads that programs start by themselves and join: pthreads, C's, std::thread with functions, objects and lambdas.
#include "support/vector_program.hpp"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <thread>
#include <threads.h>
#include <vector>

namespace {

double beside_the_first(const double *x, int n) {
  double squares = 0, sines = 0;
  std::thread thread([&] {
    for (int i = 0; i < n / 2; ++i)
      squares += x[i] * x[i];
  });
  for (int i = n / 2; i < n; ++i)
    sines += std::sin(x[i]);
  thread.join();
  return squares * sines;
}

void add_cubes(const double *x, int begin, int end, double *result) {
  for (int i = begin; i < end; ++i)
    *result += x[i] * x[i] * x[i];
}

double in_a_vector(const double *x, int n) {
  constexpr int count = 3;
  std::vector<double> results(count);
  std::vector<std::thread> threads;
  for (int k = 0; k < count; ++k)
    threads.emplace_back(add_cubes, x, k * n / count, (k + 1) * n / count, &results[k]);
  for (std::thread &thread : threads)
    thread.join();
  double s = 0;
  for (int k = 0; k < count; ++k)
    s += results[k] * (k + 1);
  return s;
}

double with_a_mutex(const double *x, int n) {
  std::mutex mutex;
  double s = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.push_back(std::thread([&, k] {
      double own = 0;
      for (int i = k; i < n; i += 2)
        own += std::exp(-x[i]);
      const std::lock_guard<std::mutex> lock(mutex);
      s += own;
    }));
  for (std::thread &thread : threads)
    thread.join();
  return s * s;
}

struct Job {
  const double *x;
  int begin, end;
  double result;
};
void *add_squares(void *given) {
  auto *job = static_cast<Job *>(given);
  job->result = 0;
  for (int i = job->begin; i < job->end; ++i)
    job->result += job->x[i] * job->x[i];
  return &job->result;
}

/// Joined by the end of a scope, with arguments in shared ownership and a lock for readers and writers.
struct Group {
  std::vector<std::thread> threads;
  template <class F, class... A>
  void run(F &&function, A &&...arguments) {
    threads.emplace_back(std::forward<F>(function), std::forward<A>(arguments)...);
  }
  ~Group() {
    for (std::thread &thread : threads)
      if (thread.joinable())
        thread.join();
  }
};
double in_a_group(const double *x, int n) {
  const auto values = std::make_shared<std::vector<double>>(x, x + n);
  std::shared_mutex mutex;
  double s = 0;
  const auto add = [values, &s, &mutex](std::size_t begin, std::size_t end) {
    double own = 0;
    for (std::size_t i = begin; i < end; ++i)
      own += (*values)[i] * (*values)[i];
    const std::unique_lock lock(mutex);
    s += own * own;
  };
  {
    Group group;
    group.run(add, 0, n / 2);
    group.run(add, n / 2, n);
  }
  return s;
}

thread_local double own[2];
double with_variables_of_their_own(const double *x, int n) {
  double results[2];
  std::thread threads[2];
  for (int k = 0; k < 2; ++k)
    threads[k] = std::thread([&results, x, n, k] {
      own[0] = own[1] = 0;
      for (int i = k; i < n; i += 2)
        own[i / 2 % 2] += x[i] * x[i];
      results[k] = own[0] * own[1];
    });
  for (std::thread &thread : threads)
    thread.join();
  return results[0] + 2 * results[1];
}

/// What each returns goes to who joins it.
double of_posix(const double *x, int n) {
  pthread_t threads[3];
  Job jobs[3];
  for (int k = 0; k < 3; ++k) {
    jobs[k] = {x, k * n / 3, (k + 1) * n / 3, 0};
    pthread_create(&threads[k], nullptr, add_squares, &jobs[k]);
  }
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    void *result;
    pthread_join(threads[k], &result);
    s += *static_cast<double *>(result) * (k + 1);
  }
  return s;
}

int add_squares_and_count(void *given) {
  add_squares(given);
  return 3;
}
double of_c(const double *x, int n) {
  thrd_t thread;
  Job job{x, 0, n, 0};
  int count = 0;
  thrd_create(&thread, add_squares_and_count, &job);
  thrd_join(thread, &count);
  return job.result * count;
}

struct Worker {
  const std::vector<double> &in;
  std::vector<double> &out;
  void operator()(int first) const {
    for (std::size_t i = first; i < in.size(); i += 2)
      out[i] = in[i] * std::cos(in[i]);
  }
};
double of_objects(const double *x, int n) {
  std::vector<double> in(x, x + n), out(n);
  std::thread even(Worker{in, out}, 0), odd(Worker{in, out}, 1);
  even.join();
  odd.join();
  double s = 0;
  for (double value : out)
    s += value * value;
  return s;
}

/// Each takes the next piece of work.
double with_a_counter(const double *x, int n) {
  std::atomic<int> next{0};
  std::vector<double> out(n);
  const auto work = [&] {
    for (int i; (i = next.fetch_add(1)) < n;)
      out[i] = x[i] * x[(i + 1) % n];
  };
  std::thread first(work), second(work);
  work();
  first.join();
  second.join();
  double s = 0;
  for (double value : out)
    s += value * value;
  return s;
}

/// Started again in each step.
double in_steps(const double *x, int n) {
  std::vector<double> now(x, x + n), next(now);
  for (int step = 0; step < 3; ++step) {
    std::vector<std::thread> threads;
    for (int k = 0; k < 2; ++k)
      threads.emplace_back([&, k] {
        for (int i = 1 + k; i < n - 1; i += 2)
          next[i] = now[i] + 0.1 * (now[i - 1] - 2 * now[i] + now[i + 1]) * now[i];
      });
    for (std::thread &thread : threads)
      thread.join();
    std::swap(now, next);
  }
  double s = 0;
  for (double value : now)
    s += value * value;
  return s;
}

double of_erased_functions(const double *x, int n) {
  double s = 0;
  const std::function<void()> add = [&] {
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i];
  };
  std::thread copied(add);
  copied.join();
  std::thread referred(std::ref(add));
  referred.join();
  return s;
}

} // namespace

PLUGIN_TEST(StartedThreads, ComputeBesideTheFirst) {
  CHECK_FUNCTION(beside_the_first, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, AreInAVector) {
  CHECK_FUNCTION(in_a_vector, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, LockAMutex) {
  CHECK_FUNCTION(with_a_mutex, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, AreJoinedByAScope) {
  CHECK_FUNCTION(in_a_group, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, HaveVariablesOfTheirOwn) {
  CHECK_FUNCTION(with_variables_of_their_own, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, OfPosixReturnPointers) {
  CHECK_FUNCTION(of_posix, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, OfCReturnNumbers) {
  CHECK_FUNCTION(of_c, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, RunObjects) {
  CHECK_FUNCTION(of_objects, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, TakeWorkByACounter) {
  CHECK_FUNCTION(with_a_counter, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, AreStartedInEachStep) {
  CHECK_FUNCTION(in_steps, 0.3, 0.9, -1.4, 0.7, 0.2);
}
PLUGIN_TEST(StartedThreads, RunErasedFunctions) {
  CHECK_FUNCTION(of_erased_functions, 0.3, 0.9, -1.4, 0.7, 0.2);
}
