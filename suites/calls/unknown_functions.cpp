// Functions that nothing is known of, in places where they do not matter to a gradient: on paths that end in an
// exception, and as candidates of an indirect call that the run does not reach; there also functions
// that catch what carries a derivative.
#include "support/stop_test.hpp"
#include "support/vector_program.hpp"
#include <cmath>
#include <dlfcn.h>
#include <memory>
#include <stdexcept>
#include <vector>

extern "C" {
// Defined nowhere: what other files define looks like this.
__attribute__((weak)) const char *describe_elsewhere(const double *x, int n);
__attribute__((weak)) double compute_elsewhere(const double *x, int n);
}

namespace {

double checked_root(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] < -100)
      throw std::domain_error(describe_elsewhere(x, n));
    sum += std::sqrt(x[i] + 101) * x[i];
  }
  return sum;
}

struct Potential {
  virtual ~Potential() = default;
  virtual double at(const double *x, int n) const = 0;
};

struct Harmonic : Potential {
  double at(const double *x, int n) const override {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += x[i] * x[i] * (i + 1);
    return sum;
  }
};

struct Tabulated : Potential {
  double at(const double *x, int n) const override { return compute_elsewhere(x, n); }
};

__attribute__((noinline)) std::unique_ptr<Potential> make_potential(bool tabulated) {
  if (tabulated)
    return std::make_unique<Tabulated>();
  return std::make_unique<Harmonic>();
}

double reached_candidate(const double *x, int n) {
  const auto potential = make_potential(n > 1000);
  return potential->at(x, n) * x[0];
}

struct Elsewhere { // implemented in no file of this program
  virtual ~Elsewhere() = default;
  virtual double at(const double *x) const = 0;
};

__attribute__((noinline)) double with_optional_part(const std::shared_ptr<Elsewhere> &part, const double *x) {
  return part ? part->at(x) : x[0] * x[1];
}

double interface_without_implementation(const double *x, int n) {
  const std::shared_ptr<Elsewhere> none;
  return with_optional_part(none, x) * x[n - 1];
}

struct Command { // nothing in this file is called by a pointer of this type
  double (*apply)(const double *x, short first, long second, float scale);
  int what;
};

__attribute__((noinline)) double execute(const Command *commands, int n, const double *x) {
  double result = x[0];
  for (int i = 0; i < n; ++i)
    switch (commands[i].what) {
    case 0:
      result *= x[1];
      break;
    case 1:
      result = std::sin(result) + x[2];
      break;
    default:
      result += commands[i].apply(x, 1, 2, 3);
    }
  return result;
}

double command_of_another_file(const double *x, int) {
  const Command commands[] = {{nullptr, 0}, {nullptr, 1}, {nullptr, 0}};
  return execute(commands, 3, x);
}

double halved(double x) {
  return x / 2;
}
double (*chosen)(double) = halved;

double through_a_pointer(const double *x, int) {
  return chosen(x[0]) * x[0];
}

double squared(double x) {
  return x * x;
}
double caught_product(double x) { // An exception keeps no shadow: this function has no derivative.
  try {
    if (x > 1)
      throw x * x;
  } catch (double caught) {
    return caught * x;
  }
  return x;
}
double declared_elsewhere(double x) {
  return compute_elsewhere(&x, 1);
}
double (*const choices[])(double) = {squared, caught_product, declared_elsewhere};
int choice = 0; // NOLINT: known only when the program runs

double candidate_beside_handlers(const double *x, int) {
  return choices[choice](x[0]) * x[1];
}

} // namespace

PLUGIN_TEST(UnknownFunctions, AreNoObstacleBesideCandidatesThatReturnNumbers) {
  CHECK_FUNCTION(candidate_beside_handlers, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(UnknownFunctions, MakeNoDifferenceOnPathsThatThrow) {
  CHECK_FUNCTION(checked_root, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(UnknownFunctions, AreNoObstacleAsCandidatesThatAreNotReached) {
  CHECK_FUNCTION(reached_candidate, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(UnknownFunctions, AreNoObstacleBehindPointersThatThisFileLeavesUnused) {
  CHECK_FUNCTION(command_of_another_file, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(UnknownFunctions, AreNoObstacleBehindInterfacesThatNothingImplements) {
  CHECK_FUNCTION(interface_without_implementation, 0.7, -1.2, 0.4);
}

// Into a pipe, as a death test reads it.
PLUGIN_TEST(UnknownFunctions, StopTheProgramWithAMessageOnStandardErrorWhereTheyAreCalled) {
  const auto differentiate = [] {
    double x = 1.5, shadow = 0;
    chosen = reinterpret_cast<double (*)(double)>(dlsym(RTLD_DEFAULT, "cbrt"));
    __enzyme_autodiff<void>((void *)through_a_pointer, enzyme_dup, &x, &shadow, enzyme_const, 1);
  };
  EXPECT_STOP(differentiate, "assay: .*in '.*through_a_pointer.*' a differentiated call through a pointer reached a "
                             "function that is not part of its source file, or that "
                             "has no derivative\n");
}
