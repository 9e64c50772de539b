/* For right rules that are written by hand, which `assay mutate --registered` plants faults in. */
#include <assay/check.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What the augmented function of a scalar one returns. */
struct augmented {
  void *tape;
  double primal;
};
struct pair {
  double x, y;
};

#define GRADIENT(function, augmented, reverse)                                                                         \
  void *__enzyme_register_gradient_##function[] = {(void *)(function), (void *)(augmented), (void *)(reverse)}
#define TANGENT(function, forward)                                                                                     \
  void *__enzyme_register_derivative_##function[] = {(void *)(function), (void *)(forward)}

static inline struct augmented no_tape(double primal) {
  struct augmented result = {NULL, primal};
  return result;
}
static inline void *keep(const void *numbers, size_t bytes) {
  void *tape = malloc(bytes);
  memcpy(tape, numbers, bytes);
  return tape;
}
