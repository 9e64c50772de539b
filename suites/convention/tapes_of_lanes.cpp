// Registered gradients at a width above 1: each lane has a tape of its own, which the rule may use up and release as it
// likes, and what a rule allocates for itself it releases itself.
#include "support/plugin_test.hpp"
#include <cstdlib>
#include <cstring>

extern "C" {
extern int enzyme_dup, enzyme_width;
void __enzyme_autodiff_tapes_of_lanes(void *, ...);
}

namespace tapes_of_lanes {

static int allocated = 0;

struct Tape {
  double *numbers;
  int count;
};

[[gnu::noinline]] static Tape *new_tape(int count) {
  allocated += 2;
  auto *tape = static_cast<Tape *>(std::malloc(sizeof(Tape)));
  *tape = {static_cast<double *>(std::malloc(count * sizeof(double))), count};
  return tape;
}
/// Nothing is left of what the tape held.
[[gnu::noinline]] static void delete_tape(Tape *tape) {
  allocated -= 2;
  std::memset(tape->numbers, 0xff, tape->count * sizeof(double));
  std::free(tape->numbers);
  std::free(tape);
}

struct Augmented {
  void *tape;
  double result;
};

[[gnu::noinline]] static double square(const double *x) {
  return x[0] * x[0];
}
static Augmented augmented_square(const double *x, double *) {
  Tape *tape = new_tape(1);
  tape->numbers[0] = x[0];
  return {tape, square(x)};
}
static void reverse_square(const double *, double *dx, double seed, void *kept) {
  auto *tape = static_cast<Tape *>(kept);
  dx[0] += 2 * tape->numbers[0] * seed;
  delete_tape(tape);
}

/// Changes its argument, of which the old value is on the tape, and counts its calls in it.
[[gnu::noinline]] static double squared_in_place(double *x) {
  const double old = x[0];
  x[0] = old * old;
  x[1] += 1;
  return 3 * x[0];
}
static Augmented augmented_in_place(double *x, double *) {
  Tape *tape = new_tape(2);
  tape->numbers[0] = x[0];
  tape->numbers[1] = 1;
  return {tape, squared_in_place(x)};
}
static void reverse_in_place(double *, double *dx, double seed, void *kept) {
  auto *tape = static_cast<Tape *>(kept);
  while (tape->numbers[1]-- > 0) // the rule uses its tape up
    dx[0] = 2 * tape->numbers[0] * (dx[0] + 3 * seed);
  delete_tape(tape);
}

struct Node {
  double value;
  Node *next;
};

[[gnu::noinline]] static double cube(const double *x) {
  return x[0] * x[0] * x[0];
}
static Augmented augmented_cube(const double *x, double *) {
  return {nullptr, cube(x)};
}
static void reverse_cube(const double *x, double *dx, double seed, void *) {
  Node *first = nullptr;
  for (int i = 0; i < 3; ++i) {
    ++allocated;
    auto *node = static_cast<Node *>(std::malloc(sizeof(Node)));
    *node = {x[0] * x[0], first};
    first = node;
  }
  while (first) {
    dx[0] += first->value * seed;
    Node *next = first->next;
    --allocated;
    std::free(first);
    first = next;
  }
}

void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented_square, (void *)reverse_square};
void *__enzyme_register_gradient_in_place[] = {(void *)squared_in_place, (void *)augmented_in_place,
                                               (void *)reverse_in_place};
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmented_cube, (void *)reverse_cube};

static double sum_of_squares(const double *x) {
  return square(x) + square(x + 1);
}
static double twice_in_place(double *x) {
  const double first = squared_in_place(x);
  return first * squared_in_place(x);
}
static double sum_of_cubes(const double *x) {
  return cube(x) + cube(x + 1);
}

template <class Program>
static void at_width_three(Program *program, double *x, double (&shadows)[3][2]) {
  __enzyme_autodiff_tapes_of_lanes((void *)program, enzyme_width, 3, enzyme_dup, x, shadows[0], shadows[1], shadows[2]);
}

PLUGIN_TEST(TapesOfLanes, ReleasedByAnotherFunction) {
  double x[2] = {1.5, 2}, shadows[3][2] = {};
  at_width_three(sum_of_squares, x, shadows);
  for (auto &shadow : shadows) {
    EXPECT_CLOSE(shadow[0], 3);
    EXPECT_CLOSE(shadow[1], 4);
  }
  EXPECT_HOLDS(allocated == 0);
}

PLUGIN_TEST(TapesOfLanes, OfFunctionThatChangesItsArgument) {
  double x[2] = {1.5, 0}, shadows[3][2] = {};
  at_width_three(twice_in_place, x, shadows); // 9 x^6
  for (auto &shadow : shadows)
    EXPECT_CLOSE(shadow[0], 9 * 6 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5);
  EXPECT_CLOSE(x[0], 1.5 * 1.5 * 1.5 * 1.5);
  EXPECT_CLOSE(x[1], 2);
  EXPECT_HOLDS(allocated == 0);
}

PLUGIN_TEST(TapesOfLanes, MemoryOfTheRuleItself) {
  double x[2] = {1.5, 2}, shadows[3][2] = {};
  at_width_three(sum_of_cubes, x, shadows);
  for (auto &shadow : shadows) {
    EXPECT_CLOSE(shadow[0], 3 * 1.5 * 1.5);
    EXPECT_CLOSE(shadow[1], 3 * 4);
  }
  EXPECT_HOLDS(allocated == 0);
}

} // namespace tapes_of_lanes
