/* The registration of rules that are written by hand. */
#include <assay/check.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The value of the augmented function of a scalar one. */
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

static inline struct augmented with_tape(void *tape, double primal) {
  struct augmented result = {tape, primal};
  return result;
}
static inline struct augmented no_tape(double primal) {
  return with_tape(NULL, primal);
}
static inline void *keep(const void *numbers, size_t bytes) {
  void *tape = malloc(bytes);
  memcpy(tape, numbers, bytes);
  return tape;
}
