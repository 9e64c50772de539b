// Threads that wait for one another are refused in both modes, with the way out.

#include "core/test/support/compile_and_run.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::HasSubstr, testing::Not;

namespace assay::test {
namespace {

TEST(ThreadsError, names_threads_and_the_way_out) {
  for (const char *ask : {"__enzyme_autodiff", "__enzyme_fwddiff"})
    for (const char *level : {"-O0", "-O2"}) {
      const ProcessResult result = compile({.source = std::string(R"(
#include <pthread.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup;
struct job { const double *x; double result; };
static pthread_barrier_t both;
static void *work(void *p) {
  struct job *job = p;
  pthread_barrier_wait(&both);
  job->result = job->x[0] * job->x[0];
  return 0;
}
static double f(const double *x) {
  pthread_t thread;
  struct job job = {x, 0};
  pthread_create(&thread, 0, work, &job);
  pthread_barrier_wait(&both);
  pthread_join(thread, 0);
  return job.result;
}
int main() {
  double x = 1, dx = 1;
  pthread_barrier_init(&both, 0, 2);
  return )") + ask + "((void *)f, enzyme_dup, &x, &dx) > 0; }",
                                            .level = level});
      EXPECT_EQ(result.exit_code, 1);
      EXPECT_THAT(result.err, HasSubstr("threads cannot be differentiated"));
      EXPECT_THAT(result.err, HasSubstr("differentiate what one thread computes"));
    }
}

/// Of OpenMP's, those that are not run in one thread.
TEST(ThreadsError, names_tasks_that_others_complete) {
  for (const char *ask : {"__enzyme_autodiff", "__enzyme_fwddiff"}) {
    const ProcessResult result = compile({.source = std::string(R"(
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup;
typedef enum omp_event_handle_t { omp_event = 0, largest = -1UL } omp_event_handle_t;
static double f(const double *x) {
  double s = 0;
  omp_event_handle_t event;
#pragma omp parallel
#pragma omp single
#pragma omp task detach(event) shared(s)
  s += x[0];
  return s;
}
int main() {
  double x = 1, dx = 1;
  return )") + ask + "((void *)f, enzyme_dup, &x, &dx) > 0; }",
                                          .flags = {"-fopenmp"}});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("threads cannot be differentiated"));
    EXPECT_THAT(result.err, Not(HasSubstr("has no body")));
  }
}

TEST(ThreadsError, names_variables_of_threads_that_have_a_destructor) {
  for (const char *ask : {"__enzyme_autodiff", "__enzyme_fwddiff"})
    for (const char *level : {"-O0", "-O2"}) {
      const ProcessResult result = compile({.source = std::string(R"(
#include <vector>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static double f(const double *x) {
  static thread_local std::vector<double> kept;
  kept.assign(2, *x);
  return kept[0] * kept[1];
}
int main() {
  double x = 1, dx = 1;
  return )") + ask + "((void *)f, &x, &dx) > 0; }",
                                            .language = Language::cpp,
                                            .level = level});
      EXPECT_EQ(result.exit_code, 1);
      EXPECT_THAT(result.err, HasSubstr("a thread_local variable with a destructor takes part in the derivative"));
      EXPECT_THAT(result.err, HasSubstr("make it a local or a static variable"));
    }
}

} // namespace
} // namespace assay::test
