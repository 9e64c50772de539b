// What threads do beside loops: sections, single threads, critical sections, atomic updates, numbers of threads.
#include "support/vector_program.hpp"
#include <omp.h>
#include <vector>

namespace {

double sections(const double *x, int n) {
  double squares = 0, sines = 0, product = 0;
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i < n; ++i)
      squares += x[i] * x[i];
#pragma omp section
    for (int i = 0; i < n; ++i)
      sines += std::sin(x[i]);
#pragma omp section
    product = x[0] * x[1];
  }
  return squares * sines + product;
}

double single_threads(const double *x, int n) {
  std::vector<double> y(n);
  double s = 0, factor = 0;
#pragma omp parallel
  {
    double own;
#pragma omp single copyprivate(own)
    {
      factor = x[0] * x[1];
      own = x[n - 1];
    }
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; ++i) {
      y[i] = x[i] * factor * own;
      s += y[i] * y[i];
    }
#pragma omp master
    factor *= 2;
  }
  return s + factor;
}

double critical_sections(const double *x, int n) {
  double total = 0;
#pragma omp parallel
  {
    double own = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      own += std::exp(-x[i] * x[i]);
#pragma omp critical(totals)
    total += own;
  }
  return total;
}

double ordered(const double *x, int n) {
  double s = 0;
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    const double square = x[i] * x[i];
#pragma omp ordered
    s = s * 0.9 + square;
  }
  return s;
}

double atomic_updates(const double *x, int n) {
  double sum = 0, product = 1, captured = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    sum += x[i] * x[i];
#pragma omp atomic
    product *= 0.9 + 0.1 * x[i];
    double before;
#pragma omp atomic capture
    {
      before = captured;
      captured += x[i];
    }
    (void)before;
  }
  return sum + product + captured * captured;
}

double locks(const double *x, int n) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    omp_set_lock(&lock);
    s += x[i] * x[i];
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return s;
}

/// Iterations shared out by hand.
double numbered(const double *x, int n) {
  std::vector<double> parts(omp_get_max_threads());
#pragma omp parallel
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    double s = 0;
    for (int i = thread; i < n; i += threads)
      s += x[i] * std::sqrt(1 + x[i] * x[i]);
    parts[thread] = s;
  }
  double s = 0;
  for (double part : parts)
    s += part;
  return s * s;
}

double of_part(const double *x, int begin, int end) {
  double s = 0;
  for (int i = begin; i < end; ++i)
    s += x[i] * x[i] * (i + 1);
  return s;
}

/// With regions inside.
double nested(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2)
  for (int i = 0; i < 2; ++i) {
    double t = 0;
#pragma omp parallel for reduction(+ : t) num_threads(2)
    for (int j = 0; j < n; ++j)
      t += of_part(x, j, j + 1) * (i + 1);
    s += t * t;
  }
  return s;
}

double in_teams(const double *x, int n) {
  double s = 0;
#pragma omp teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += std::cos(x[i]) * x[i];
  return s;
}

double own;
#pragma omp threadprivate(own)

double variables_of_threads(const double *x, int n) {
  double s = 0;
  own = x[0];
#pragma omp parallel copyin(own) reduction(+ : s)
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      s += own * x[i];
  }
  return s;
}

struct Particles {
  std::vector<double> position, force;
};

/// Forces between pairs, in an array of each thread's own that are added up.
double pair_forces(const double *x, int n) {
  Particles particles{{x, x + n}, std::vector<double>(n)};
#pragma omp parallel
  {
    std::vector<double> mine(n);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const double distance = particles.position[i] - particles.position[j];
        const double force = distance / (1 + distance * distance);
        mine[i] += force;
        mine[j] -= force;
      }
#pragma omp critical
    for (int i = 0; i < n; ++i)
      particles.force[i] += mine[i];
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += particles.force[i] * particles.force[i] * (i + 1);
  return s;
}

} // namespace

PLUGIN_TEST(ParallelRegions, HaveSections) {
  CHECK_FUNCTION(sections, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelRegions, HaveWorkOfOneThread) {
  CHECK_FUNCTION(single_threads, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelRegions, HaveCriticalSections) {
  CHECK_FUNCTION(critical_sections, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelRegions, HaveAnOrder) {
  CHECK_FUNCTION(ordered, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelRegions, UpdateAtomically) {
  CHECK_FUNCTION(atomic_updates, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelRegions, Lock) {
  CHECK_FUNCTION(locks, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelRegions, NumberTheirThreads) {
  CHECK_FUNCTION(numbered, 0.3, 0.9, -1.4, 0.7, 1.2);
}
PLUGIN_TEST(ParallelRegions, AreNested) {
  CHECK_FUNCTION(nested, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelRegions, AreOfTeams) {
  CHECK_FUNCTION(in_teams, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelRegions, HaveVariablesOfThreads) {
  CHECK_FUNCTION(variables_of_threads, 0.3, 0.9, -1.4, 0.7);
}
PLUGIN_TEST(ParallelRegions, AddUpArraysOfThreads) {
  CHECK_FUNCTION(pair_forces, 0.3, 0.9, -1.4, 0.7);
}
