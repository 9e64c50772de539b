/* For rules with one fault each. A file is compiled twice: as it is, and with RIGHT defined, without the fault. What
 * the check has to say of the fault stands in lines that begin with "// names: ". */
#include <assay/check.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef RIGHT
#define CHOOSE(wrong, right) (right)
#else
#define CHOOSE(wrong, right) (wrong)
#endif

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
